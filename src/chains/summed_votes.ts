import type { Bytes } from "../lib/bytes.ts";

/** Whether plain votes of validators become sums, or each a transaction. */
export type Votes = "summed" | "singly";

/**
 * Transactions of one validator in one block that only voted and paid their fee: the block's list of transactions omits
 * them (docs/design/families.md).
 */
export interface SummedVotes {
  /** The signer and payer. */
  readonly voter: Bytes;
  /** Position of the first of them in the block. */
  readonly index: number;
  readonly count: number;
  /** Of all of them together. */
  readonly fee: bigint;
}
