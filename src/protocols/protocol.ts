import type { Log } from "../chains/chain.ts";
import { type Bytes, keccak256 } from "../lib/bytes.ts";

/** What one log says, in bytes. Amounts in base units; `''` (no bytes) is the void. */
export type Fact =
  | TransferFact
  | DestructionFact
  | OwnerSupplyFact
  | SwapFact
  | StateFact
  | LiquidityFact
  | PoolFact
  | ApprovalFact
  | OwnershipFact;

export interface TransferFact {
  readonly fact: "transfer";
  readonly kind: "erc20" | "erc721" | "erc1155" | "wrap";
  readonly token_id: bigint;
  readonly source: Bytes;
  readonly destination: Bytes;
  readonly amount: bigint;
}

/** Tokens were destroyed where they lay. It counts only when no Transfer of the transaction says the same. */
export interface DestructionFact {
  readonly fact: "destruction";
  readonly holder: Bytes;
  readonly amount: bigint;
}

/** The balance of the token's owner changed without a Transfer; who and by how much has to be asked. */
export interface OwnerSupplyFact {
  readonly fact: "owner_supply";
}

/** amount0, amount1: change of the pool's reserves. */
export interface SwapFact {
  readonly fact: "swap";
  readonly caller: Bytes;
  readonly recipient: Bytes;
  readonly amount0: bigint;
  readonly amount1: bigint;
}

export interface StateFact {
  readonly fact: "pool_state";
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly sqrt_price_x96: bigint;
  readonly liquidity: bigint;
  readonly tick: number;
}

/** owner: who holds the position (no bytes when the event does not say). actor: who acted, or for `collect` who was paid. */
export interface LiquidityFact {
  readonly fact: "liquidity";
  readonly kind: "mint" | "burn" | "collect";
  readonly owner: Bytes;
  readonly actor: Bytes;
  readonly amount0: bigint;
  readonly amount1: bigint;
  /** Null when the event does not say and the pool's own token does (constant-product pools). */
  readonly liquidity: bigint | null;
  readonly tick_lower: number;
  readonly tick_upper: number;
}

/** The log's address is the factory. fee_ppm null: the event does not say. */
export interface PoolFact {
  readonly fact: "pool";
  readonly family: PoolFamily;
  readonly pool: Bytes;
  readonly token0: Bytes;
  readonly token1: Bytes;
  readonly fee_ppm: number | null;
  readonly tick_spacing: number;
}

export interface ApprovalFact {
  readonly fact: "approval";
  readonly kind: "erc20" | "erc721" | "for_all";
  readonly owner: Bytes;
  readonly spender: Bytes;
  /** erc20: allowance. erc721: token id. for_all: 1 granted, 0 withdrawn. */
  readonly amount: bigint;
}

export interface OwnershipFact {
  readonly fact: "ownership";
  readonly kind: "ownership" | "implementation" | "admin" | "beacon";
  /** No bytes when the event does not say. */
  readonly previous: Bytes;
  readonly current: Bytes;
}

export type PoolFamily = "uniswap_v2" | "uniswap_v3";

/** One event layout. A fork with the same layout is a row in `venues.ts`, not a new file. */
export interface Protocol {
  readonly name: string;
  /** Where the layout was read: an EIP, or repository and source file. */
  readonly source: string;
  /** Canonical signature, whose keccak-256 is the first topic. */
  readonly event: string;
  /** Empty when the log merely looks like ours. Never throws, whatever the bytes. */
  readonly decode: (log: Log) => readonly Fact[];
}

/** Shared, so that a log that is not ours costs no memory. */
export const NOTHING: readonly Fact[] = [];

export const topicOf = (event: string): Bytes => keccak256(new TextEncoder().encode(event));
