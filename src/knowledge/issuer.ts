import type { Hex } from "../lib/bytes.ts";

/** The effect of an issuer's event on an account. */
export type FreezeEffect = "freeze" | "unfreeze" | "destroy" | "seize";

/** The place of a value in a log: an indexed field (1..3), a word of the data, or a list of addresses that the data holds. */
export type Position = "topic1" | "topic2" | "topic3" | "data0" | "data1" | "data2" | "data_array";

export interface FreezeEvent {
  /** Canonical; its keccak-256 is the first topic. */
  readonly signature: string;
  readonly effect: FreezeEffect;
  readonly account_at: Position;
  /** Base units of the coin; null when the event does not say. */
  readonly amount_at: Position | null;
  /** A flag that turns `freeze` into `unfreeze` when it is false; null when the event means one thing only. */
  readonly direction_bool_at: Position | null;
}

/** A read-only function that says whether an account is frozen. It takes the account and returns a bool. */
export interface FreezeView {
  readonly signature: string;
  /** False: not read in a source. Assay trusts it only after it has named an account that events state as frozen. */
  readonly is_confirmed: boolean;
}

/** Powers of a coin's issuer. Null: not known. */
export interface IssuerPowers {
  readonly freeze: boolean | null;
  readonly seize_or_destroy: boolean | null;
  readonly pause: boolean | null;
  readonly upgradeable: boolean | null;
}

/** One way of freezing, shared by the coins of a contract family. */
export interface IssuerFamily {
  readonly id: string;
  /** Where its signatures were read. */
  readonly source: string;
  /** Empty where the contract has no public getter: then events alone tell. */
  readonly views: readonly FreezeView[];
  readonly events: readonly FreezeEvent[];
  readonly powers: IssuerPowers;
}

/** A coin of an examined issuer. No families: it has no freeze of single accounts. */
export interface IssuerCoin {
  readonly symbol: string;
  /** Contract, as lower-case hex without `0x`. */
  readonly address: Hex;
  /** Null when only the contract says. */
  readonly decimals: number | null;
  /** More than one where the contract was upgraded in place from one family to another. */
  readonly families: readonly string[];
  /** The block of the contract's creation; null when it is not known, and then history counts from the first block. */
  readonly start_block: number | null;
}

/** A coin of the registry, on one network. */
export interface ListedCoin extends IssuerCoin {
  readonly network: string;
  /** Empty where it is not known. */
  readonly issuer: string;
}
