/** Well-known coins of a network, as data. */
import type { Hex } from "../lib/bytes.ts";

export interface Stablecoin {
  readonly symbol: string;
  readonly address: Hex;
  /** ISO 4217 code of the currency it is pegged to. Only `USD` anchors prices. */
  readonly peg: string;
}

/** A coin and the ways in which its issuer freezes. */
export interface FreezableCoin {
  readonly symbol: string;
  readonly address: Hex;
  /** Null if only the contract states it. */
  readonly decimals: number | null;
  /** Names of contract families (labels/issuers/families.ts); none: the coin has no freeze of single accounts. */
  readonly families: readonly string[];
  /** Block of the contract's creation; null if unknown. */
  readonly start_block: number | null;
}
