import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bench, benchHere, GOOD } from "./bench.ts";
import { legacyMessage, MODERN, modernMessage, postMcp } from "./mcp_client.ts";
import { rawRequest } from "./raw.ts";

const service = await bench({
  accounts: { plans: { business: { monthly_credits: 1e9, keys_max: 9, calls_per_minute: 1e6 } } },
});
const key = service.customer.key.secret;

const call = { name: "show", arguments: GOOD };
const rawCall = (secret: string): string => {
  const { body, headers } = modernMessage("tools/call", call);
  const text = JSON.stringify(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nAccept: application/json\r\nContent-Type: application/json\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
};

describe("nothing that a caller sends is a 5xx or no JSON", () => {
  const method = fc.oneof(
    fc.constantFrom(
      "initialize",
      "ping",
      "tools/list",
      "tools/call",
      "server/discover",
      "logging/setLevel",
      "tasks/get",
    ),
    fc.string({ maxLength: 20 }),
  );
  const params = fc.oneof(
    fc.constant({ ...call }),
    fc.record(
      { name: fc.constantFrom("show", "x"), arguments: fc.jsonValue(), _meta: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  );
  const id = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, true, 1.5, {}));
  const message = fc.record(
    { jsonrpc: fc.constantFrom("2.0", "1.0", 2), id, method, params },
    { requiredKeys: ["method"] },
  );
  const mutatedModern = fc
    .record(
      {
        name: fc.constantFrom("show", "x"),
        arguments: fc.jsonValue(),
        _meta: fc.dictionary(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: ["name"] },
    )
    .map((drawn) => modernMessage("tools/call", drawn).body);
  const body = fc.oneof(
    fc.constant(modernMessage("tools/call", call).body),
    fc.constant({ jsonrpc: "2.0", method: "notifications/initialized" }),
    message,
    mutatedModern,
    fc.array(message, { maxLength: 3 }),
    fc.json(),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
  const visible = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,40}$/);
  const oddHeaders = fc.record(
    {
      accept: fc.oneof(fc.constant("application/json"), visible),
      "content-type": fc.oneof(fc.constantFrom("application/json; charset=utf-8", "text/plain"), visible),
      "mcp-protocol-version": fc.oneof(fc.constantFrom(MODERN, "2025-11-25"), visible),
      "mcp-method": fc.oneof(fc.constantFrom("tools/call", "ping"), visible),
      "mcp-name": fc.oneof(fc.constantFrom("show", "=?base64?c2hvdw==?="), visible),
      "mcp-session-id": visible,
      "mcp-param-x": visible,
      "idempotency-key": visible,
      "last-event-id": visible,
    },
    { requiredKeys: [] },
  );
  const headers = fc.oneof(fc.constant({}), fc.constant(modernMessage("tools/call", call).headers), oddHeaders);

  test("whatever the message and the headers (1,500 requests)", async () => {
    const seen = new Map<number, number>();
    let results = 0;
    await fc.assert(
      fc.asyncProperty(body, headers, async (sent, extra) => {
        const reply = await postMcp(service.url, { key, body: sent, headers: extra });
        seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
        if (reply.body?.result !== undefined) results += 1;
        // 202 is the answer to a notification and has no body; the parser refused everything else that is not JSON.
        expect([200, 202, 400, 404, 406, 415]).toContain(reply.status);
        if (reply.text !== "") expect(reply.headers.get("content-type")).toBe("application/json");
      }),
      { numRuns: 1_500, endOnFailure: true },
    );
    // The draw must reach every side, or it shows nothing.
    for (const status of [200, 202, 400]) expect(seen.get(status) ?? 0, String(status)).toBeGreaterThan(0);
    expect(results).toBeGreaterThan(20);
  });

  test("whatever bytes arrive on the socket (200 connections)", async () => {
    const whole = rawCall(key);
    const mutated = fc
      .tuple(fc.nat(whole.length), fc.nat(20), fc.string({ unit: "binary", maxLength: 20 }))
      .map(([at, cut, more]) => whole.slice(0, at) + more + whole.slice(at + cut));
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        const reply = await rawRequest(service.port, text, { patience_ms: 50 });
        if (reply.text === "") return;
        answered += 1;
        expect(reply.status, reply.text).toBeLessThan(500);
        expect(reply.headers["content-type"] ?? "application/json").toBe("application/json");
      }),
      { numRuns: 200, endOnFailure: true },
    );
    expect(answered).toBeGreaterThan(50);
  });

  test("and the ledger is whole after it", async () => {
    expect(await service.store.ledger.verify()).toEqual([]);
  });
});

describe("a client that goes away changes nothing", () => {
  test("its call runs to the end and is charged once", async () => {
    const other = await benchHere();
    const secret = other.customer.key.secret;
    const gone = rawCall(secret).replaceAll("show", "wait").replace("Accept:", "Idempotency-Key: once\r\nAccept:");
    expect((await rawRequest(other.port, gone, { patience_ms: 100 })).text).toBe("");
    const again = {
      ...modernMessage("tools/call", { ...call, name: "wait", _meta: { "assay/idempotency_key": "once" } }),
    };
    const state = async () =>
      (await postMcp(other.url, { key: secret, ...again })).body.result.structuredContent.detail.state;
    await expect.poll(state, { timeout: 60_000 }).toBe("completed");
    expect((await other.store.accounts.show(other.customer.account.id)).credits_used_mcp).toBe(25);
    expect(await other.store.ledger.verify()).toEqual([]);
  });

  test("cancelling is heard and changes nothing either", async () => {
    const other = await benchHere();
    const secret = other.customer.key.secret;
    const running = postMcp(other.url, { key: secret, ...modernMessage("tools/call", { ...call, name: "wait" }) });
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    expect((await postMcp(other.url, { key: secret, body: cancelled })).status).toBe(202);
    expect((await running).body.result.isError).toBe(false);
    expect((await other.store.accounts.show(other.customer.account.id)).credits_used_mcp).toBe(25);
  });

  test("clients that leave at any byte leave no call behind", async () => {
    const small = await benchHere({ limits: { calls_max: 2 } });
    const secret = small.customer.key.secret;
    const whole = rawCall(secret);
    for (let bytes = whole.length - 40; bytes <= whole.length; bytes += 4)
      await rawRequest(small.port, whole.slice(0, bytes), { patience_ms: 1 + (bytes % 10) });
    const both = await Promise.all(
      [1, 2].map(() => postMcp(small.url, { key: secret, body: legacyMessage("tools/call", call) })),
    );
    expect(both.map(({ body }) => body.result.isError)).toEqual([false, false]);
    expect(await small.store.ledger.verify()).toEqual([]);
  });
});

test("stopping refunds what does not finish in time, as an error of the call", async () => {
  const other = await benchHere({ limits: { closing_grace_ms: 100 } });
  const secret = other.customer.key.secret;
  const running = postMcp(other.url, { key: secret, body: legacyMessage("tools/call", { ...call, name: "hang" }) });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await other.rest.close();
  const { body } = await running;
  expect(body.result).toMatchObject({
    isError: true,
    structuredContent: { detail: "The service is stopping. Nothing is charged; try again in a moment." },
    _meta: { "assay/credits_charged": 0 },
  });
  expect(await other.store.ledger.verify()).toEqual([]);
});
