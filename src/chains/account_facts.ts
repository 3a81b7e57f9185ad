import type { Hex } from "../lib/bytes.ts";
import type { AccountState } from "./chain.ts";

/** An account with the facts that only its family has. */
export interface DescribedAccount extends AccountState {
  /** The chain has such an account: an address that was never used has none. */
  readonly exists: boolean;
  /** The kind that the chain itself states; null if only the code shows it. */
  readonly kind: "eoa" | "tron_multisig" | "program" | "token" | "pda" | "program_account" | null;
  /** Null on networks whose accounts do not belong to programs. */
  readonly program: ProgramFacts | null;
  /** Null on networks whose transactions use no staked resources. */
  readonly resources: ResourceFacts | null;
}

/** The program that an account's data belongs to. */
export interface ProgramFacts {
  /** The program that may change its data and spend its coins. */
  readonly owner_program: Hex;
  /** True if it is a program itself. */
  readonly executable: boolean;
  /** Bytes. */
  readonly data_len: number;
  /** 2^64 - 1 if no rent is charged; null if the node does not state it exactly. */
  readonly rent_epoch: bigint | null;
}

/** An account's stakes and resources, and the signatures that it needs. */
export interface ResourceFacts {
  /** Staked base units of the native coin by resource, without zeros. */
  readonly frozen_v2: readonly { readonly resource: "bandwidth" | "energy" | "tron_power"; readonly amount: bigint }[];
  readonly bandwidth: {
    /** Daily allowance of every account, and its used part. */
    readonly free_limit: number;
    readonly free_used: number;
    readonly staked_limit: number;
    readonly staked_used: number;
  };
  readonly energy: { readonly limit: number; readonly used: number };
  /** Percent of a call's energy that the caller of this contract pays; null without a contract. */
  readonly caller_energy_percent: number | null;
  /** The keys that may do everything; null if only the account's own key may. */
  readonly owner_permission: Permission | null;
  readonly active_permissions: readonly ActivePermission[];
}

/** Keys whose weights must add up to the threshold. */
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
