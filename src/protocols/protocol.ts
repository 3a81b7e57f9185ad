import type { EventLog } from "../chains/chain.ts";
import type { PoolFamily } from "../knowledge/pool_families.gen.ts";
import { type Bytes, keccak256 } from "../lib/bytes.ts";

/** A fact decoded from one log, in bytes. Amounts in base units; `''` (no bytes) is the void. */
export type Fact =
  | TransferFact
  | DestructionFact
  | OwnerSupplyFact
  | SwapFact
  | StateFact
  | LiquidityFact
  | PoolFact
  | ApprovalFact
  | OwnershipFact
  | PositionFact;

export interface TransferFact {
  readonly fact: "transfer";
  readonly kind: "erc20" | "erc721" | "erc1155" | "wrap";
  readonly token_id: bigint;
  readonly source: Bytes;
  readonly destination: Bytes;
  readonly amount: bigint;
  /** The log indexes nothing, as some collections before EIP-721 do: it counts only for a known token. */
  readonly is_bare?: true;
}

/** Tokens destroyed in their holder's balance. Counts only when no Transfer of the transaction records the same burn. */
export interface DestructionFact {
  readonly fact: "destruction";
  readonly holder: Bytes;
  readonly amount: bigint;
}

/** The balance of the token's owner changed without a Transfer; the owner and the amount have to be read from the contract. */
export interface OwnerSupplyFact {
  readonly fact: "owner_supply";
}

/** Pool of a log, omitted when the log's own address is the pool. Only a listed contract may name another. */
interface PoolReference {
  readonly pool?: Bytes;
}

/** amount0, amount1: change of the pool's reserves. caller, recipient: no bytes when the event does not say. */
export interface SwapFact extends PoolReference {
  readonly fact: "swap";
  readonly caller: Bytes;
  readonly recipient: Bytes;
  readonly amount0: bigint;
  readonly amount1: bigint;
}

export interface StateFact extends PoolReference {
  readonly fact: "pool_state";
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  readonly sqrt_price_x96: bigint;
  readonly liquidity: bigint;
  readonly tick: number;
}

/** owner: who holds the position (no bytes when the event does not say). actor: who acted, or for `collect` who was paid. */
export interface LiquidityFact extends PoolReference {
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
  /** Contract that the pool calls before and after its trades; no bytes when it has none. */
  readonly hooks: Bytes;
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

/** Change of a position that is not a plain balance. Missing parts are null or no bytes. */
export interface PositionFact {
  readonly fact: "position";
  readonly kind:
    | "vault_deposit"
    | "vault_withdraw"
    | "lend"
    | "unlend"
    | "borrow"
    | "repay"
    | "increase"
    | "decrease"
    | "collect"
    | "stake"
    | "unstake";
  /** Owner of the position; no bytes when an NFT of the log's contract holds it. */
  readonly account: Bytes;
  readonly position_id: bigint | null;
  readonly asset: Bytes | null;
  /** Assets, or the pool's first token. */
  readonly amount0: bigint;
  readonly amount1: bigint;
  /** Shares, or the liquidity added or removed. */
  readonly liquidity: bigint;
}

/** One event layout. Pools' are rows of `knowledge/pool_families.yaml`, their factories of `pools` in `knowledge/protocols`. */
export interface Protocol {
  readonly name: string;
  /** Where the layout was read: an EIP, or repository and source file. */
  readonly source: string;
  /** Canonical signature, whose keccak-256 is the first topic. */
  readonly event: string;
  /** Returns no facts when the log only resembles this layout. Never throws, whatever the bytes. */
  readonly decode: (log: EventLog) => readonly Fact[];
}

/** Shared, so that an unmatched log allocates no memory. */
export const NOTHING: readonly Fact[] = [];

export const topicOf = (event: string): Bytes => keccak256(new TextEncoder().encode(event));
