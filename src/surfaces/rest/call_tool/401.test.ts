import { expect, test } from "vitest";
import { bench, GOOD } from "../../../../test/contract/bench.ts";

const service = await bench();
const HEADER = "The Authorization header is missing or malformed: send 'Authorization: Bearer <API_KEY>'";

const knock = (authorization: string | null, path = "/api/tools/show") =>
  service.ask(path, {
    method: path === "/api/tools" ? "GET" : "POST",
    key: null,
    headers: authorization === null ? {} : { authorization },
  });

test.each([null, "", "Bearer", "Bearer ", "Basic YTpi", "bearer", "svc_live_x", "Bearer a b"])(
  "%j is no Authorization header, on discovery and on tools",
  async (authorization) => {
    for (const path of ["/api/tools", "/api/tools/show", "/api/tools/nothing"]) {
      const { status, body, headers } = await knock(authorization, path);
      expect({ status, body }).toEqual({ status: 401, body: { detail: HEADER } });
      expect(headers.get("www-authenticate")).toBe("Bearer");
    }
  },
);

test("an unknown, a mistyped, a revoked and a wrongly scoped key get one identical text", async () => {
  const { keys } = service.store;
  const account_id = service.customer.account.id;
  const mcp = await keys.create({ account_id, scopes: ["mcp:call"] });
  const revoked = await keys.create({ account_id, scopes: ["api:call"] });
  await keys.revoke(revoked.id);
  const mistyped = `${service.customer.key.secret.slice(0, -1)}!`;
  const texts = new Set<string>();
  for (const secret of [`svc_live_${"0".repeat(38)}`, mistyped, mcp.secret, revoked.secret]) {
    const reply = await knock(`Bearer ${secret}`);
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    texts.add(reply.text);
  }
  expect([...texts]).toEqual(['{"detail":"The API key is not valid for this service"}']);
});

test("the refusal of a replaced secret says so, unless its scope was another or the key is revoked", async () => {
  const { keys } = service.store;
  const account_id = service.customer.account.id;
  const rotated = await keys.create({ account_id, scopes: ["api:call"] });
  await keys.rotate(rotated.id);
  const reply = await knock(`Bearer ${rotated.secret}`);
  expect(reply).toMatchObject({
    status: 401,
    body: { detail: "The secret of this API key was replaced by a rotation and has ended: send the new one" },
  });
  expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  const mcp = await keys.create({ account_id, scopes: ["mcp:call"] });
  await keys.rotate(mcp.id);
  await keys.revoke(rotated.id);
  for (const secret of [mcp.secret, rotated.secret])
    expect((await knock(`Bearer ${secret}`)).text).toBe('{"detail":"The API key is not valid for this service"}');
});

test("a refusal has no credit headers", async () => {
  const { headers } = await knock(null);
  for (const name of ["x-credits-charged", "x-credits-remaining", "x-credit-catalog-version"])
    expect(headers.get(name)).toBeNull();
});

test("authentication comes before the tool, the body and the envelope", async () => {
  const faults = { method: "POST", key: "nonsense", headers: { "idempotency-key": "", "content-type": "x" } };
  for (const path of ["/api/tools/show", "/api/tools/nothing"])
    expect((await service.ask(path, { ...faults, body: "{" })).status).toBe(401);
});

test("the scheme is read in any case and one more space is no fault of the key", async () => {
  const { status } = await service.ask("/api/tools/show", {
    method: "POST",
    key: null,
    body: GOOD,
    headers: { authorization: `BEARER ${service.customer.key.secret}`, "content-type": "application/json" },
  });
  expect(status).toBe(200);
});
