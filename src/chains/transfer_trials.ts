import type { Hex } from "../lib/bytes.ts";

/** One owner sends a tenth of what lies in his largest account of a token to another's largest account of it that is not frozen. */
export interface TransferTrial {
  readonly from: Hex;
  readonly to: Hex;
}

export interface Trials {
  readonly token: Hex;
  readonly trials: readonly TransferTrial[];
}

/** How such a transfer would end. */
export interface RehearsedTransfer extends TransferTrial {
  /** Base units. */
  readonly sent: bigint;
  /** Null when it fails, and where the state went on meanwhile. */
  readonly arrived: bigint | null;
  /** The node's words, and the program's; null when it is done. */
  readonly failure: string | null;
}

export interface RehearsesTransfers {
  /**
   * How transfers that nobody has signed would end in the node's newest state, in the order asked; null where that cannot be
   * said. Left out where tokens are contracts, whose calls are rehearsed.
   */
  rehearseTransfers?(asked: Trials, signal: AbortSignal, at?: number): Promise<readonly (RehearsedTransfer | null)[]>;
}
