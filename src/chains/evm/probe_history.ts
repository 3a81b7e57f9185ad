/**
 * The history that a node has of blocks: receipts, traces, state, and its finalized tag. One block may mislead: the
 * newest one may not be traced yet, and a load-balanced node may not have it. The probe therefore tries a few blocks,
 * and a trait that no answer decides is unknown, which differs from missing.
 */
import { fieldsOf, listOf } from "../node/answer.ts";
import type { RpcAnswer } from "../node/json_rpc.ts";
import { isMissingMethod, isMissingState, isNotYet, type RpcError } from "../node/refusal.ts";
import { CALL_TRACER, type EvmTraits, type TraceMethod } from "./traits.ts";
import { countOf, quantity } from "./wire.ts";

type ProbeRequest = (method: string, ...params: unknown[]) => Promise<RpcAnswer>;

/** Distances from the head of the blocks to try, one after the other until one decides. */
const BEHIND = [0, 1, 3, 8];
const TRIES = 3;
/** Messages of providers for methods that are missing, or not in the customer's plan. */
const DENIED =
  /plan|tier|upgrade|subscri|forbidden|unauthori[sz]ed|not allowed|denied|whitelist|disabled|unsupported|not supported/i;
/** Geth refuses to trace the first block; that shows that it would trace any other. */
const FIRST_BLOCK = /genesis is not traceable/i;

/** `unknown`: the node knows the method and did not answer. */
type ProbeFinding = "yes" | "no" | "unknown";

const BUSY = /time.?out|rate|too many|limit/i;

const isDenied = (error: RpcError): boolean =>
  isMissingMethod(error) || (DENIED.test(error.message) && !BUSY.test(error.message));

const isList = (answer: RpcAnswer): boolean => answer.ok && Array.isArray(answer.result);

type HistoryTraits = Pick<EvmTraits, "finalized" | "receipts" | "traces" | "has_trace_block" | "archive" | "unknown">;

export const probeHistory = async (ask: ProbeRequest, head: number): Promise<HistoryTraits> => {
  const debug = await hasMethod((number) => ask("debug_traceBlockByNumber", quantity(number), CALL_TRACER), head);
  const flat = await hasMethod((number) => ask("trace_block", quantity(number)), head);
  const receipts = await hasMethod((number) => ask("eth_getBlockReceipts", quantity(number)), head);
  const final = await finalizedOf(ask, head);
  const state = await hasOldState(ask, head);
  const traces = await tracesBy(ask, { debug, flat, head });
  const unknown = [
    ...(traces.is_sure ? [] : ["traces"]),
    ...(receipts === "unknown" ? ["receipts"] : []),
    ...(state === "unknown" ? ["archive"] : []),
    ...(final === "unknown" ? ["finalized"] : []),
  ];
  return {
    traces: traces.method,
    has_trace_block: flat === "yes",
    receipts: receipts === "no" ? "transaction" : "block",
    finalized: final === "unknown" ? null : final,
    archive: state === "yes",
    unknown,
  };
};

/** Whether a method returns a list for any of a few recent blocks. */
const hasMethod = async (ask: (number: number) => Promise<RpcAnswer>, head: number): Promise<ProbeFinding> => {
  for (const number of recent(head)) {
    const answer = await ask(number);
    if (isList(answer)) return "yes";
    if (answer.ok) continue;
    if (FIRST_BLOCK.test(answer.error.message)) return "yes";
    if (isDenied(answer.error)) return "no";
  }
  return "unknown";
};

const recent = (head: number): number[] => [...new Set(BEHIND.map((behind) => Math.max(0, head - behind)))];

interface TraceSupport {
  readonly debug: ProbeFinding;
  readonly flat: ProbeFinding;
  readonly head: number;
}

/** A method that is known and did not answer is better than none: blocks that it does not trace are marked as such. */
const tracesBy = async (
  ask: ProbeRequest,
  { debug, flat, head }: TraceSupport,
): Promise<{ readonly method: TraceMethod | null; readonly is_sure: boolean }> => {
  if (debug === "yes") return { method: "debug_traceBlockByNumber", is_sure: true };
  if (flat === "yes") return { method: "trace_block", is_sure: true };
  const single = await tracesTransactions(ask, head);
  if (single === "yes") return { method: "debug_traceTransaction", is_sure: true };
  if (debug === "unknown") return { method: "debug_traceBlockByNumber", is_sure: false };
  if (flat === "unknown") return { method: "trace_block", is_sure: false };
  return { method: null, is_sure: true };
};

/** Tries one transaction of a recent block. If these blocks have no transaction, the method counts as missing. */
const tracesTransactions = async (ask: ProbeRequest, head: number): Promise<ProbeFinding> => {
  for (const number of recent(head)) {
    const block = await ask("eth_getBlockByNumber", quantity(number), false);
    if (!block.ok || block.result === null) continue;
    const [hash] = listOf(fieldsOf(block.result, "block").transactions, "transactions");
    if (typeof hash !== "string") continue;
    const answer = await ask("debug_traceTransaction", hash, CALL_TRACER);
    if (answer.ok && typeof answer.result === "object" && answer.result !== null) return "yes";
    if (!answer.ok && isDenied(answer.error)) return "no";
  }
  return "unknown";
};

/** Repeats a call while `decides` returns false for its answer. */
const decided = async (ask: () => Promise<RpcAnswer>, decides: (answer: RpcAnswer) => boolean): Promise<RpcAnswer> => {
  let answer = await ask();
  for (let tries = 1; tries < TRIES && !decides(answer); tries += 1) answer = await ask();
  return answer;
};

const FINALIZED = /finali[sz]ed|tag|invalid|pre-merge|hex string/i;

const finalizedOf = async (ask: ProbeRequest, head: number): Promise<number | null | "unknown"> => {
  const isNone = ({ message }: RpcError): boolean => FINALIZED.test(message) || DENIED.test(message);
  const answer = await decided(
    () => ask("eth_getBlockByNumber", "finalized", false),
    (one) => (one.ok ? one.result !== null : isNone(one.error)),
  );
  if (!answer.ok) return isNone(answer.error) || isMissingMethod(answer.error) ? null : "unknown";
  if (answer.result === null) return null;
  const number = countOf(fieldsOf(answer.result, "finalized block").number, "finalized block number");
  return number <= head ? number : null;
};

/** Whether the node serves the state of the oldest block that it has. */
const hasOldState = async (ask: ProbeRequest, head: number): Promise<ProbeFinding> => {
  const oldest = await oldestBlock(ask, head);
  const isGone = (error: RpcError): boolean => isMissingState(error) && !isNotYet(error);
  const answer = await decided(
    () => ask("eth_getBalance", `0x${"0".repeat(40)}`, quantity(oldest)),
    (one) => one.ok || isGone(one.error),
  );
  if (answer.ok) return typeof answer.result === "string" ? "yes" : "unknown";
  // A node may report a pruned state with the message for an unknown block.
  return isMissingState(answer.error) || isMissingMethod(answer.error) ? "no" : "unknown";
};

/** A chain may start at any height and history may be cut off: bisects for the oldest block, at most 53 calls. */
const oldestBlock = async (ask: ProbeRequest, head: number): Promise<number> => {
  const has = async (number: number): Promise<boolean> => {
    const answer = await ask("eth_getBlockByNumber", quantity(number), false);
    return answer.ok && answer.result !== null;
  };
  let low = Math.min(1, head);
  // Two calls: a single failure would cost a search over the whole chain.
  if ((await has(low)) || (await has(low))) return low;
  let high = head;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (await has(middle)) high = middle;
    else low = middle;
  }
  return high;
};
