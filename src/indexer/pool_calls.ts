import type { CallResult, ContractCall } from "../chains/chain.ts";
import type { PoolReads } from "../knowledge/pool_family_row.ts";
import { type Bytes, concatHex, equalBytes, type Hex, intToHex, padHex, toHex } from "../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { topicOf } from "../protocols/protocol.ts";

/** Calls to pools and their factories, and the decoding of answers. */

/** First four bytes of the hash of a function's signature (Solidity ABI). */
export const selectorOf = (signature: string): Hex => toHex(topicOf(signature).subarray(0, 4));

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

type PoolFinder = PoolReads["find"];

/** The call by which a factory names its pool of two tokens. `third`: the value of the pool that the factory also needs, if any. */
export const findCall = (
  factory: Hex,
  find: PoolFinder,
  { tokens, third }: { readonly tokens: readonly [Hex, Hex]; readonly third: number },
): ContractCall => {
  const words = tokens.map((token) => padHex(token, WORD_BYTES));
  const last =
    find.third === null ? [] : [intToHex(BigInt(typeof find.third === "number" ? find.third : third), WORD_BYTES)];
  return { to: factory, data: concatHex(selectorOf(find.call), ...words, ...last) };
};

/** The pool in a factory's answer; null where it knows none. */
export const foundPool = ({ word }: PoolFinder, answer: CallResult | undefined): Bytes | null => {
  if (word === 0 || answer?.ok !== true) return addressOf(answer);
  return addressOf({ ok: true, data: answer.data.subarray(word * WORD_BYTES, (word + 1) * WORD_BYTES) });
};
