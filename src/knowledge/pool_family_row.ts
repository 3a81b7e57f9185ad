/** Rows of `knowledge/pool_families.yaml`, in the forms that their readers take. */
import type { PoolFamily } from "./pool_families.gen.ts";

/** How a state of a pool gives a price; `hooks`: its state does not predict a trade; `none`: its events do not state it. */
type PoolPrice = "product" | "stable" | "square_root" | "hooks" | "none";

/**
 * A contract that is its own share token, a contract, an id in the contract that the venue lists, a pair of tokens of a
 * contract or of such an id, or a pool that the chain itself states.
 */
type PoolPlace = "share_token" | "contract" | "manager" | "contract_pairs" | "manager_pairs" | "chain";

/** Calls to a pool and its factory, by signature. */
export interface PoolReads {
  readonly factory: string;
  readonly tokens: readonly string[];
  /** The factory names the pool of two tokens and of a third argument: a value of the pool, or a constant. */
  readonly find: {
    readonly call: string;
    readonly third: "fee_ppm" | "tick_spacing" | number | null;
    /** Values of the third argument for which Assay queries a factory on demand. */
    readonly tried: readonly number[];
    /** Of the answer. */
    readonly word: number;
  };
  readonly variant: { readonly call: string; readonly is: number } | null;
  /** Null where the fee of a pool changes, or the pool does not state it. */
  readonly fee_ppm: string | null;
  readonly tick_spacing: string | null;
  /** Empty for a family without a price. */
  readonly state: readonly string[];
}

export interface PoolFamilyTraits {
  readonly family: PoolFamily;
  /** The family that venues list; of pools whose hooks pay, their own, which none lists. */
  readonly plain: PoolFamily;
  /** Of the contract that venues list. */
  readonly role: string;
  readonly price: PoolPrice;
  readonly place: PoolPlace;
  readonly reads: PoolReads | null;
}

type PoolFieldRole =
  | ("pool" | "token0" | "token1" | "fee_ppm" | "tick_spacing" | "hooks" | "caller" | "recipient" | "owner" | "actor")
  | ("amount0" | "amount1" | "in0" | "in1" | "out0" | "out1")
  | ("token_in" | "token_out" | "amount_in" | "amount_out" | "is_first_paid")
  | (
      | "reserve0"
      | "reserve1"
      | "sqrt_price_x96"
      | "liquidity"
      | "liquidity_delta"
      | "tick"
      | "tick_lower"
      | "tick_upper"
    );

export interface PoolEvent {
  readonly id: string;
  /** Name of the exchange of a pool without a known factory. */
  readonly shown?: string;
  readonly source: string;
  readonly event: string;
  readonly fact: "pool" | "swap" | "state" | "mint" | "burn" | "collect";
  readonly family: PoolFamily;
  /** Topics and words of data that the log must have. */
  readonly topics: number;
  readonly words: number;
  /** The amounts are the trader's. */
  readonly of_trader?: true;
  /** By role: `t1 address`, `w0 uint24`, or `w0 16 int24` for 24 bits from bit 16 on. */
  readonly fields: Readonly<Partial<Record<PoolFieldRole, string>>>;
  /** The family of a pool whose field has one of these bits. */
  readonly variant?: { readonly family: PoolFamily; readonly field: string; readonly mask: number };
}
