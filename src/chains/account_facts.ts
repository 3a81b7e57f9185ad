import type { Hex } from "../lib/bytes.ts";
import type { AccountState } from "./chain.ts";

/** An account with what only accounts of its family have. */
export interface DescribedAccount extends AccountState {
  /** The chain keeps such an account: an address that was never used has none. */
  readonly exists: boolean;
  /** What kind the chain itself says it is; null where only its code tells. */
  readonly kind: "eoa" | "tron_multisig" | "program" | "token" | "pda" | "program_account" | null;
  /** Null where accounts do not belong to programs. */
  readonly program: ProgramFacts | null;
  /** Null where transactions use nothing that an account stakes for. */
  readonly resources: ResourceFacts | null;
}

/** Whose data an account holds. */
export interface ProgramFacts {
  /** The program that may change its data and spend its coins. */
  readonly owner_program: Hex;
  /** True when it is a program itself. */
  readonly executable: boolean;
  /** Bytes. */
  readonly data_len: number;
  /** 2^64 - 1 where no rent is taken; null where the node does not tell it exactly. */
  readonly rent_epoch: bigint | null;
}

/** What an account staked, what it may use, and whose signatures it needs. */
export interface ResourceFacts {
  /** Base units of the native coin by what they are staked for, without zeros. */
  readonly frozen_v2: readonly { readonly resource: "bandwidth" | "energy" | "tron_power"; readonly amount: bigint }[];
  readonly bandwidth: {
    /** What every account has each day, and what of it is used. */
    readonly free_limit: number;
    readonly free_used: number;
    readonly staked_limit: number;
    readonly staked_used: number;
  };
  readonly energy: { readonly limit: number; readonly used: number };
  /** Percent of a call's energy that the caller of this contract pays; null where there is no contract. */
  readonly caller_energy_percent: number | null;
  /** Who may do everything; null where the account's own key alone may. */
  readonly owner_permission: Permission | null;
  readonly active_permissions: readonly ActivePermission[];
}

/** Whose signatures suffice: keys whose weights add up to the threshold. */
export interface Permission {
  readonly name: string | null;
  readonly threshold: number;
  readonly keys: readonly { readonly address: Hex; readonly weight: number }[];
}

export interface ActivePermission extends Permission {
  readonly id: number;
  /** 256 bits, one for each type of contract that may be signed. */
  readonly operations: Hex;
}
