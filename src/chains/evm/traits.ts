import type { Verified } from "../chain.ts";

/** Capabilities found on one endpoint. */
export interface EvmTraits {
  readonly chain_id: number;
  readonly client: string | null;
  readonly head: number;
  /** Newest final block by the node's own `finalized` tag; null if the node has no such tag. */
  readonly finalized: number | null;
  /** How to request receipts: for a whole block, or one by one. */
  readonly receipts: "block" | "transaction";
  readonly traces: TraceMethod | null;
  /** `trace_block` besides `debug_*`: it also states block rewards. */
  readonly has_trace_block: boolean;
  readonly archive: boolean;
  /** `eth_call` accepts code, balance and storage of accounts as its third parameter. */
  readonly overrides: boolean;
  /** Blocks that `eth_simulateV1` may go beyond the one it starts at; 0 if the node does not have it. */
  readonly simulated_blocks_max: number;
  /** Calls that one request may hold. */
  readonly batch: number;
  readonly ms_per_call: number;
  /** Traits that the probe could not decide; Assay assumes the likely value. */
  readonly unknown: readonly string[];
  /** How much of the newest block could be recomputed; null if the node has no receipts by block. */
  readonly verifies: Verified | null;
}

export type TraceMethod = "debug_traceBlockByNumber" | "trace_block" | "debug_traceTransaction";

/** The call tracer of geth, with the node's own time limit. */
export const CALL_TRACER = { tracer: "callTracer", timeout: "30s" };
