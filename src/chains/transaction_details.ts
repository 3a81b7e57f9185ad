import type { Bytes } from "../lib/bytes.ts";
import type { BlockRef, Transaction, Verified } from "./chain.ts";

/** One transaction as the nodes tell it now, in full. */
export interface TransactionDetails {
  readonly hash: Bytes;
  readonly sender: Bytes;
  /** Null for a contract creation. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  readonly nonce: number;
  readonly input: Bytes;
  /** What was called, where the chain itself can say it; omitted where the first four bytes of `input` do. */
  readonly called?: Called;
  /** Accounts that run foreign code from now on (EIP-7702). */
  readonly authorizations: readonly Authorization[];
  /** Null while it waits for a block. */
  readonly mined: MinedTransaction | null;
}

/** A call that is not named by the first four bytes of a hash. */
export interface Called {
  /** The bytes by which the callee knows what is asked; null when it has no such bytes. */
  readonly selector: Bytes | null;
  /** Null when nobody knows what they mean. */
  readonly name: string | null;
  /** The callee is part of the network itself, so that its name says what it does. */
  readonly is_protocol: boolean;
}

export interface Authorization {
  /** Who signed; null when the signature is nobody's. */
  readonly authority: Bytes | null;
  /** Whose code is run; the address of zeros ends a delegation. */
  readonly delegate: Bytes;
  /** 0 = on any chain. */
  readonly chain_id: bigint;
  readonly nonce: bigint;
}

export interface MinedTransaction {
  readonly block: BlockRef;
  /** As its block holds it. */
  readonly transaction: Transaction;
  readonly cost: Cost;
  /** What was recomputed of its block for this; its own hash is compared in any case. */
  readonly verified: Verified;
  /** Every call in order of execution, the outermost first; null where no endpoint traces. */
  readonly trace: readonly TracedCall[] | null;
  /** A vote of a validator, of which the facts hold no row of its own (`Block.votes`). Omitted means no. */
  readonly is_summed_vote?: true;
  /** Why it failed, where the chain tells it apart from the calls; omitted where they tell it. */
  readonly failure?: Failure;
}

/** What the fee was paid for, in the measure of the network. Prices and fees in base units of the native coin. */
export type Cost =
  | {
      readonly unit: "gas";
      /** Paid per unit, and the part of it above the block's base fee. */
      readonly price: bigint;
      readonly priority_price: bigint;
      /** For data on layer 1; null where there is no such thing. */
      readonly layer1_fee: bigint | null;
    }
  | {
      readonly unit: "compute_unit";
      /** Null where the node did not keep it. */
      readonly units: bigint | null;
      /** Paid to be taken sooner. */
      readonly priority_fee: bigint;
    }
  | {
      readonly unit: "energy";
      readonly energy: bigint;
      /** Points taken from a stake or the daily allowance; 0 where bandwidth was paid for. */
      readonly bandwidth: bigint;
    };

export interface Failure {
  /** Revert payload; null where there is no such thing. */
  readonly payload: Bytes | null;
  /** The node's own words; null when it has none. */
  readonly words: string | null;
  /** Of the call that failed, 0 = the outermost; null when it is not told. */
  readonly depth: number | null;
}

export type CallKind = "call" | "delegatecall" | "staticcall" | "callcode" | "create" | "create2" | "selfdestruct";

export interface TracedCall {
  /** 0 = the outermost; null where the node does not tell who called whom. */
  readonly depth: number | null;
  readonly kind: CallKind;
  readonly sender: Bytes;
  /** Callee, created contract, or heir; null for a creation that failed. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  /** Call data, or init code; null where the node does not tell it. */
  readonly input: Bytes | null;
  /** As of the transaction. */
  readonly called?: Called;
  /** Return value, created code, or revert payload; null where the node does not tell it. */
  readonly output: Bytes | null;
  /** The node's words for why it failed; null when it did not. */
  readonly error: string | null;
  /** It failed, or one around it did: nothing of it remained. */
  readonly is_undone: boolean;
}
