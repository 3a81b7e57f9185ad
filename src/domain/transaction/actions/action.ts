import type { EventLog, Transaction } from "../../../chains/chain.ts";
import type { Authorization } from "../../../chains/transaction_details.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { TokenApproval } from "../decoding/approvals.ts";
import type { TransactionMovement } from "../decoding/movements.ts";

/** Types of actions in a transaction, as the tool names them. */
export const ACTION_TYPES = [
  "swap",
  "add_liquidity",
  "remove_liquidity",
  "collect_fees",
  "create_pool",
  "wrap",
  "unwrap",
  "supply",
  "withdraw",
  "borrow",
  "repay",
  "liquidation",
  "bridge_out",
  "bridge_in",
  "nft_sale",
  "multisig_exec",
  "multisig_failure",
  "user_operation",
  "user_operation_failure",
  "approve",
  "permit",
  "revoke",
  "delegate_code",
  "end_delegation",
  "deploy",
  "vote",
  "propose",
  "execute_proposal",
  "delegate_votes",
  "stake",
  "unstake",
  "claim_reward",
  "change_owner",
  "upgrade",
] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

export interface TokenAmount {
  /** `''` is the native coin. */
  readonly token: Hex;
  readonly token_id: bigint | null;
  /** Base units. */
  readonly amount: bigint;
}

export interface Action {
  readonly type: ActionType;
  /** Family of contracts whose event reports it; null for a standard without an owner. */
  readonly protocol: string | null;
  readonly actor: Hex;
  /** From the view of the actor. */
  readonly given: readonly TokenAmount[];
  readonly received: readonly TokenAmount[];
  /** The contract of the action, the created contract, or the contract whose code runs. */
  readonly contract: Hex | null;
  /** Null for actions without a log. */
  readonly log_index: number | null;
}

export interface PoolTokens {
  readonly token0: Hex;
  readonly token1: Hex;
  /** '' = not announced by a known factory. */
  readonly venue: string;
  readonly family: string;
}

/** One mined transaction with its context. */
export interface ActionContext {
  readonly transaction: Transaction;
  readonly movements: readonly TransactionMovement[];
  readonly approvals: readonly TokenApproval[];
  readonly authorizations: readonly Authorization[];
  readonly pools: ReadonlyMap<Hex, PoolTokens>;
  readonly wrapped_native: Hex | null;
}

/** Reads the actions of one family of contracts. Never throws, whatever the bytes. */
export type ActionReader = (scene: ActionContext) => readonly Action[];

/** An event whose layout needs code. */
export interface EventReader {
  readonly event: string;
  readonly source: string;
  readonly read: (log: EventLog, scene: ActionContext) => Action | null;
}
