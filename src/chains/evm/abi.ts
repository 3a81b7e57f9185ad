/** The parts of the contract ABI that token reads need. Decoders return null for malformed data. */
import {
  type Bytes,
  concatHex,
  EMPTY,
  type Hex,
  hex,
  intToHex,
  padHex,
  padHexEnd,
  toBigInt,
  toHex,
} from "../../lib/bytes.ts";
import { cleanText } from "../../lib/text.ts";
import type { CallResult, ContractCall } from "../chain.ts";

/** Selectors: the first four bytes of keccak-256 of the signature. */
export const SELECTORS = {
  name: hex("06fdde03"),
  symbol: hex("95d89b41"),
  decimals: hex("313ce567"),
  totalSupply: hex("18160ddd"),
  balanceOf: hex("70a08231"),
  supportsInterface: hex("01ffc9a7"),
  ownerOf: hex("6352211e"),
  /** aggregate3((address,bool,bytes)[]) of Multicall3. */
  aggregate3: hex("82ad56cb"),
} as const;

const WORD = 32;

export const word = (value: number): Hex => intToHex(BigInt(value), WORD);
export const addressWord = (address: Hex): Hex => padHex(address, WORD);

/** The first word of a return value; null if it is shorter. */
const wordAt = (data: Bytes, place = 0): bigint | null =>
  data.length < (place + 1) * WORD ? null : toBigInt(data.subarray(place * WORD, (place + 1) * WORD));

/** Offset of the only argument when it has a length: after this word. */
const OFFSET_OF_FIRST = BigInt(WORD);

/**
 * A return value that is one number. Null for less than a word, and for data that begins like a string or list (the
 * word 0x20, then more): contracts that return the same bytes to every call return such data, and 32 is not a number
 * that they mean.
 */
export const numberIn = (data: Bytes): bigint | null => {
  const value = wordAt(data);
  return value === OFFSET_OF_FIRST && data.length > WORD ? null : value;
};

/** A word used as a length or offset; null unless it is within `limit`. */
const sizeAt = (data: Bytes, offset: number, limit: number): number | null => {
  if (offset < 0 || offset + WORD > data.length) return null;
  const value = toBigInt(data.subarray(offset, offset + WORD));
  return value <= BigInt(limit) ? Number(value) : null;
};

/**
 * A `string` return value, or a `bytes32` one as early tokens have (MKR). The text is untrusted and not cleaned. It is
 * cut to four times `bytes_max`, because cleaning shortens it before the last cut. Null for other data.
 */
export const rawTextIn = (data: Bytes, bytes_max: number): string | null => {
  const raw = data.length === WORD ? trimZeros(data) : dynamicBytes(data);
  return raw === null ? null : Buffer.from(raw.subarray(0, bytes_max * 4)).toString("utf8");
};

/** The text cleaned and cut to `bytes_max`; null if nothing remains. */
export const textIn = (data: Bytes, bytes_max: number): string | null =>
  cleanText(rawTextIn(data, bytes_max) ?? "", bytes_max) || null;

const trimZeros = (data: Bytes): Bytes => {
  const end = data.indexOf(0);
  return end === -1 ? data : data.subarray(0, end);
};

const dynamicBytes = (data: Bytes): Bytes | null => {
  const offset = sizeAt(data, 0, data.length);
  const length = offset === null ? null : sizeAt(data, offset, data.length);
  if (offset === null || length === null || offset + WORD + length > data.length) return null;
  return data.subarray(offset + WORD, offset + WORD + length);
};

/** Call data of Multicall3's aggregate3; every call may fail. */
export const encodeAggregate3 = (calls: readonly ContractCall[]): Hex => {
  const heads: Hex[] = [];
  const tails: Hex[] = [];
  let offset = calls.length * WORD;
  for (const call of calls) {
    const length = call.data.length / 2;
    const padded = padHexEnd(call.data, Math.ceil(length / WORD) * WORD);
    const tail = concatHex(addressWord(call.to), word(1), word(3 * WORD), word(length), padded);
    heads.push(word(offset));
    tails.push(tail);
    offset += tail.length / 2;
  }
  return concatHex(SELECTORS.aggregate3, word(WORD), word(calls.length), ...heads, ...tails);
};

/** Decodes (bool success, bytes returnData)[]; null unless it is `count` well-formed results. */
export const decodeAggregate3 = (data: Bytes, count: number): CallResult[] | null => {
  const start = sizeAt(data, 0, data.length);
  if (start === null || sizeAt(data, start, count) !== count) return null;
  const base = start + WORD;
  const results: CallResult[] = [];
  for (let i = 0; i < count; i += 1) {
    const offset = sizeAt(data, base + i * WORD, data.length);
    if (offset === null) return null;
    const ok = sizeAt(data, base + offset, 1);
    const payload = ok === null ? null : dynamicAt(data, base + offset);
    if (ok === null || payload === null) return null;
    results.push({ ok: ok === 1, data: payload });
  }
  return results;
};

/** The `bytes` whose offset is the second word of the tuple at `tuple`. */
const dynamicAt = (data: Bytes, tuple: number): Bytes | null => {
  const offset = sizeAt(data, tuple + WORD, data.length);
  const length = offset === null ? null : sizeAt(data, tuple + offset, data.length);
  if (offset === null || length === null) return null;
  const start = tuple + offset + WORD;
  if (start + length > data.length) return null;
  return length === 0 ? EMPTY : data.subarray(start, start + length);
};

/** True only for the ABI encoding of `true`. */
export const isTrue = (result: CallResult): boolean => result.ok && toHex(result.data) === word(1);
