/**
 * The whole call tree of one transaction as a list in order of execution, from either trace format, including calls
 * that moved nothing and calls that failed. An explicit stack walks the frames, so that depth costs nothing.
 */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf, type JsonFields, listOf } from "../node/answer.ts";
import type { CallKind, TracedCall } from "../transaction_details.ts";
import { addressOf, dataOf, quantityOf, recipientOf } from "./wire.ts";

/** Longest text of a node about a failure; it is shown, not parsed. */
const ERROR_LENGTH_MAX = 200;

const KINDS: Readonly<Record<string, CallKind>> = {
  CALL: "call",
  DELEGATECALL: "delegatecall",
  STATICCALL: "staticcall",
  CALLCODE: "callcode",
  CREATE: "create",
  CREATE2: "create2",
  SELFDESTRUCT: "selfdestruct",
};

const kindOf = (name: unknown): CallKind => {
  const kind = typeof name === "string" ? KINDS[name.toUpperCase()] : undefined;
  if (kind === undefined) throw new BadAnswer("a call of an unknown type");
  return kind;
};

const errorOf = (value: unknown): string | null => {
  if (value === undefined || value === null || value === "") return null;
  return typeof value === "string" ? value.slice(0, ERROR_LENGTH_MAX) : "failed";
};

const bytesIn = (value: unknown, what: string): Bytes =>
  value === undefined || value === null || value === "0x" ? EMPTY : dataOf(value, what);

const valueIn = (value: unknown): bigint =>
  value === undefined || value === null ? 0n : quantityOf(value, "call value");

interface PendingFrame {
  readonly frame: unknown;
  readonly depth: number;
  readonly is_undone: boolean;
}

/** Reads an answer of `debug_traceTransaction` with the call tracer. @throws BadAnswer */
export const framesOfTracer = (answer: unknown): readonly TracedCall[] => {
  const calls: TracedCall[] = [];
  const stack: PendingFrame[] = [{ frame: answer, depth: 0, is_undone: false }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const frame = fieldsOf(next.frame, "call frame");
    const error = errorOf(frame.error);
    const is_undone = next.is_undone || error !== null;
    const kind = kindOf(frame.type);
    calls.push({
      depth: next.depth,
      kind,
      sender: addressOf(frame.from, "caller"),
      recipient: recipientOf(frame.to, "callee"),
      value: valueIn(frame.value),
      input: bytesIn(frame.input, "call input"),
      output: bytesIn(frame.output, "call output"),
      error,
      is_undone,
    });
    const inner = frame.calls === undefined || frame.calls === null ? [] : listOf(frame.calls, "calls");
    // Reversed, so that the first child is popped first: order of execution.
    for (let i = inner.length - 1; i >= 0; i -= 1) stack.push({ frame: inner[i], depth: next.depth + 1, is_undone });
  }
  return calls;
};

/**
 * Reads an answer of `trace_transaction`: one flat list in order of execution, each entry with its path. @throws
 * BadAnswer
 */
export const framesOfEntries = (answer: unknown): readonly TracedCall[] => {
  // Calls deeper than this are below a failed one.
  let undone_below = Number.POSITIVE_INFINITY;
  return listOf(answer, "transaction trace").map((item) => {
    const entry = fieldsOf(item, "trace");
    const depth = listOf(entry.traceAddress, "trace address").length;
    const error = errorOf(entry.error);
    if (depth <= undone_below) undone_below = error === null ? Number.POSITIVE_INFINITY : depth;
    const is_undone = error !== null || depth > undone_below;
    return { depth, error, is_undone, ...callOf(entry) };
  });
};

type FrameCall = Omit<TracedCall, "depth" | "error" | "is_undone">;

const callOf = (entry: JsonFields): FrameCall => {
  const action = fieldsOf(entry.action, "trace action");
  // A failed call may come without a result.
  const result = entry.result === undefined || entry.result === null ? {} : fieldsOf(entry.result, "trace result");
  switch (entry.type) {
    case "call":
      return {
        kind: kindOf(action.callType),
        sender: addressOf(action.from, "caller"),
        recipient: recipientOf(action.to, "callee"),
        value: valueIn(action.value),
        input: bytesIn(action.input, "call input"),
        output: bytesIn(result.output, "call output"),
      };
    case "create":
      return {
        kind: action.creationMethod === "create2" ? "create2" : "create",
        sender: addressOf(action.from, "creator"),
        recipient: recipientOf(result.address, "created contract"),
        value: valueIn(action.value),
        input: bytesIn(action.init, "init code"),
        output: bytesIn(result.code, "created code"),
      };
    case "suicide":
    case "selfdestruct":
      return {
        kind: "selfdestruct",
        sender: addressOf(action.address, "self-destructed contract"),
        recipient: recipientOf(action.refundAddress, "heir"),
        value: valueIn(action.balance),
        input: EMPTY,
        output: EMPTY,
      };
    default:
      throw new BadAnswer("a trace of an unknown type");
  }
};
