/** Traces of one block from one node: by the whole block in either format, and then transaction by transaction. */
import { BadAnswer, fieldsOf } from "../node/answer.ts";
import type { RpcAnswer, RpcCall } from "../node/json_rpc.ts";
import { isMissingMethod, isMissingState, type RpcError } from "../node/refusal.ts";
import type { RawBlock } from "./blocks.ts";
import { isBookkeeping } from "./bookkeeping.ts";
import { sliceIn } from "./scan/answers.ts";
import type { ScannedBlock } from "./scan/records.ts";
import { CALL_TRACER, type EvmTraits, type TraceMethod } from "./traits.ts";
import { quantity } from "./wire.ts";

/** Messages of a load-balanced node for a block that one of its members does not have yet. */
const NOT_YET = /header not found|block\b.{0,70}\bnot found|unknown block|could not find block|resource not found/i;

/** The node has pruned the state of this block, or no longer has the method: a retry gives the same. */
export const isFinal = (error: RpcError): boolean =>
  !NOT_YET.test(error.message) && (isMissingState(error) || isMissingMethod(error));

/** An answer that a retry on the same node may change. */
export const isUnsettled = (answer: RpcAnswer): boolean =>
  answer.ok ? answer.result === null : !isFinal(answer.error);

/** Trace methods of a node, in order of preference; each is tried after the one before has failed. */
export const methodsOf = ({ traces, has_trace_block }: EvmTraits): readonly TraceMethod[] => {
  if (traces === null) return [];
  const flat: readonly TraceMethod[] = has_trace_block ? ["trace_block"] : [];
  return [...new Set<TraceMethod>([traces, ...flat, "debug_traceTransaction"])];
};

/** Calls for the traces of one block. Calls by transaction need the block itself. */
export const callsOf = (method: TraceMethod, number: number, block: ScannedBlock | null): readonly RpcCall[] => {
  if (method === "trace_block") return [{ method, params: [quantity(number)] }];
  if (method === "debug_traceBlockByNumber") return [{ method, params: [quantity(number), CALL_TRACER] }];
  const traced = (block?.transactions ?? []).filter((fields) => !isBookkeeping(fields));
  return traced.map(({ hash }) => ({ method, params: [hash, CALL_TRACER] }));
};

/** Traces from the answers to `callsOf`, or the error of the first call that failed. */
export const tracesIn = (
  method: TraceMethod,
  calls: readonly RpcCall[],
  answers: readonly RpcAnswer[],
): RawBlock["traces"] | RpcError | BadAnswer => {
  const results: unknown[] = [];
  for (const answer of answers) {
    if (!answer.ok) return answer.error;
    const slice = sliceIn(answer.result);
    if (slice === null) return new BadAnswer("traces are not there", "traces");
    results.push(slice.json());
  }
  if (method !== "debug_traceTransaction") return { method, answer: results[0] };
  const answer = results.map((result, i) => ({ txHash: calls[i]?.params[0], result: fieldsOf(result, "trace") }));
  return { method: "debug_traceBlockByNumber", answer };
};
