/** Payments of accounts inside transactions, from nodes that filter traces by address (`trace_filter`). */
import type { Hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { fieldsOf, type JsonFields } from "../node/answer.ts";
import { isMissingMethod, NodeRefusal, RpcError } from "../node/refusal.ts";
import { type BlockSpan, LogSearch, type RangeMethod, WIDEST } from "./log_search.ts";
import type { NamedIn } from "./past_logs.ts";
import type { EvmRpcPool } from "./pool.ts";
import { countOf, quantity } from "./wire.ts";

/** Some nodes filter the traces of few blocks only: a search with more requests is given up. */
const REQUESTS_MAX = 256;
/** Sender and recipient. */
const FILTERS = 2;

const TRACES: RangeMethod = {
  name: "trace_filter",
  rows: "traces",
  // A plain number, unlike those of other methods.
  blockIn: ({ blockNumber }) =>
    countOf(typeof blockNumber === "number" ? quantity(blockNumber) : blockNumber, "trace block"),
  accepts: ({ has_trace_block }) => has_trace_block,
};

export interface FilteredTraces {
  /** The accounts that may have been paid or have paid there. */
  readonly named: readonly NamedIn[];
  /** Calls that this took. */
  readonly requests: number;
}

/** Null: no node filters traces of this range. */
export type TraceFilter = (
  addresses: readonly Hex[],
  range: BlockSpan,
  signal: AbortSignal,
) => Promise<FilteredTraces | null>;

/** A call without coins pays nothing. */
const pays = ({ type }: JsonFields, action: JsonFields): boolean =>
  type !== "call" ||
  ((action.callType === "call" || action.callType === "callcode") && !/^0x0*$/.test(`${action.value}`));

/** The accounts of an action: of a call, a creation, a self-destruct (`address`, `refundAddress`) and a reward (`author`). */
const partiesOf = (trace: JsonFields, action: JsonFields): readonly unknown[] => {
  const created = trace.type === "create" && trace.result !== null && trace.result !== undefined;
  return [
    ...[action.from, action.to, action.address, action.refundAddress, action.author],
    ...(created ? [fieldsOf(trace.result, "trace result").address] : []),
  ];
};

const paidIn =
  (addresses: readonly Hex[]) =>
  (trace: JsonFields): readonly NamedIn[] => {
    const action = fieldsOf(trace.action, "trace action");
    if (!pays(trace, action)) return [];
    const parties = new Set(partiesOf(trace, action).map((one) => String(one).toLowerCase()));
    const block = TRACES.blockIn(trace);
    return addresses.filter((one) => parties.has(`0x${one}`)).map((address) => ({ address, block }));
  };

/** Ends a search that would take too many requests. */
class FewBlocks extends Error {}

/** The answer of a node that filters no traces, or none of these; null for a failure that says nothing about it. */
const refusalIn = (error: unknown): RpcError | NodeRefusal | null => {
  if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") return null;
  const { cause } = error;
  if (cause instanceof NodeRefusal) return cause.reason === "rate" ? null : cause;
  return cause instanceof RpcError ? cause : null;
};

export const openTraceFilter = (pool: EvmRpcPool): TraceFilter => {
  let learned = WIDEST;
  /** No node has the method. */
  let is_missing = false;
  return async (addresses, range, signal) => {
    const pieces = (range.to - range.from + 1) / learned.most;
    if (is_missing || FILTERS * pieces > REQUESTS_MAX || !pool.known.some(TRACES.accepts)) return null;
    const listed = addresses.map((address) => `0x${address}`);
    // Nodes combine both fields in different ways.
    const filters = [{ fromAddress: listed }, { toAddress: listed }];
    const search = new LogSearch<readonly NamedIn[]>(pool, learned, { ...range, method: TRACES, filters, signal });
    try {
      const { logs, requests } = await search.read(paidIn(addresses), () => {
        if (search.requests > REQUESTS_MAX) throw new FewBlocks();
      });
      return { named: logs.flat(), requests };
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === null && !(error instanceof FewBlocks)) throw error;
      is_missing = refusal instanceof RpcError && isMissingMethod(refusal);
      // States and logs are read anyway.
      return null;
    } finally {
      if (search.was_refused) learned = search.learned;
    }
  };
};
