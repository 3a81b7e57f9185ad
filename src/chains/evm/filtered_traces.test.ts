import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { NodeRefusal, RpcError } from "../node/refusal.ts";
import { openTraceFilter } from "./filtered_traces.ts";
import type { EvmRpcPool } from "./pool.ts";

const signal = new AbortController().signal;
const ADDRESSES = [hex("aa".repeat(20))];
const RANGE = { from: 1, to: 100 };

/** A filter over endpoints that all fail like this; a real node's answers are in anvil.test.ts. */
const failing = (cause: unknown) => {
  const count = { requests: 0 };
  const pool = {
    known: [{ has_trace_block: true }],
    run: async () => {
      count.requests += 1;
      throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "no node answers", cause });
    },
  };
  // Only these members are used.
  return { count, filter: openTraceFilter(pool as unknown as EvmRpcPool) };
};

test("a method that no node has is not requested again", async () => {
  const { count, filter } = failing(new RpcError(-32601, "the method trace_filter does not exist", undefined));
  expect(await filter(ADDRESSES, RANGE, signal)).toBeNull();
  const { requests } = count;
  expect(await filter(ADDRESSES, RANGE, signal)).toBeNull();
  expect([requests, count.requests]).toEqual([1, 1]);
});

test("after another refusal the method is requested again", async () => {
  const { count, filter } = failing(new RpcError(-32000, "trace index is not ready", undefined));
  expect([await filter(ADDRESSES, RANGE, signal), await filter(ADDRESSES, RANGE, signal)]).toEqual([null, null]);
  expect(count.requests).toBe(2);
});

test.each([
  ["a node that does not answer", new Error("fetch failed")],
  ["a rate", new NodeRefusal("rate", "too many requests")],
])("%s says nothing about the method: the search fails, and is tried again", async (_, cause) => {
  const { filter } = failing(cause);
  await expect(filter(ADDRESSES, RANGE, signal)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});
