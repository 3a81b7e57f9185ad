import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openService } from "../../../../test/contract/service.ts";
import { assertDescribed } from "../../../../test/openapi.ts";
import { charged, request } from "../../../accounts/testing/store.ts";

// Operations on the own account (docs/account_openapi.json) over HTTP.
let service: Awaited<ReturnType<typeof openService>>;
let document: { readonly paths: Record<string, unknown> };
beforeAll(async () => {
  service = await openService();
  document = (await (await fetch(`${service.url}/api/account/openapi.json`)).json()) as typeof document;
});
afterAll(() => service.close());

const ask = async (secret: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as never };
  const template = path
    .split("?")[0]
    ?.replace(/keys\/[^/]+/, "keys/{key_id}")
    .replace(/months\/[^/]+/, "months/{month}");
  assertDescribed(document, { method, path: template ?? path }, answer);
  return answer as { status: number; headers: Headers; body: Record<string, unknown> };
};

const keyFor = (account_id: string, ...scopes: string[]) => service.store.keys.create({ account_id, scopes });

const USAGE = "/api/account/usage?from=2026-11-01&to=2026-11-30";

describe("the account of a key", () => {
  test("is shown to every key of it, whatever that opens besides", async () => {
    const { account } = service.customer;
    for (const scope of ["api:call", "mcp:call", "usage:read", "keys:manage"]) {
      const { secret } = await keyFor(account.id, scope);
      const { status, body, headers } = await ask(secret, "GET", "/api/account");
      expect([status, body.id, headers.get("x-credits-charged")]).toEqual([200, account.id, "0"]);
      expect((await ask(secret, "GET", USAGE)).status).toBe(200);
    }
  });

  test("is not visible to other accounts, and a key that reads usage calls no tool", async () => {
    for (const secret of ["", "svc_live_abc", "none"])
      expect((await ask(secret, "GET", "/api/account")).status).toBe(401);
    const { secret } = await keyFor(service.customer.account.id, "usage:read", "keys:manage");
    for (const [method, path] of [
      ["GET", "/api/tools"],
      ["POST", "/api/tools/resolve_ens"],
      ["POST", "/mcp"],
    ] as const) {
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      const init = { method, headers, ...(method === "POST" ? { body: "{}" } : {}) };
      expect((await fetch(`${service.url}${path}`, init)).status, path).toBe(401);
    }
  });

  test("does not take more requests than the key's limit, counted apart from calls", async () => {
    const { account } = service.customer;
    const { secret } = await service.store.keys.create({ account_id: account.id, scopes: ["api:call"], limit: 3 });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await ask(secret, "GET", "/api/account")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(`${service.url}/api/tools`, { headers })).status).toBe(200);
  });
});

describe("usage over HTTP", () => {
  test("is what the store sums, of this account alone, as JSON and as CSV", async () => {
    const { store } = service;
    const mine = await store.accounts.create({ name: "=Mine", plan: "business" });
    const { secret } = await keyFor(mine.id, "api:call");
    const caller = await store.meter.authenticate(`Bearer ${secret}`, "api");
    if (caller.kind !== "caller") throw new Error("the key was refused");
    const [tool = ""] = Object.keys((await store.meter.catalog()).credits);
    for (const outcome of ["done", "done", "refunded"] as const) {
      const { charge_id } = charged(await store.meter.charge(request(caller.caller, { tool })));
      await store.meter.settle(charge_id, outcome, outcome === "done" ? null : "TIMEOUT");
    }
    const price = (await store.meter.catalog()).credits[tool] ?? 0;
    const { body } = await ask(secret, "GET", `${USAGE}&by=tool,outcome`);
    expect(body).toEqual({
      from: "2026-11-01",
      to: "2026-11-30",
      by: ["tool", "outcome"],
      rows: [
        { tool, outcome: "done", calls: 2, credits: 2 * price, credits_refunded: 0 },
        { tool, outcome: "refunded", calls: 1, credits: 0, credits_refunded: price },
      ],
    });
    const headers = { authorization: `Bearer ${secret}` };
    const csv = await fetch(`${service.url}${USAGE}&by=tool,outcome&format=csv`, { headers });
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await csv.text()).toBe(
      `tool,outcome,calls,credits,credits_refunded\r\n${tool},done,2,${2 * price},0\r\n${tool},refunded,1,0,${price}\r\n`,
    );
    const month = await ask(secret, "GET", "/api/account/months/2026-11");
    expect(month.body).toMatchObject({ credits_used: 2 * price, credits_refunded: price, is_final: false });
    const lines = await fetch(`${service.url}/api/account/months/2026-11?format=csv`, { headers });
    // A name that a calculating program would take for a formula.
    expect((await lines.text()).split("\r\n")[1]).toBe(
      `${mine.id},'=Mine,2026-11,${tool},${price},3,2,${2 * price},${price}`,
    );
  });

  test("refuses what it does not know in a list or a sentence", async () => {
    const { secret } = await keyFor(service.customer.account.id, "usage:read");
    const refused = [
      "/api/account/usage",
      "/api/account/usage?from=2026-11-01",
      `${USAGE}&by=colour`,
      `${USAGE}&by=`,
      `${USAGE}&format=xml`,
      `${USAGE}&account_id=${service.customer.account.id}`,
      "/api/account/usage?from=2026-02-30&to=2026-03-01",
      "/api/account/usage?from=2025-01-01&to=2026-11-01",
      "/api/account/months/2026-13",
      "/api/account/months/now",
    ];
    for (const path of refused) expect([path, (await ask(secret, "GET", path)).status]).toEqual([path, 422]);
  });
});

describe("keys over HTTP", () => {
  test("without keys:manage a key sees itself, may end itself, and nothing else", async () => {
    const { account, key } = service.customer;
    const own = await keyFor(account.id, "api:call");
    const listed = await ask(own.secret, "GET", "/api/account/keys");
    expect((listed.body.keys as { id: string }[]).map(({ id }) => id)).toEqual([own.id]);
    expect(JSON.stringify(listed.body)).not.toContain(own.secret.slice(13));
    for (const id of [own.id, key.id, "key_none"])
      expect((await ask(own.secret, "POST", `/api/account/keys/${id}/rotate`, {})).status).toBe(403);
    for (const id of [key.id, "key_none"])
      expect((await ask(own.secret, "POST", `/api/account/keys/${id}/revoke`)).status).toBe(403);
    expect((await ask(own.secret, "POST", `/api/account/keys/${own.id}/revoke`)).body.revoked_at).not.toBeNull();
    expect((await ask(own.secret, "GET", "/api/account")).status).toBe(401);
  });

  test("with keys:manage a key renews and ends those of its account, and none of another", async () => {
    const { store, customer } = service;
    const manager = await keyFor(customer.account.id, "keys:manage", "api:call");
    const used = await keyFor(customer.account.id, "api:call");
    const rotated = await ask(manager.secret, "POST", `/api/account/keys/${used.id}/rotate`, { grace_seconds: 60 });
    expect([rotated.status, rotated.body.id]).toEqual([200, used.id]);
    for (const secret of [used.secret, String(rotated.body.secret)])
      expect((await store.meter.authenticate(`Bearer ${secret}`, "api")).kind).toBe("caller");
    const [entry] = await store.audit({ limit: 1, before_seq: null });
    expect(entry).toMatchObject({ actor: `key:${manager.id}`, action: "key.rotate", subject: used.id });
    expect((await ask(manager.secret, "POST", `/api/account/keys/${used.id}/revoke`)).status).toBe(200);
    expect((await ask(manager.secret, "POST", `/api/account/keys/${used.id}/rotate`, {})).status).toBe(409);
    const other = await store.accounts.create({ name: "Other", plan: "business" });
    const strange = await keyFor(other.id, "api:call");
    for (const id of [strange.id, "key_none"])
      for (const act of ["rotate", "revoke"])
        expect((await ask(manager.secret, "POST", `/api/account/keys/${id}/${act}`)).status, id).toBe(404);
    expect((await store.meter.authenticate(`Bearer ${strange.secret}`, "api")).kind).toBe("caller");
  });

  test("other methods are answered with the one that the path takes", async () => {
    const { secret } = service.customer.key;
    for (const [path, allow] of [
      ["/api/account", "GET"],
      ["/api/account/keys/key_1/rotate", "POST"],
    ] as const)
      for (const method of ["GET", "POST", "PUT", "DELETE"].filter((one) => one !== allow)) {
        const response = await fetch(`${service.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${secret}` },
        });
        expect([path, method, response.status, response.headers.get("allow")]).toEqual([path, method, 405, allow]);
      }
  });
});
