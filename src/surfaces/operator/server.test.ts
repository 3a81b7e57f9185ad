import { afterAll, expect, test } from "vitest";
import { benchHere } from "../../../test/contract/bench.ts";
import { assertDescribed } from "../../../test/openapi.ts";
import { OPERATOR_STATE as state } from "../../../test/operator_state.ts";
import { openTemporary } from "../../accounts/testing/temporary.ts";
import { Secret, silentLog } from "../../lib/log.ts";
import { operatorOpenapi } from "./openapi.ts";

import { openOperatorServer } from "./server.ts";
import { operatorOperations } from "./state.ts";

const TOKEN = "operator-token-for-the-tests";
const ALICE = "alices-own-token-for-the-tests";
const READER = "reading-token-for-the-tests";

const store = await openTemporary();
const tokens = [
  { name: "operator", secret: new Secret(TOKEN), may_change: true },
  { name: "alice", secret: new Secret(ALICE), may_change: true },
  { name: "operator_read", secret: new Secret(READER), may_change: false },
];
const server = openOperatorServer({ store, state, tokens, log: silentLog });
const url = await server.listen({ host: "127.0.0.1", port: 0 });
const document = operatorOpenapi();
afterAll(async () => {
  await server.close();
  await store.remove();
});

interface TestRequest {
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; each test reads what it asserts. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, checked against the document.
  readonly body: any;
}

const send = async (method: string, path: string, sent: TestRequest = {}): Promise<TestResponse> => {
  const { body, token = TOKEN, headers = {} } = sent;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  return { status: response.status, headers: response.headers, body: await response.json() };
};

/** One operation; its answer must be as the document describes it. */
const operate = async (
  id: keyof typeof operatorOperations,
  input: Record<string, unknown> = {},
  sent: TestRequest = {},
) => {
  const { method, path } = operatorOperations[id];
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
  );
  const has_body = method !== "GET" && Object.keys(rest).length > 0;
  const answer = await send(method, method === "GET" && query.size > 0 ? `${filled}?${query}` : filled, {
    ...(has_body ? { body: rest } : {}),
    ...sent,
  });
  assertDescribed(document, { method, path }, answer);
  return answer;
};

test("accounts, plans, keys, grants, prices, the allowlist and the trail of all of it", async () => {
  const made = await operate("create_account", { name: "Acme", plan: "pro" });
  expect(made).toMatchObject({ status: 200, body: { name: "Acme", plan: "pro" } });
  const account_id = made.body.id;
  expect((await operate("list_accounts")).body.accounts).toContainEqual(made.body);
  const custom = { account_id, plan: "custom", monthly_credits: 9, keys_max: 2, calls_per_minute: 4 };
  expect((await operate("set_account_plan", custom)).body).toMatchObject({ plan: "custom", credits_quota: 9 });
  expect((await operate("grant_credits", { account_id, credits: 5 })).body).toMatchObject({ credits_quota: 14 });
  expect((await operate("show_account", { account_id })).body).toMatchObject({ credits_remaining: 14, keys: 0 });
  expect((await operate("list_plans")).body.plans).toContainEqual({
    id: "pro",
    monthly_credits: 20_000,
    keys_max: 2,
    calls_per_minute: 10,
  });

  const key = (await operate("create_key", { account_id, scopes: ["api:call"] })).body;
  expect(key.secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  const key_id = key.id;
  expect((await operate("set_key_limit", { key_id, limit: 3 })).body).toMatchObject({ limit: 3 });
  const rotated = (await operate("rotate_key", { key_id, grace_seconds: 60 })).body;
  expect((await store.meter.authenticate(`Bearer ${rotated.secret}`, "api")).kind).toBe("caller");
  expect((await operate("rotate_key", { key_id })).body.secret).not.toBe(rotated.secret);
  expect((await operate("revoke_key", { key_id })).body.revoked_at).toBe("2026-11-20T12:00:00Z");
  expect((await operate("list_keys", { account_id })).body.keys).toHaveLength(1);

  const set = (await operate("set_price", { tool: "resolve_ens", credits: null }, { token: ALICE })).body;
  expect((await operate("list_prices")).body).toMatchObject({ catalog_version: set.catalog_version });
  const hidden = await operate("set_tool_public", { tool: "resolve_ens", is_public: false }, { token: ALICE });
  expect((await operate("list_tools")).body.tools).toContainEqual(hidden.body);
  expect((await operate("verify_ledger")).body).toEqual({
    ok: true,
    violations: [],
    witnesses: { same: [], silent: [] },
  });

  const { entries } = (await operate("list_audit", { limit: 11 })).body;
  expect(entries.map(({ actor, action }: Record<string, string>) => `${actor} ${action}`)).toEqual([
    "alice tool.list",
    "alice price.set",
    "operator key.revoke",
    "operator key.rotate",
    "operator key.rotate",
    "operator key.limit",
    "operator key.create",
    "operator account.grant",
    "operator account.plan",
    "operator account.create",
    "configuration plan.set",
  ]);
  const older = (await operate("list_audit", { before_seq: entries[8].seq, limit: 1 })).body.entries;
  expect(older).toEqual([entries[9]]);
  expect(JSON.stringify((await operate("list_audit", { limit: 1_000 })).body)).not.toContain(key.secret.slice(13));
});

test("logs the name of a read-only token that requests a change, and shows it no secret", async () => {
  const told: unknown[] = [];
  const listening = openOperatorServer({
    store,
    state,
    tokens,
    log: { ...silentLog, warn: (facts: unknown) => void told.push(facts) } as typeof silentLog,
  });
  const { port } = new URL(await listening.listen({ host: "127.0.0.1", port: 0 }));
  const ask = (method: string, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { authorization: `Bearer ${READER}` } });
  try {
    const { id } = await store.accounts.create({ name: "Read", plan: "pro" });
    const { secret } = await store.keys.create({ account_id: id, scopes: ["api:call"] });
    expect((await ask("POST", "/operator/keys/k/revoke")).status).toBe(403);
    expect(told).toMatchObject([{ actor: "operator_read", method: "POST", path: "/operator/keys/k/revoke" }]);
    expect((await ask("PUT", "/operator/nothing")).status).toBe(404);
    expect((await ask("DELETE", "/operator/prices/resolve_ens")).status).toBe(405);
    const texts: string[] = [];
    for (const { method, path } of Object.values(operatorOperations))
      if (method === "GET") texts.push(await (await ask(method, path.replace("{account_id}", id))).text());
    expect(texts.length).toBeGreaterThan(5);
    for (const hidden of [secret, secret.slice(13), TOKEN, ALICE, READER])
      expect(texts.join("\n")).not.toContain(hidden);
  } finally {
    await listening.close();
  }
});

test("concurrent verifications share one read of the ledger at a time", async () => {
  let [running, most] = [0, 0];
  const verify = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 50));
    running -= 1;
    return [];
  };
  const listening = openOperatorServer({ store: { ...store, ledger: { verify } }, state, tokens, log: silentLog });
  const { port } = new URL(await listening.listen({ host: "127.0.0.1", port: 0 }));
  try {
    const asked = Array.from({ length: 10 }, () =>
      fetch(`http://127.0.0.1:${port}/operator/ledger/verification`, {
        headers: { authorization: `Bearer ${READER}` },
      }),
    );
    for (const answer of await Promise.all(asked))
      expect(await answer.json()).toMatchObject({ ok: true, violations: [] });
    expect(most).toBe(1);
  } finally {
    await listening.close();
  }
});

test("rejects every request without a token", async () => {
  const detail = "The operator token is missing or not valid: send 'Authorization: Bearer <OPERATOR_TOKEN>'";
  const { key } = await store.accounts
    .create({ name: "Caller", plan: "free" })
    .then(async ({ id }) => ({ key: await store.keys.create({ account_id: id, scopes: ["api:call"] }) }));
  for (const token of [null, "", "x", TOKEN.slice(0, -1), `${TOKEN}x`, key.secret])
    for (const path of ["/operator/accounts", "/operator/openapi.json", "/operator/nothing", "/", "/healthz"]) {
      const answer = await send("GET", path, { token });
      expect(answer).toMatchObject({ status: 401, body: { detail } });
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
});

test("reports invalid requests in the same shapes as the public surface", async () => {
  expect(await operate("show_account", { account_id: "account_x" })).toMatchObject({
    status: 404,
    body: { detail: "Account 'account_x' does not exist." },
  });
  expect(await operate("set_price", { tool: "resolve_nothing", credits: 1 })).toMatchObject({ status: 404 });
  expect(await operate("create_account", { name: "Acme", plan: "gold" })).toMatchObject({ status: 422 });
  expect((await operate("create_account", { name: "Acme", plam: "pro" })).body.detail).toEqual([
    { type: "extra_forbidden", loc: ["body", "plam"], msg: "Unknown field" },
  ]);
  expect((await operate("grant_credits", { account_id: "a", credits: 1.5 })).body.detail).toMatchObject([
    { loc: ["body", "credits"] },
  ]);
  expect((await operate("list_audit", { limit: 0 })).body.detail).toMatchObject([{ loc: ["query", "limit"] }]);
  expect((await operate("list_keys", { account: "a" })).body.detail).toMatchObject([{ loc: ["query", "account"] }]);
  expect((await send("POST", "/operator/accounts", { body: '{"name":' })).body.detail).toMatchObject([
    { type: "json_invalid", loc: ["body", 8] },
  ]);
  expect(
    (await send("POST", "/operator/accounts", { body: "{}", headers: { "content-type": "text/plain" } })).status,
  ).toBe(422);
  expect(await send("POST", "/operator/accounts")).toMatchObject({ status: 422 });
  expect((await send("POST", "/operator/accounts", { body: " ".repeat(70_000) })).status).toBe(413);
  const moved = { account_id: "other", plan: "free" };
  expect((await send("PUT", "/operator/accounts/a/plan", { body: moved })).body.detail).toMatchObject([
    { loc: ["body", "account_id"] },
  ]);
  const put = await send("DELETE", "/operator/prices/resolve_ens", { body: {} });
  expect(put).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
  expect(put.headers.get("allow")).toBe("PUT");
  expect((await send("GET", "/operator")).status).toBe(404);
});

test("a plan's number of keys and a revoked key are conflicts", async () => {
  const account_id = (await operate("create_account", { name: "Small" })).body.id;
  const key_id = (await operate("create_key", { account_id, scopes: ["mcp:call"] })).body.id;
  expect(await operate("create_key", { account_id, scopes: ["api:call"] })).toMatchObject({ status: 409 });
  await operate("revoke_key", { key_id });
  expect(await operate("rotate_key", { key_id })).toMatchObject({ status: 409 });
});

test("the served document names every operation", async () => {
  const { body } = await send("GET", "/operator/openapi.json");
  expect(body).toEqual(document);
  const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual(Object.keys(operatorOperations).sort());
});

test("the public port serves no operator route, and the operator port no public one", async () => {
  const bench = await benchHere();
  for (const { path, method } of Object.values(operatorOperations))
    for (const key of [TOKEN, bench.customer.key.secret])
      expect(await bench.ask(path.replace(/[{}]/g, ""), { method, key })).toMatchObject({
        status: 404,
        body: { detail: "Not Found" },
      });
  for (const path of ["/api/tools", "/api/tools/openapi.json", "/healthz", "/readyz", "/metrics"])
    expect((await send("GET", path)).status).toBe(404);
});

test("a hidden tool is answered like an unknown one and leaves the lists", async () => {
  const bench = await benchHere();
  const unknown = await bench.post("nothing");
  await bench.store.allowlist.set("show", false);
  const hidden = await bench.post("show");
  expect(hidden.status).toBe(404);
  expect(hidden.text).toBe(unknown.text.replace("nothing", "show"));
  const { body } = await bench.ask("/api/tools");
  expect(body.tools.map(({ name }: { name: string }) => name)).not.toContain("show");
  expect(Object.keys((await bench.ask("/api/tools/openapi.json")).body.paths)).not.toContain("/api/tools/show");
  await bench.store.allowlist.set("show", true);
  expect((await bench.post("show")).status).toBe(200);
});
