/**
 * Inner calls from either trace format. The reader keeps calls that move coins or create code: calls with value,
 * creations, self-destructs. DELEGATECALL runs foreign code on the caller's own balance, CALLCODE pays the caller
 * itself and STATICCALL cannot pay, so none of them moves a coin, but calls below them may. Calls that an error undid
 * are omitted with everything below them. An explicit stack walks the frames, so that depth costs nothing.
 */
import { type Bytes, EMPTY, keccak256 } from "../../lib/bytes.ts";
import type { Block, InternalCall } from "../chain.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import { addressOf, dataOf, quantityOf } from "./wire.ts";

/** A transaction whose trace is expected; the texts are the node's own. */
export interface TraceTarget {
  readonly hash: unknown;
  readonly from: unknown;
}

export interface TransactionTrace {
  /** The outermost call failed. */
  readonly failed: boolean;
  readonly calls: readonly InternalCall[];
}

export type Rewards = Block["issuance"];

/**
 * Reads an answer of `debug_traceBlockByNumber` with the call tracer: one frame tree for each transaction, in order.
 */
export const readCallTracer = (answer: unknown, targets: readonly TraceTarget[]): TransactionTrace[] => {
  const list = listOf(answer, "block trace");
  if (list.length !== targets.length) throw new BadAnswer(`${targets.length} transactions have ${list.length} traces`);
  return list.map((item, i) => {
    const fields = fieldsOf(item, "trace");
    const target = targets[i];
    if (target === undefined) throw new BadAnswer("a trace without a transaction");
    if (fields.txHash !== undefined && fields.txHash !== target.hash)
      throw new BadAnswer("a trace belongs to another transaction");
    if (typeof fields.error === "string" && fields.result === undefined && fields.from === undefined)
      throw new BadAnswer(`a transaction was not traced: ${fields.error.slice(0, 100)}`);
    const root = fields.result === undefined ? fields : fieldsOf(fields.result, "trace");
    if (root.from !== target.from) throw new BadAnswer("a trace has another sender than its transaction");
    return failed(root) ? { failed: true, calls: [] } : { failed: false, calls: innerCalls(root) };
  });
};

const failed = (frame: JsonFields): boolean => frame.error !== undefined && frame.error !== null && frame.error !== "";

const innerCalls = (root: JsonFields): InternalCall[] => {
  const calls: InternalCall[] = [];
  const stack: unknown[] = [];
  pushChildren(root, stack);
  while (stack.length > 0) {
    const frame = fieldsOf(stack.pop(), "call frame");
    if (failed(frame)) continue;
    const call = callOfFrame(frame);
    if (call !== null) calls.push(call);
    pushChildren(frame, stack);
  }
  return calls;
};

/** Reversed, so that the first child is popped first: order of execution. */
const pushChildren = (frame: JsonFields, stack: unknown[]): void => {
  if (frame.calls === undefined || frame.calls === null) return;
  const children = listOf(frame.calls, "calls");
  for (let i = children.length - 1; i >= 0; i -= 1) stack.push(children[i]);
};

const callOfFrame = (frame: JsonFields): InternalCall | null => {
  switch (frame.type) {
    case "CALL": {
      const value = valueIn(frame.value);
      return value === 0n ? null : plainCall("call", frame, value);
    }
    case "CREATE":
    case "CREATE2":
      return {
        ...plainCall(frame.type === "CREATE" ? "create" : "create2", frame, valueIn(frame.value)),
        init_hash: codeHash(frame.input, "init code"),
        code_hash: codeHash(frame.output ?? "0x", "created code"),
      };
    case "SELFDESTRUCT":
      // anvil 1.7.1 (revm-inspectors) writes an empty frame, from 0x0 and without `to`, when the destruction moved
      // nothing.
      if (frame.to === undefined && valueIn(frame.value) === 0n) return null;
      return plainCall("selfdestruct", frame, valueIn(frame.value));
    case "DELEGATECALL":
    case "STATICCALL":
    case "CALLCODE":
      return null;
    default:
      throw new BadAnswer("a call frame of an unknown type");
  }
};

const plainCall = (kind: InternalCall["kind"], frame: JsonFields, value: bigint): InternalCall => ({
  kind,
  sender: addressOf(frame.from, "caller"),
  recipient: addressOf(frame.to, "callee"),
  value,
  init_hash: null,
  code_hash: null,
});

const valueIn = (value: unknown): bigint =>
  value === undefined || value === null || value === "0x0" ? 0n : quantityOf(value, "call value");

const codeHash = (value: unknown, what: string): Bytes => keccak256(value === "0x" ? EMPTY : dataOf(value, what));

interface CollectedCalls {
  readonly calls: InternalCall[];
  has_root: boolean;
  failed: boolean;
  /** Entries deeper than this are below a failed one. */
  undone_below: number;
}

/**
 * Reads an answer of `trace_block`: one flat list in order of execution, each entry with its path, rewards at the end.
 */
export const readTraceBlock = (
  answer: unknown,
  targets: readonly TraceTarget[],
): { traces: TransactionTrace[]; rewards: Rewards } => {
  const collected = targets.map(
    (): CollectedCalls => ({ calls: [], has_root: false, failed: false, undone_below: Number.POSITIVE_INFINITY }),
  );
  const rewards: Rewards[number][] = [];
  for (const item of listOf(answer, "block trace")) {
    const entry = fieldsOf(item, "trace");
    const action = fieldsOf(entry.action, "trace action");
    if (entry.type === "reward") {
      // Erigon repeats the header's withdrawals here.
      if (action.rewardType === "withdrawal") continue;
      const amount = quantityOf(action.value, "reward");
      rewards.push({ kind: "reward", address: addressOf(action.author, "author"), amount });
      continue;
    }
    const place = entry.transactionPosition;
    const into = typeof place === "number" ? collected[place] : undefined;
    const target = typeof place === "number" ? targets[place] : undefined;
    if (into === undefined || target === undefined || entry.transactionHash !== target.hash)
      throw new BadAnswer("a trace belongs to no transaction of the block");
    collect(into, entry, action);
    if (into.has_root && listOf(entry.traceAddress, "trace address").length === 0 && action.from !== target.from)
      throw new BadAnswer("a trace has another sender than its transaction");
  }
  return {
    rewards,
    traces: collected.map((one) => {
      if (!one.has_root) throw new BadAnswer("a transaction has no trace");
      return { failed: one.failed, calls: one.calls };
    }),
  };
};

const collect = (into: CollectedCalls, entry: JsonFields, action: JsonFields): void => {
  const depth = listOf(entry.traceAddress, "trace address").length;
  if (depth > into.undone_below) return;
  into.undone_below = failed(entry) ? depth : Number.POSITIVE_INFINITY;
  if (depth === 0) {
    if (into.has_root) throw new BadAnswer("a transaction has two outermost traces");
    into.has_root = true;
    into.failed = failed(entry);
    return;
  }
  if (!into.has_root) throw new BadAnswer("an inner trace comes before its outermost one");
  if (failed(entry)) return;
  const call = callOfEntry(entry, action);
  if (call !== null) into.calls.push(call);
};

const callOfEntry = (entry: JsonFields, action: JsonFields): InternalCall | null => {
  switch (entry.type) {
    case "call": {
      const value = action.callType === "call" ? valueIn(action.value) : 0n;
      return value === 0n ? null : plainCall("call", action, value);
    }
    case "create": {
      const result = fieldsOf(entry.result, "creation");
      return {
        kind: action.creationMethod === "create2" ? "create2" : "create",
        sender: addressOf(action.from, "creator"),
        recipient: addressOf(result.address, "created contract"),
        value: valueIn(action.value),
        init_hash: codeHash(action.init, "init code"),
        code_hash: codeHash(result.code, "created code"),
      };
    }
    case "suicide":
    case "selfdestruct":
      return {
        kind: "selfdestruct",
        sender: addressOf(action.address, "self-destructed contract"),
        recipient: addressOf(action.refundAddress, "heir"),
        value: valueIn(action.balance),
        init_hash: null,
        code_hash: null,
      };
    default:
      throw new BadAnswer("a trace of an unknown type");
  }
};
