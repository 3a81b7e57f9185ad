import { setTimeout as sleep } from "node:timers/promises";
import { partKey } from "../http/idempotency_key.ts";
import * as refusals from "../refusals.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import type { CallParts, ToolCall } from "./call_tool.ts";
import { callsAtOneBlock } from "./shared_blocks.ts";

/** Items of one batch that run at one time. */
const PARALLEL = 4;
const SLOT_AGAIN_MS = 50;

export interface BatchCall extends Omit<ToolCall, "args" | "request"> {
  readonly items: readonly ToolCall["args"][];
  readonly request_id: string;
  /** The deadline of an item, taken when it begins. */
  readonly deadlineOf: () => ToolCall["request"]["deadline"];
  /** No further item begins once it is aborted. */
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
export const callBatch = (batch: BatchCall, parts: CallParts): AsyncGenerator<BatchItem> => {
  const callTool = callsAtOneBlock(parts);
  const { items, request_id, deadlineOf, ends, idempotency_key, ...shared } = batch;
  const run = async (args: ToolCall["args"], index: number): Promise<BatchItem> => {
    const request = { id: `${request_id}.${index}`, deadline: deadlineOf(), call: null };
    const key = partKey(idempotency_key, index);
    const call: ToolCall = { ...shared, args, idempotency_key: key, request };
    return { index, request_id: request.id, answer: await inTurn(() => callTool(call), request.deadline) };
  };
  return inOrder(items, { run, ends });
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

interface OrderedRun<T, R> {
  readonly run: (item: T, index: number) => Promise<R>;
  readonly ends: AbortSignal;
}

/** The results of `run` in the order of `items`; at most PARALLEL run or wait to be taken. */
async function* inOrder<T, R>(items: readonly T[], { run, ends }: OrderedRun<T, R>): AsyncGenerator<R> {
  const started: Promise<R>[] = [];
  const begin = (): void => {
    const item = items[started.length];
    if (item === undefined || ends.aborted) return;
    const running = run(item, started.length);
    // Its error is thrown when its turn comes.
    running.catch(() => undefined);
    started.push(running);
  };
  for (let index = 0; index < PARALLEL; index += 1) begin();
  for (let index = 0; index < started.length; index += 1) {
    const next = started[index];
    if (next !== undefined) yield await next;
    begin();
  }
}
