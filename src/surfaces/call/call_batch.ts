import { setTimeout as sleep } from "node:timers/promises";
import { partKey } from "../http/idempotency_key.ts";
import * as refusals from "../refusals.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import type { ToolCall } from "./call_tool.ts";
import { callsAtOneBlock, type SharedCallParts } from "./shared_blocks.ts";

/** Items of one batch that run at one time. */
const PARALLEL = 4;
const SLOT_AGAIN_MS = 50;

export interface BatchCall extends Omit<ToolCall, "args" | "request"> {
  readonly items: readonly ToolCall["args"][];
  readonly request_id: string;
  /** The deadline of an item, taken when it begins. */
  readonly deadlineOf: () => ToolCall["request"]["deadline"];
  /** Items that begin once it is aborted are refused. */
  readonly ends: AbortSignal;
}

export interface BatchItem {
  readonly index: number;
  /** Id of this item in the ledger and for charts. */
  readonly request_id: string;
  readonly answer: SurfaceResponse;
}

/**
 * Calls a tool once per item, a few at a time, as of one block per network. Each item is charged, settled and refunded by itself, under
 * `<Idempotency-Key>.<index>`.
 * @returns an answer per item, in their order, as soon as it and all before it are ready.
 */
export const callBatch = (batch: BatchCall, parts: SharedCallParts): AsyncGenerator<BatchItem> => {
  const callTool = callsAtOneBlock(parts);
  const { items, request_id, deadlineOf, ends, idempotency_key, ...shared } = batch;
  const run = async (args: ToolCall["args"], index: number): Promise<BatchItem> => {
    const request = { id: `${request_id}.${index}`, deadline: deadlineOf(), call: null };
    const item = { index, request_id: request.id };
    if (ends.aborted) return { ...item, answer: refusals.closing };
    const call: ToolCall = { ...shared, args, idempotency_key: partKey(idempotency_key, index), request };
    return { ...item, answer: await inTurn(() => callTool(call), request.deadline) };
  };
  return inOrder(items, run);
};

/** Waits for a slot where a single call is refused: other calls of the account, and of the batch itself, take slots. */
const inTurn = async (
  call: () => Promise<SurfaceResponse>,
  deadline: ToolCall["request"]["deadline"],
): Promise<SurfaceResponse> => {
  for (;;) {
    const answer = await call();
    const is_refused = answer === refusals.shareTaken || answer === refusals.overloaded;
    if (!is_refused || !deadline.mayBegin()) return answer;
    await sleep(SLOT_AGAIN_MS);
  }
};

/** The results of `run`, which does not throw, in the order of `items`; at most PARALLEL run or wait to be taken. */
async function* inOrder<T, R>(items: readonly T[], run: (item: T, index: number) => Promise<R>): AsyncGenerator<R> {
  const ahead: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    ahead.push(run(item, index));
    if (ahead.length < PARALLEL) continue;
    const next = ahead.shift();
    if (next !== undefined) yield await next;
  }
  for (const next of ahead) yield await next;
}
