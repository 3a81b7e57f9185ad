import type { EventLog } from "../chains/chain.ts";
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
  | OwnershipFact
  | PositionFact;

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

/** Which pool a log speaks of: left out where the log's own address is the pool. Only a listed contract may name one. */
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
  /** The contract that is asked before and after its trades; no bytes: none. */
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

/** Something happened to a position that is no plain balance. Unnamed parts are null or no bytes. */
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
  /** Whose position it is; no bytes when an NFT of the log's contract holds it. */
  readonly account: Bytes;
  readonly position_id: bigint | null;
  readonly asset: Bytes | null;
  /** Assets, or the pool's first token. */
  readonly amount0: bigint;
  readonly amount1: bigint;
  /** Shares, or the liquidity that was added or taken. */
  readonly liquidity: bigint;
}

export type PoolFamily =
  | "uniswap_v2"
  | "uniswap_v3"
  | "uniswap_v4"
  /** With a hook that changes what a swap pays: its events say what happened, its state does not say what will. */
  | "uniswap_v4_custom"
  | "solidly"
  | "solidly_stable"
  /** Pools of several tokens, of which each pair is a pool here. Their events do not tell what they hold. */
  | "curve"
  | "balancer_v2"
  /** Told by the chain, with what the pool's vaults hold: x * y = k. */
  | "vault_product"
  /** The same with another curve, with ranges or with virtual reserves: what lies in the vaults is not the price. */
  | "vault_curve";

/** One event layout. A fork with the same layout is a row in `venues.ts`, not a new file. */
export interface Protocol {
  readonly name: string;
  /** Where the layout was read: an EIP, or repository and source file. */
  readonly source: string;
  /** Canonical signature, whose keccak-256 is the first topic. */
  readonly event: string;
  /** Empty when the log merely looks like ours. Never throws, whatever the bytes. */
  readonly decode: (log: EventLog) => readonly Fact[];
}

/** Shared, so that a log that is not ours costs no memory. */
export const NOTHING: readonly Fact[] = [];

export const topicOf = (event: string): Bytes => keccak256(new TextEncoder().encode(event));
