import { describe, expect, test } from "vitest";
import { benchHere, GOOD } from "../../../test/contract/bench.ts";
import { postMcp } from "../../../test/contract/mcp_client.ts";
import { legacyMessage, modernMessage } from "../../../test/contract/mcp_messages.ts";
import { rawRequest } from "../../../test/contract/raw.ts";

const call = { name: "show", arguments: GOOD };
const rawCall = (secret: string): string => {
  const { body, headers } = modernMessage("tools/call", call);
  const text = JSON.stringify(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nAccept: application/json\r\nContent-Type: application/json\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
};

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
    const small = await benchHere({ limits: { calls_max: 2, account_share_percent: 100 } });
    const secret = small.customer.key.secret;
    const whole = rawCall(secret);
    for (let bytes = whole.length - 40; bytes <= whole.length; bytes += 4)
      await rawRequest(small.port, whole.slice(0, bytes), { patience_ms: 1 + (bytes % 10) });
    const ask = () => postMcp(small.url, { key: secret, body: legacyMessage("tools/call", call) });
    // The last one was whole: its call may still be running.
    const both = async () => (await Promise.all([ask(), ask()])).map(({ body }) => body.result?.isError ?? null);
    await expect.poll(both, { timeout: 60_000 }).toEqual([false, false]);
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
