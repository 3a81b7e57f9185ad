import type { Bytes } from "../lib/bytes.ts";

/** Effect of one instruction of a known program for an account, if the chain itself states it and no log does. */
export interface ProgramAct {
  readonly program: Bytes;
  /** Common name of the program, or of the stake pool that it runs. */
  readonly name: string;
  readonly kind: ProgramActKind;
  /** The account whose coins and tokens moved, or the signer if none did. */
  readonly account: Bytes;
  /** Amounts that the account gave and received beneath the instruction. */
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
  /** Empty for the native coin. */
  readonly token: Bytes;
  /** Base units, above zero. */
  readonly amount: bigint;
}
