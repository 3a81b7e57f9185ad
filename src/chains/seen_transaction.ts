import type { Bytes } from "../lib/bytes.ts";
import type { BlockRef, Transaction } from "./chain.ts";

/** One transaction as the nodes tell it now, in full. */
export interface SeenTransaction {
  readonly hash: Bytes;
  readonly sender: Bytes;
  /** Null for a contract creation. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  readonly nonce: number;
  readonly input: Bytes;
  readonly gas_limit: bigint;
  /** Most that the sender offers per unit of gas, in base units of the native coin. */
  readonly gas_price_max: bigint;
  /** Accounts that run foreign code from now on (EIP-7702). */
  readonly authorizations: readonly Authorization[];
  /** Null while it waits for a block. */
  readonly mined: MinedTransaction | null;
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
  /** Paid per unit of gas, and the part of it above the block's base fee. */
  readonly gas_price: bigint;
  readonly priority_price: bigint;
  /** For data on layer 1; null where there is no such thing. */
  readonly layer1_fee: bigint | null;
  /** Every call in order of execution, the outermost first; null where no endpoint traces. */
  readonly trace: readonly TracedCall[] | null;
}

export type CallKind = "call" | "delegatecall" | "staticcall" | "callcode" | "create" | "create2" | "selfdestruct";

export interface TracedCall {
  /** 0 = the outermost. */
  readonly depth: number;
  readonly kind: CallKind;
  readonly sender: Bytes;
  /** Callee, created contract, or heir; null for a creation that failed. */
  readonly recipient: Bytes | null;
  readonly value: bigint;
  /** Call data, or init code. */
  readonly input: Bytes;
  /** Return value, created code, or revert payload. */
  readonly output: Bytes;
  /** The node's words for why it failed; null when it did not. */
  readonly error: string | null;
  /** It failed, or one around it did: nothing of it remained. */
  readonly is_undone: boolean;
}
