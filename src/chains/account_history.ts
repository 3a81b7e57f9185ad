import type { Hex } from "../lib/bytes.ts";

/** Values of an account that change with each transaction that it sends and each payment. */
export interface AccountMark {
  readonly nonce: number;
  /** Base units of the native coin. */
  readonly balance: bigint;
}

/** The past of one account as a node reports it, without an index. */
export interface AccountHistory {
  /** The account after each of these blocks, in their order. */
  marks(address: Hex, blocks: readonly number[], signal: AbortSignal): Promise<readonly AccountMark[]>;
  /**
   * Blocks `from` to `to` with a log that the address emitted, or that names it in topic 1, 2 or 3, ascending. `requests`: calls that
   * this took.
   */
  logBlocks(
    address: Hex,
    range: { readonly from: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<{ readonly blocks: readonly number[]; readonly requests: number }>;
}
