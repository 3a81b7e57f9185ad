import type { Verified } from "../chain.ts";

/** What one endpoint turned out to be able to do. */
export interface Traits {
  readonly chain_id: number;
  readonly client: string | null;
  readonly head: number;
  /** Newest final block by the node's own `finalized` tag; null when it has no such tag. */
  readonly finalized: number | null;
  /** How receipts are asked: for a whole block, or one by one. */
  readonly receipts: "block" | "transaction";
  readonly traces: TraceMethod | null;
  /** `trace_block` besides `debug_*`: it also tells block rewards. */
  readonly has_trace_block: boolean;
  readonly archive: boolean;
  /** `eth_call` takes code, balance and storage of accounts as its third parameter. */
  readonly overrides: boolean;
  /** Blocks that `eth_simulateV1` may go beyond the one it starts at; 0 when the node does not have it. */
  readonly simulated_blocks_max: number;
  /** Calls that one request may hold. */
  readonly batch: number;
  readonly ms_per_call: number;
  /** Traits that the node did not tell when it was probed; they are taken as it may be. */
  readonly unknown: readonly string[];
  /** What the newest block showed when it was recomputed; null where receipts are not told by the block. */
  readonly verifies: Verified | null;
}

export type TraceMethod = "debug_traceBlockByNumber" | "trace_block" | "debug_traceTransaction";

/** The call tracer of geth, with the node's own time limit. */
export const CALL_TRACER = { tracer: "callTracer", timeout: "30s" };
