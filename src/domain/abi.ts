import {
  type Bytes,
  concatHex,
  type Hex,
  intToHex,
  keccak256,
  padHex,
  padHexEnd,
  toBigInt,
  toHex,
} from "../lib/bytes.ts";

/**
 * The parts of the contract ABI that live reads need. Source: Solidity ABI specification, "Formal specification of the
 * encoding".
 */

const WORD_BYTES = 32;

const utf8 = new TextEncoder();

/** First four bytes of keccak-256 of a signature such as `owner()`. */
export const selectorOf = (signature: string): Hex => toHex(keccak256(utf8.encode(signature)).subarray(0, 4));

/** An unsigned integer or bytes already in hex, left-padded to one word. */
export const wordOf = (value: bigint | Hex): Hex =>
  typeof value === "bigint" ? intToHex(value, WORD_BYTES) : padHex(value, WORD_BYTES);

/** Length-prefixed bytes, right-padded to whole words. */
export const tailOf = (bytes: Bytes): Hex => {
  const padded = Math.ceil(bytes.length / WORD_BYTES) * WORD_BYTES;
  return concatHex(wordOf(BigInt(bytes.length)), padHexEnd(toHex(bytes), padded));
};

/** Word number `index` of return data; null when the data is shorter. */
const wordAt = (data: Bytes, index: number): Bytes | null => {
  const word = data.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES);
  return word.length === WORD_BYTES ? word : null;
};

/** Unsigned integer in word `index`; null when the data is shorter. */
export const integerAt = (data: Bytes, index: number): bigint | null => {
  const word = wordAt(data, index);
  return word === null ? null : toBigInt(word);
};

/** Address in word `index`; null when the data is shorter, is not an address, or is the zero address. */
export const addressAt = (data: Bytes, index: number): Hex | null => {
  const word = wordAt(data, index);
  if (word === null || toBigInt(word) >> 160n !== 0n || toBigInt(word) === 0n) return null;
  return toHex(word.subarray(12));
};

/** Bytes of a dynamic value whose offset is in word `index`; null when the data does not contain them. */
export const bytesAt = (data: Bytes, index: number): Bytes | null => {
  const offset = integerAt(data, index);
  if (offset === null || offset + BigInt(WORD_BYTES) > BigInt(data.length)) return null;
  const start = Number(offset);
  const length = toBigInt(data.subarray(start, start + WORD_BYTES));
  if (BigInt(start + WORD_BYTES) + length > BigInt(data.length)) return null;
  return data.subarray(start + WORD_BYTES, start + WORD_BYTES + Number(length));
};

/** Addresses of a dynamic array whose offset is in word `index`; null when the data is not such an array. */
export const addressesAt = (data: Bytes, index: number): readonly Hex[] | null => {
  const offset = integerAt(data, index);
  if (offset === null || offset % BigInt(WORD_BYTES) !== 0n || offset >= BigInt(data.length)) return null;
  const first = Number(offset) / WORD_BYTES;
  const count = integerAt(data, first);
  if (count === null || count > BigInt(Math.floor(data.length / WORD_BYTES))) return null;
  const found: Hex[] = [];
  for (let i = 1; i <= Number(count); i += 1) {
    const address = addressAt(data, first + i);
    if (address === null) return null;
    found.push(address);
  }
  return found;
};

/**
 * The first `count_max` texts of a dynamic array whose offset is in word `index`; null when the data is not such an
 * array.
 */
export const textsAt = (data: Bytes, index: number, count_max: number): readonly string[] | null => {
  const offset = integerAt(data, index);
  if (offset === null || offset + BigInt(WORD_BYTES) > BigInt(data.length)) return null;
  const list = data.subarray(Number(offset));
  const count = integerAt(list, 0);
  if (count === null || count * BigInt(WORD_BYTES) > BigInt(list.length)) return null;
  const texts: string[] = [];
  for (let at = 0; at < Math.min(Number(count), count_max); at += 1) {
    const text = bytesAt(list.subarray(WORD_BYTES), at);
    if (text === null) return null;
    texts.push(Buffer.from(text).toString("utf8"));
  }
  return texts;
};

/**
 * The first `count_max` tuples with dynamic members of an array whose offset is in word `index`, each as data of its
 * own; null when the data is not such an array.
 */
export const tuplesAt = (data: Bytes, index: number, count_max: number): readonly Bytes[] | null => {
  const offset = integerAt(data, index);
  if (offset === null || offset + BigInt(WORD_BYTES) > BigInt(data.length)) return null;
  const list = data.subarray(Number(offset));
  const count = integerAt(list, 0);
  if (count === null || count * BigInt(WORD_BYTES) > BigInt(list.length)) return null;
  const members = list.subarray(WORD_BYTES);
  const tuples: Bytes[] = [];
  for (let at = 0; at < Math.min(Number(count), count_max); at += 1) {
    const start = integerAt(members, at);
    if (start === null || start >= BigInt(members.length)) return null;
    tuples.push(members.subarray(Number(start)));
  }
  return tuples;
};
