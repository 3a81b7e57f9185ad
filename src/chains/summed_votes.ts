import type { Bytes } from "../lib/bytes.ts";

/** Whether plain votes of validators are told as sums or each as a transaction. */
export type Votes = "summed" | "singly";

/** Transactions of one validator in one block that did nothing but vote and pay their fee: the block's list of transactions leaves them out (docs/design/families.md). */
export interface SummedVotes {
  /** Who signed them and paid. */
  readonly voter: Bytes;
  /** Place of the first of them in the block. */
  readonly index: number;
  readonly count: number;
  /** Of all of them together. */
  readonly fee: bigint;
}
