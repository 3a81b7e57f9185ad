import type { CallResult, ContractCall } from "../chains/chain.ts";
import { type Bytes, equalBytes, type Hex, padHex, toHex } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { topicOf } from "../protocols/protocol.ts";

/** Calls to pools and their factories, and the decoding of answers. */

/** First four bytes of the hash of a function's signature (Solidity ABI). */
export const selectorOf = (signature: string): Hex => toHex(topicOf(signature).subarray(0, 4));

export const GET_PAIR = selectorOf("getPair(address,address)");
export const GET_POOL = selectorOf("getPool(address,address,uint24)");
export const GET_SOLIDLY_POOL = selectorOf("getPool(address,address,bool)");

export type CallContracts = (calls: readonly ContractCall[], signal: AbortSignal) => Promise<readonly CallResult[]>;

/** An empty list makes no request. */
export const callAll = (
  call: CallContracts,
  calls: readonly ContractCall[],
  signal: AbortSignal,
): Promise<readonly CallResult[]> => (calls.length === 0 ? Promise.resolve([]) : call(calls, signal));

export const wordOf = (address: Bytes): Hex => padHex(toHex(address), WORD_BYTES);

const NOBODY: Bytes = new Uint8Array(20);

/** An address other than zero; null for any other answer. */
export const addressOf = (answer: CallResult | undefined): Bytes | null => {
  if (answer === undefined || !answer.ok || answer.data.length !== WORD_BYTES) return null;
  const address = addressAt(answer.data, 0);
  return equalBytes(address, NOBODY) || uintAt(answer.data, 0) >> 160n !== 0n ? null : address;
};
