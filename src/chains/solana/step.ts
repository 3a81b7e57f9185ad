/**
 * Effect of one instruction on balances and states, from either encoding. Accounts are positions within their
 * transaction. Amounts are lamports or raw token units.
 */
import type { Bytes, Hex } from "../../lib/bytes.ts";
import type { Accounts } from "./accounts.ts";

export type InstructionStep =
  /** Lamports, by the system program. `space`: bytes of the account that the payment opens, null if it opens none. */
  | {
      readonly does: "pay";
      readonly from: number;
      readonly to: number;
      readonly lamports: bigint;
      readonly space: bigint | null;
    }
  /** A token account begins; its owner is an address, which need not be an account of the transaction. */
  | {
      readonly does: "open";
      readonly account: number;
      readonly mint: Bytes;
      readonly owner: Bytes;
      readonly program: Hex;
    }
  | { readonly does: "close"; readonly account: number; readonly to: number }
  /**
   * Without `from` it is minted, without `to` burnt. `fee` is withheld at the destination (Token-2022); null = unknown.
   */
  | {
      readonly does: "send";
      readonly from: number | null;
      readonly to: number | null;
      readonly amount: bigint;
      readonly fee: bigint | null;
    }
  /** The account is wrapped SOL and takes its lamports as its amount. */
  | { readonly does: "sync"; readonly account: number }
  | { readonly does: "hand_over"; readonly account: number; readonly owner: Bytes }
  /** `delegate` may take up to `amount`, and replaces any former delegate. */
  | { readonly does: "approve"; readonly account: number; readonly delegate: Bytes; readonly amount: bigint }
  | {
      readonly does: "freeze";
      readonly effect: "freeze" | "unfreeze";
      readonly account: number;
      readonly mint: Bytes;
    }
  | {
      readonly does: "create_mint";
      readonly mint: Bytes;
      readonly decimals: number;
      readonly mint_authority: Bytes;
      /** Null if the token cannot be frozen. */
      readonly freeze_authority: Bytes | null;
      readonly program: Hex;
    }
  | { readonly does: "deploy"; readonly program: Bytes; readonly authority: Bytes; readonly is_upgrade: boolean };

/** An instruction in bytes; `at` is the position of its n-th account, null if it has fewer. */
export interface InstructionInput {
  readonly data: Bytes;
  readonly at: (place: number) => number | null;
  readonly accounts: Accounts;
}
