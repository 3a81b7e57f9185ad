import type { Hex } from "../lib/bytes.ts";

/**
 * One owner sends a tenth of the largest account of a token to another owner's largest account of it that is not
 * frozen.
 */
export interface TransferTrial {
  readonly from: Hex;
  readonly to: Hex;
}

export interface Trials {
  readonly token: Hex;
  readonly trials: readonly TransferTrial[];
}

/** Outcome of a simulated transfer. */
export interface SimulatedTransfer extends TransferTrial {
  /** Base units. */
  readonly sent: bigint;
  /** Null if it fails, or if the state advanced meanwhile. */
  readonly arrived: bigint | null;
  /** The node's message, and the program's; null on success. */
  readonly failure: string | null;
}

export interface ChainWithSimulation {
  /**
   * Outcomes of unsigned transfers in the node's newest state, in order; null if unknown. Omitted on networks whose
   * tokens are contracts, whose calls are simulated instead.
   */
  simulateTransfers?(asked: Trials, signal: AbortSignal, at?: number): Promise<readonly (SimulatedTransfer | null)[]>;
}
