import { expect, test } from "vitest";
import { bench, creditsOf, GOOD } from "./bench.ts";
import { rawPost, rawRequest } from "./raw.ts";

// Each reply that the bench takes is checked for Content-Type, Cache-Control, nosniff, X-Request-Id and CORS.
const service = await bench();

test("the service generates a new request id for each request", async () => {
  const ids = new Set<string | null>();
  for (let call = 0; call < 5; call += 1)
    ids.add((await service.ask("/api/tools", { headers: { "x-request-id": "theirs" } })).headers.get("x-request-id"));
  expect(ids.size).toBe(5);
  expect(ids).not.toContain("theirs");
});

test("every authenticated answer states the charge, the remaining credits and the price version", async () => {
  const replies = [
    await service.ask("/api/tools"),
    await service.post("show"),
    await service.post("nothing"),
    await service.post("show", "{"),
    await service.post("show", "[".repeat(40)),
    await service.post("show", { page: 0 }),
    await service.post("fail_softly"),
    await service.post("break_loudly"),
    await service.post("show", GOOD, { headers: { "x-credit-catalog-version": "x" } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404, 422, 400, 422, 200, 500, 409]);
  expect(replies.map((reply) => creditsOf(reply).charged)).toEqual([0, 3, 0, 0, 0, 0, 0, 0, 0]);
  for (const reply of replies.slice(1)) expect(creditsOf(reply).remaining, String(reply.status)).toBe(499_997);
  expect(new Set(replies.map((reply) => creditsOf(reply).version)).size).toBe(1);
});

test("Authorization sent twice is malformed, even if one is valid", async () => {
  const { secret } = service.customer.key;
  const text = rawPost("/api/tools/show", secret, JSON.stringify(GOOD));
  const reply = await rawRequest(service.port, text.replace("\r\n\r\n", "\r\nAuthorization: Bearer other\r\n\r\n"));
  expect(reply.status).toBe(401);
});

test("Origin gets no CORS header and a preflight is 405", async () => {
  const origin = { origin: "https://example.org" };
  expect((await service.post("show", GOOD, { headers: origin })).headers.get("access-control-allow-origin")).toBeNull();
  expect((await service.ask("/api/tools/show", { method: "OPTIONS", headers: origin })).status).toBe(405);
});

test("no answer names the server's software", async () => {
  const { headers } = await service.ask("/api/tools");
  expect(headers.get("server")).toBeNull();
  expect(headers.get("x-powered-by")).toBeNull();
});

test("no answer of a run and no metric contains the key", async () => {
  const { secret } = service.customer.key;
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const replies = [await service.post("show"), await service.post(secret), await service.post("show", { [secret]: 1 })];
  expect(metrics).not.toContain(secret);
  expect(replies[0]?.text).not.toContain(secret);
  // An error repeats a misplaced value of the caller, but never the headers.
  expect([...(replies[0]?.headers.values() ?? [])].join()).not.toContain(secret);
});

test("operations need no key and reveal only intended facts", async () => {
  expect((await service.ask("/healthz", { key: null })).body).toEqual({ status: "ok" });
  const ready = await service.ask("/readyz", { key: null });
  expect({ status: ready.status, body: ready.body }).toEqual({
    status: 200,
    body: {
      status: "ready",
      not_ready: [],
      checks: {
        accounts: true,
        facts: true,
        networks: {
          demo: {
            ...{ is_ready: true, state: "following", trouble: null, lag_seconds: expect.any(Number) },
            ...{ head: 101, indexed: 100, lag_blocks: 1, verified: "full", gaps: [] },
            priced_percent: null,
          },
        },
      },
    },
  });
  await service.post("show");
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(
    /^assay_http_requests_total\{route="\/api\/tools\/:tool_name",status="200",tool="show"\} \d+$/m,
  );
  expect(metrics).toMatch(/^assay_calls_total\{tool="show",ending="done"\} \d+$/m);
  expect(metrics).toMatch(/^assay_calls_total\{tool="fail_softly",ending="refunded:check_incomplete"\} 1$/m);
  expect(metrics).toMatch(/^assay_network_lag_blocks\{network="demo"\} 1$/m);
  expect(metrics).not.toContain("nothing");
});
