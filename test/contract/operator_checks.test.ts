import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { riskRule } from "../../src/accounts/risk_rule.ts";
import { openTemporary } from "../../src/accounts/testing/temporary.ts";
import { RULE_DEFINITION } from "../../src/accounts/testing/watch.ts";
import { Secret, silentLog } from "../../src/lib/log.ts";
import type { JsonSchema } from "../../src/surfaces/openapi/describe_tool.ts";
import { openOperatorServer } from "../../src/surfaces/operator/server.ts";
import { assertDescribed } from "../openapi.ts";
import { OPERATOR_STATE } from "../operator_state.ts";
import { rawRequest } from "./raw.ts";
import { schemaValues } from "./schema_arbitrary.ts";
import { wrongValues } from "./schema_values.ts";

// The checks of openapi_checks.test.ts over the operator API and the document that it serves.
const TOKEN = "operator-token-for-the-tests";
const READER = "reading-token-for-the-tests";
const store = await openTemporary({ watch: { rules_per_account: 2, is_priced: false } });
const tokens = [
  { name: "operator", secret: new Secret(TOKEN), may_change: true },
  { name: "operator_read", secret: new Secret(READER), may_change: false },
];
const server = openOperatorServer({ store, state: OPERATOR_STATE, tokens, log: silentLog });
const url = await server.listen({ host: "127.0.0.1", port: 0 });
const port = Number(new URL(url).port);
afterAll(async () => {
  await server.close();
  await store.remove();
});

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: JsonSchema;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } };
}

const document = (await (
  await fetch(`${url}/operator/openapi.json`, { headers: { authorization: `Bearer ${TOKEN}` } })
).json()) as { readonly paths: Record<string, Record<string, DescribedOperation>> };

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const parameters = operation.parameters ?? [];
    const body = operation.requestBody?.content["application/json"].schema ?? null;
    const query = parameters.filter((one) => one.in === "query");
    return { id: operation.operationId, path, method: method.toUpperCase(), body, query };
  }),
);

const account = await store.accounts.create({ name: "Acme", plan: "business" });
const key = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
const { id: user_id } = await store.users.link({
  ...{ name: "ann", account_id: account.id, is_operator: false },
});
const { id: rule_id } = await store.watch
  .rules("tests")
  .create({ account_id: account.id, key_id: key.id }, RULE_DEFINITION);
const RISK_RULE = riskRule.parse({ id: "mixers", category: "mixer", usd: 1 });
await store.risk_rules.create(RISK_RULE);
/** Existing values for the parameters of a path. */
const KNOWN: Readonly<Record<string, string>> = {
  ...{
    account_id: account.id,
    key_id: key.id,
    user_id,
    rule_id,
    tool: "resolve_ens",
    month: "2026-11",
    network: "demo",
  },
  id: RISK_RULE.id,
};

/** Queries of the operations that require one. */
const QUERIES: Readonly<Record<string, Record<string, unknown>>> = {
  show_usage: { from: "2026-11-01", to: "2026-11-30" },
};

/** A valid body for each operation that takes one. These bodies leave the account, the key and the tool usable. */
const RIGHT: Readonly<Record<string, Record<string, unknown>>> = {
  create_account: { name: "Other", plan: "custom", monthly_credits: 9, keys_max: 1, calls_per_minute: 2 },
  set_account_plan: { plan: "business" },
  grant_credits: { credits: 5 },
  create_key: { account_id: account.id, scopes: ["mcp:call"], limit: 3 },
  set_key_limit: { limit: null },
  rotate_key: { grace_seconds: 60 },
  link_user: { name: "bob", account_id: account.id, is_operator: true, role: "key_manager" },
  set_user_role: { role: "viewer" },
  remove_user: {},
  set_price: { credits: 2 },
  set_tool_public: { is_public: true },
  create_risk_rule: { id: "scams", category: "scam", percent: 5 },
  set_risk_rule: { category: "scam", percent: 5, version: 1 },
  remove_risk_rule: { version: 1 },
  preview_list: { list: "mine", format: "labels-csv", text: "address" },
  import_list: { list: "mine", format: "labels-csv", text: "address", basis: "basis-1" },
};

interface OperatorRequest {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly places?: Readonly<Record<string, string>>;
}

type OperationPath = Pick<(typeof OPERATIONS)[number], "path" | "method">;

/** Sends a request and checks its answer: JSON, the common headers, and a documented status and body. */
const send = async (
  { path, method }: OperationPath,
  { body, query = {}, headers = {}, places = {} }: OperatorRequest = {},
) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name] ?? KNOWN[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetch(`${url}${filled}${search.size > 0 ? `?${search}` : ""}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as unknown };
  assertDescribed(document, { method, path }, answer);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  return answer;
};

const rightInput = (id: string): OperatorRequest => ({
  ...(RIGHT[id] === undefined ? {} : { body: RIGHT[id] }),
  query: QUERIES[id] ?? {},
});

test("every operation that takes a body has a valid one here", () => {
  const takers = OPERATIONS.filter(({ body }) => body !== null).map(({ id }) => id);
  expect(Object.keys(RIGHT).sort()).toEqual(takers.sort());
});

describe.each(OPERATIONS)("$method $path", ({ id, path, method, body, query }) => {
  const at = { path, method };

  test("rejects every request without the token", async () => {
    for (const authorization of ["", "Basic YTpi", "Bearer", `Bearer ${TOKEN}x`, `Bearer ${key.secret}`, TOKEN])
      expect((await send(at, { ...rightInput(id), headers: { authorization } })).status, authorization).toBe(401);
  });

  test("with the read-only token answers reads like the other token, and 403 to changes", async () => {
    const headers = { authorization: `Bearer ${READER}` };
    const trail = async () => (await send({ path: "/operator/audit", method: "GET" })).body;
    const before = await trail();
    const answer = await send(at, { ...rightInput(id), headers });
    if (method === "GET") {
      const { body: same } = await send(at, rightInput(id));
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: same });
      return;
    }
    const detail = "This operator token may only read: the change was not made";
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 403, body: { detail } });
    // Any input: the refusal comes before validation.
    for (const body of ["{", " ".repeat(70_000), "", JSON.stringify({ colour: "red" })])
      expect((await send(at, { body, headers })).status).toBe(403);
    expect(
      (await send(at, { ...rightInput(id), headers, places: { account_id: "a", key_id: "k", tool: "t" } })).status,
    ).toBe(403);
    expect(await trail()).toEqual(before);
  });

  test("answers other methods with 405 and those that the path takes", async () => {
    const own = Object.keys(document.paths[path] ?? {}).map((one) => one.toUpperCase());
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => KNOWN[name] ?? "");
    for (const other of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]) {
      if (own.includes(other)) continue;
      const head = `${other} ${filled} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n`;
      const reply = await rawRequest(port, `${head}Content-Length: 0\r\nConnection: close\r\n\r\n`);
      expect([reply.status, reply.headers["content-type"]], other).toEqual([405, "application/json"]);
      expect(reply.headers.allow?.split(", ").sort()).toEqual([...own].sort());
    }
  });

  test("accepts a valid input", async () => {
    if (id === "revoke_key") {
      const { id: key_id } = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
      expect((await send(at, { places: { key_id } })).status).toBe(200);
    } else if (id === "remove_user") {
      // The user of the other tests may be the last owner by now.
      const made = await store.users.link({ name: "leaving", account_id: account.id, is_operator: false });
      expect((await send(at, { ...rightInput(id), places: { user_id: made.id } })).status).toBe(200);
    } else if (path.includes("/risk/rules/{id}")) {
      const { version } = await store.risk_rules.create({ ...RISK_RULE, id: `for_${id}` });
      const asked = { body: { ...RIGHT[id], version }, places: { id: `for_${id}` } };
      expect((await send(at, asked)).status).toBe(200);
    } else expect((await send(at, rightInput(id))).status).toBe(200);
  });

  test("refuses what its schema does not allow", async () => {
    const properties = (body?.properties ?? {}) as Record<string, JsonSchema>;
    const right = RIGHT[id] ?? {};
    for (const [field, schema] of Object.entries(properties)) {
      const validate = new Ajv2020({ strict: false }).compile(schema);
      for (const value of [...wrongValues(schema), "", -1, [[]]].filter((one) => !validate(one)))
        expect(
          (await send(at, { body: { ...right, [field]: value } })).status,
          `${field}=${JSON.stringify(value)}`,
        ).toBe(422);
    }
    for (const field of (body?.required ?? []) as readonly string[]) {
      const { [field]: _, ...rest } = right;
      expect((await send(at, { body: rest })).status, `without ${field}`).toBe(422);
    }
    if (body !== null) {
      expect((await send(at, { body: { ...right, colour: "red" } })).status).toBe(422);
      for (const text of ["null", "[]", '"x"', "7", "{"])
        expect((await send(at, { body: text })).status, text).toBe(422);
      const headers = { "content-type": "text/plain" };
      expect((await send(at, { body: right, headers })).status).toBe(422);
    }
    if (method === "GET") expect((await send(at, { query: { ...QUERIES[id], colour: "red" } })).status).toBe(422);
    for (const { name, schema } of query)
      for (const value of schema.type === "integer"
        ? ["", "x", "-1", "1.5", "0", "1e3"]
        : ["", "x".repeat(Number(schema.maxLength ?? 100) + 1)])
        expect((await send(at, { query: { ...QUERIES[id], [name]: value } })).status, `${name}=${value}`).toBe(422);
  });

  test("accepts all input that its schema allows, or refuses it as documented", async () => {
    if (body === null) return;
    await fc.assert(
      fc.asyncProperty(schemaValues(body), async (sent) => {
        expect([200, 404, 409, 422]).toContain((await send(at, { body: sent })).status);
      }),
      { numRuns: 25 },
    );
    // Undo any change of the shared account and tool.
    await send({ path: "/operator/accounts/{account_id}/plan", method: "PUT" }, rightInput("set_account_plan"));
    await send({ path: "/operator/tools/{tool}", method: "PUT" }, rightInput("set_tool_public"));
  });

  test("answers 404 to a path of something that does not exist, in any spelling", async () => {
    const [name] = /(?<=\{)\w+/.exec(path) ?? [];
    if (name === undefined) return;
    for (const place of ["nothing", "../accounts", "%", "ü😀", "a b", "x".repeat(100), "x".repeat(1_000)])
      expect((await send(at, { ...rightInput(id), places: { [name]: place } })).status, place).toBe(404);
  });
});

describe("malformed or oversized HTTP", () => {
  const head = `GET /operator/accounts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n`;
  test.each([
    ["rubbish", "rubbish\r\n\r\n", 400],
    ["headers beyond 16 KiB", `${head}X: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["a path beyond 16 KiB", `GET /operator/${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ["two lengths", `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    ["two tokens", `${head}Authorization: Bearer other\r\nConnection: close\r\n\r\n`, 401],
  ])("%s is refused in JSON", async (_, text, status) => {
    const reply = await rawRequest(port, text);
    expect([reply.status, reply.headers["content-type"]]).toEqual([status, "application/json"]);
    expect(typeof JSON.parse(reply.body).detail).toBe("string");
  });

  test("two requests in one piece are answered in order", async () => {
    const last = head.replace("accounts", "nothing");
    const { text } = await rawRequest(port, `${head}\r\n${last}Connection: close\r\n\r\n`);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "404"]);
  });

  test("a client that leaves before its body is whole changes nothing", async () => {
    const newest = async () => {
      const { body } = await send({ path: "/operator/audit", method: "GET" }, { query: { limit: 1 } });
      return body;
    };
    const before = await newest();
    const text = JSON.stringify({ name: "Cut off" });
    const whole = `POST /operator/accounts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    for (const cut of [1, 5, text.length]) await rawRequest(port, whole.slice(0, -cut), { patience_ms: 50 });
    expect(await newest()).toEqual(before);
  });
});

test("the ledger and the trail verify afterwards", async () => {
  expect((await send({ path: "/operator/ledger/verification", method: "GET" })).body).toEqual({
    ok: true,
    violations: [],
    witnesses: { same: [], silent: [] },
  });
});
