import type { Bytes } from "../lib/bytes.ts";

/** What one instruction of a program that we know did for somebody, where the chain itself says it and no log does. */
export interface ProgramAct {
  readonly program: Bytes;
  /** What people call the program, or the pool of stakes that it runs. */
  readonly name: string;
  readonly kind: ProgramActKind;
  /** Whose coins and tokens moved, or who signed where none did. */
  readonly account: Bytes;
  /** What it cost the account and what it brought, beneath the instruction. */
  readonly given: readonly ProgramAmount[];
  readonly received: readonly ProgramAmount[];
}

/** `swap`: a whole route; its hops are pool acts. */
export type ProgramActKind =
  | "swap"
  | "supply"
  | "withdraw"
  | "borrow"
  | "repay"
  | "liquidation"
  | "stake"
  | "unstake"
  | "add_liquidity"
  | "remove_liquidity"
  | "collect_fees"
  | "claim_reward";

export interface ProgramAmount {
  /** No bytes for the native coin. */
  readonly token: Bytes;
  /** Base units, above zero. */
  readonly amount: bigint;
}
