import { describe, expect, test } from "vitest";
import { bench, benchHere, GOOD } from "./bench.ts";
import { type RawReply, rawPost, rawRequest } from "./raw.ts";

const service = await bench({
  accounts: { plans: { business: { monthly_credits: 1e9, keys_max: 9, calls_per_minute: 1e6 } } },
});
const secret = service.customer.key.secret;
const body = JSON.stringify(GOOD);

const expectJson = (reply: RawReply, status: number) => {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers["content-type"]).toBe("application/json");
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.headers["x-content-type-options"]).toBe("nosniff");
  expect(reply.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(typeof JSON.parse(reply.body).detail).toBe("string");
};

describe("what is no HTTP is answered in JSON", () => {
  test.each([
    ["rubbish", "rubbish\r\n\r\n"],
    ["TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown method", "BREW /api/tools HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a header without a colon", "GET /api/tools HTTP/1.1\r\nHost a\r\n\r\n"],
    ["a NUL in a header", "GET /api/tools HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n"],
    ["a length that is no number", "POST /api/tools/show HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n"],
    ["two lengths", "POST /api/tools/show HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
    [
      "length and chunks at once",
      "POST /api/tools/show HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["no Host", "GET /api/tools HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ])("%s: 400", async (_, text) => {
    expectJson(await rawRequest(service.port, Buffer.from(text, "latin1")), 400);
  });

  test("a broken chunk in the body: 400", async () => {
    const head = `POST /api/tools/show HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expectJson(await rawRequest(service.port, head, { later: ["zz\r\n"], pause_ms: 100 }), 400);
  });

  test("headers or a path beyond 16 KiB: 431", async () => {
    expectJson(
      await rawRequest(service.port, `GET /api/tools HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`),
      431,
    );
    expectJson(await rawRequest(service.port, `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`), 431);
  });

  test("chunk extensions beyond their limit: 413", async () => {
    const head = `POST /api/tools/show HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expectJson(
      await rawRequest(service.port, head, { later: [`1;${"e".repeat(20_000)}\r\na\r\n`], pause_ms: 100 }),
      413,
    );
  });
});

test("who is slow with headers or body gets 408", async () => {
  const slow = await benchHere({ limits: { headers_timeout_ms: 300, request_timeout_ms: 600 } });
  const head = `POST /api/tools/show HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${slow.customer.key.secret}\r\n`;
  expectJson(await rawRequest(slow.port, head), 408);
  expectJson(await rawRequest(slow.port, `${head}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`), 408);
});

test("two requests in one piece get two answers in order", async () => {
  const first = rawPost("/api/tools/show", secret, body).replace("Connection: close\r\n", "");
  const { text } = await rawRequest(service.port, first + rawPost("/api/tools/none", secret, body));
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
  expect(statuses).toEqual(["200", "404"]);
});

test("rubbish behind a running call does not take its answer", async () => {
  const first = rawPost("/api/tools/wait", secret, body).replace("Connection: close\r\n", "");
  const reply = await rawRequest(service.port, `${first}rubbish\r\n\r\n`);
  expect(reply.status).toBe(200);
  expect(reply.body).toContain('"type":"shown"');
});

test("a body that the client does not send to its end is dropped without an answer or a charge", async () => {
  const before = (await service.ask("/api/tools")).headers.get("x-credits-remaining");
  const cut = rawPost("/api/tools/show", secret, body).slice(0, -5);
  expect((await rawRequest(service.port, cut, { patience_ms: 200 })).text).toBe("");
  expect((await service.ask("/api/tools")).headers.get("x-credits-remaining")).toBe(before);
});

test("clients that leave at any moment leave no call behind", async () => {
  const small = await benchHere({ limits: { calls_max: 2, account_share_percent: 100 } });
  const whole = rawPost("/api/tools/show", small.customer.key.secret, body);
  for (let bytes = whole.length - 40; bytes <= whole.length; bytes += 4)
    await rawRequest(small.port, whole.slice(0, bytes), { patience_ms: 1 + (bytes % 10) });
  // The last one was whole: its call may still be running.
  const both = async () => (await Promise.all([small.post("show"), small.post("show")])).map(({ status }) => status);
  await expect.poll(both, { timeout: 60_000 }).toEqual([200, 200]);
  expect(await small.store.ledger.verify()).toEqual([]);
});

test("Expect: 100-continue is heard, any other expectation is ignored", async () => {
  const expecting = (what: string) =>
    rawPost("/api/tools/show", secret, body).replace("Host:", `Expect: ${what}\r\nHost:`);
  expect((await rawRequest(service.port, expecting("100-continue"))).text).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/,
  );
  expect((await rawRequest(service.port, expecting("wonders"))).status).toBe(200);
});

test("HTTP/1.0 and a whole address in the request line are served", async () => {
  expect((await rawRequest(service.port, "GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
  const whole = "GET http://a/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  expect((await rawRequest(service.port, whole)).status).toBe(200);
});
