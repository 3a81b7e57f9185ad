import { expect, test } from "vitest";
import { arrayLimitOf, RpcError, refusalOf, statedWaitMs } from "./refusal.ts";

const reasonOf = (code: number, message: string): string | null =>
  refusalOf(new RpcError(code, message, null))?.reason ?? null;

test.each([
  [429, "Your app has exceeded its compute units per second capacity"],
  [-32007, "50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com"],
  [-32005, "daily request count exceeded, request rate limited"],
  [-32029, "Too Many Requests"],
  [30, "Request timeout on the free tier, please upgrade your tier to the paid one"],
  [-32000, "trace requests limited to 2/sec"],
  [-32000, "The key exceeds the frequency limit(15), and the query server is suspended for 5s"],
  [-32000, "request rate exceeds the allowed_rps[20], and the query server is suspended for 30s"],
  [-32016, "over rate limit"],
  [-32000, "Too many concurrent requests"],
  [-32000, "Monthly quota exceeded"],
])("%i %s is a rate", (code, message) => {
  expect(reasonOf(code, message)).toBe("rate");
});

test.each([
  [-32000, "Your plan does not include this network"],
  [-32000, "trace_block is not available on the free tier"],
  [-32000, "execution reverted: quota exceeded"],
  [-32601, "the method debug_traceBlockByNumber does not exist/is not available"],
  [-32000, "header not found"],
  [-32000, "missing trie node 0123 (path ) state 0xabc is not available"],
])("%i %s is permanent", (code, message) => {
  expect(reasonOf(code, message)).toBeNull();
});

test.each([
  [-32600, "batch requests are not supported"],
  [-32005, "query returned more than 10000 results"],
  [-32600, "Batch of more than 3 requests are not allowed"],
  [-32000, "response size exceeds the limit of 10485760"],
  [-32000, "block range limit exceeded"],
])("%i %s is a size", (code, message) => {
  expect(reasonOf(code, message)).toBe("size");
});

test.each([
  ["the query server is suspended for 5s", 5_000],
  ["Retry after 250ms", 250],
  ["please try again in 2 minutes", 120_000],
  ['{"rate":{"backoff_seconds":30}}', 30_000],
  ["wait 1.5 seconds", 1_500],
  ["Too Many Requests", 0],
])("%s: %i ms", (text, wait_ms) => {
  expect(statedWaitMs(text)).toBe(wait_ms);
});

test.each([
  ["batch requests are not supported", 1],
  ["Batch of more than 3 requests are not allowed", 3],
  ["batch size is limited to 10", 10],
  ["JSON-RPC arrays are disabled", 1],
  ["batch too large", null],
  ["query returned more than 10000 results", null],
])("%s: arrays of at most %s", (text, limit) => {
  expect(arrayLimitOf(text)).toBe(limit);
});
