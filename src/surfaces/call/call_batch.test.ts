import { expect, test } from "vitest";
import * as refusals from "../refusals.ts";
import { type BatchCall, callBatch } from "./call_batch.ts";
import type { SharedCallParts } from "./shared_blocks.ts";

test("a batch whose process stops has an answer per item all the same", async () => {
  const items = Array.from({ length: 9 }, (_, at) => ({ at }));
  const batch = { items, request_id: "r", idempotency_key: null, deadlineOf: () => null, ends: AbortSignal.abort() };
  // No item begins, so nothing else of the parts is used.
  const parts = { call: {}, failure: () => refusals.internal };
  const found = [];
  for await (const item of callBatch(batch as unknown as BatchCall, parts as unknown as SharedCallParts))
    found.push(item);
  expect(found).toEqual(items.map((_, index) => ({ index, request_id: `r.${index}`, answer: refusals.closing })));
});
