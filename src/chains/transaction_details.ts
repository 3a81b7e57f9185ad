import type { Bytes } from "../lib/bytes.ts";
import type { BlockRef, Transaction, Verified } from "./chain.ts";

/** One transaction in full, as the nodes report it now. */
export interface TransactionDetails {
  readonly hash: Bytes;
  readonly sender: Bytes;
  /** Null for a contract creation. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  readonly nonce: number;
  readonly input: Bytes;
  /** The called function, if the chain itself states it; omitted if the first four bytes of `input` do. */
  readonly called?: DecodedCall;
  /** Accounts that run foreign code from now on (EIP-7702). */
  readonly authorizations: readonly Authorization[];
  /** Null while it waits for a block. */
  readonly mined: MinedTransaction | null;
}

/** A call that is not named by the first four bytes of a hash. */
export interface DecodedCall {
  /** The bytes that identify the function to the callee; null if it has none. */
  readonly selector: Bytes | null;
  /** Null if unknown. */
  readonly name: string | null;
  /** The callee is part of the network itself, so that its name states the effect. */
  readonly is_protocol: boolean;
}

export interface Authorization {
  /** The signer; null if the signature fits no key. */
  readonly authority: Bytes | null;
  /** The account whose code runs; the zero address ends a delegation. */
  readonly delegate: Bytes;
  /** 0 = on any chain. */
  readonly chain_id: bigint;
  readonly nonce: bigint;
}

export interface MinedTransaction {
  readonly block: BlockRef;
  /** As in its block. */
  readonly transaction: Transaction;
  readonly cost: Cost;
  /** Verification level of its block; its own hash is compared in any case. */
  readonly verified: Verified;
  /** Every call in order of execution, the outermost first; null if no endpoint traces. */
  readonly trace: readonly TracedCall[] | null;
  /** A vote of a validator, for which the facts have no row of its own (`Block.votes`). Omitted means no. */
  readonly is_summed_vote?: true;
  /** Why it failed, if the chain states it apart from the calls; omitted if the calls show it. */
  readonly failure?: Failure;
}

/** Parts of the fee, in the network's units. Prices and fees in base units of the native coin. */
export type Cost =
  | {
      readonly unit: "gas";
      /** Price per unit, and the part of it above the block's base fee. */
      readonly price: bigint;
      readonly priority_price: bigint;
      /** For data on layer 1; null on networks without it, and where no receipt states it. */
      readonly layer1_fee: bigint | null;
      /** The data is charged as gas: its part is within gas used times price. */
      readonly is_layer1_gas: boolean;
    }
  | {
      readonly unit: "compute_unit";
      /** Null if the node did not keep it. */
      readonly units: bigint | null;
      /** Paid for priority. */
      readonly priority_fee: bigint;
    }
  | {
      readonly unit: "energy";
      readonly energy: bigint;
      /** Points taken from a stake or the daily allowance; 0 if bandwidth was paid for. */
      readonly bandwidth: bigint;
    };

export interface Failure {
  /** Revert payload, or null. */
  readonly payload: Bytes | null;
  /** The node's own message, or null. */
  readonly words: string | null;
  /** Depth of the call that failed, 0 = the outermost; null if unknown. */
  readonly depth: number | null;
}

export type CallKind = "call" | "delegatecall" | "staticcall" | "callcode" | "create" | "create2" | "selfdestruct";

export interface TracedCall {
  /** 0 = the outermost; null if the node does not state the callers. */
  readonly depth: number | null;
  readonly kind: CallKind;
  readonly sender: Bytes;
  /** Callee, created contract, or heir; null for a creation that failed. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  /** Call data, or init code; null if the node does not return it. */
  readonly input: Bytes | null;
  /** As in the transaction. */
  readonly called?: DecodedCall;
  /** Return value, created code, or revert payload; null if the node does not return it. */
  readonly output: Bytes | null;
  /** The node's message about the failure; null if it did not fail. */
  readonly error: string | null;
  /** It failed, or a call around it did: none of its effects remained. */
  readonly is_undone: boolean;
}
