import { expect, test } from "vitest";
import { checkHttp, retryAfterMs } from "./http_answer.ts";
import { NodeRefusal } from "./refusal.ts";

const NOW = Date.parse("Wed, 21 Oct 2015 07:28:00 GMT");

test.each([
  ["30", 30_000],
  ["0.5", 500],
  ["Wed, 21 Oct 2015 07:28:10 GMT", 10_000],
  ["Wed, 21 Oct 2015 07:00:00 GMT", 0],
  ["soon", 0],
  [undefined, 0],
])("Retry-After %s is %i ms", (header, wait_ms) => {
  expect(retryAfterMs(header, NOW)).toBe(wait_ms);
});

const refusalOf = (status: number, body: unknown, headers = {}): unknown => {
  const answer = { status, headers, bytes: Buffer.from(JSON.stringify(body)), url: new URL("http://node.example") };
  try {
    checkHttp(answer);
    return null;
  } catch (error) {
    return error instanceof NodeRefusal ? [error.reason, error.wait_ms] : String(error);
  }
};

test("429, and 403 and 503 whose words or Retry-After say so, are a rate with its wait", () => {
  expect(refusalOf(429, { error: { message: "slow down" } }, { "retry-after": "7" })).toEqual(["rate", 7_000]);
  const suspended = { Error: "The key exceeds the frequency limit(15), and the query server is suspended for 5s" };
  expect(refusalOf(403, suspended)).toEqual(["rate", 5_000]);
  expect(refusalOf(503, suspended)).toEqual(["rate", 5_000]);
  expect(refusalOf(503, {}, { "retry-after": "2" })).toEqual(["rate", 2_000]);
  expect(refusalOf(503, {})).toBe("BadAnswer: HTTP 503");
  expect(refusalOf(403, { error: { message: "Your plan does not include this network" } })).toBe(
    "BadAnswer: HTTP 403: Your plan does not include this network",
  );
});

test("an error of JSON-RPC is read with any status, unless the key is rejected", () => {
  expect(refusalOf(500, { error: { code: -32000, message: "header not found" } })).toBeNull();
  expect(refusalOf(403, { error: { code: -32601, message: "method trace_block is not whitelisted" } })).toBeNull();
  expect(refusalOf(401, { error: { code: -32000, message: "invalid key" } })).toBe("BadAnswer: HTTP 401: invalid key");
});
