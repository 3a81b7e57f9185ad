/**
 * Reads JSON that a Solana node sent. Every value is `unknown` until one of these functions checks it. Each throws
 * `BadAnswer`, whose text names the field.
 */
import { fromBase58 } from "../../lib/base58.ts";
import type { Bytes } from "../../lib/bytes.ts";
import { BadAnswer } from "../node/answer.ts";
import { ADDRESS_BYTES, fixedBase58, SIGNATURE_BYTES } from "./address.ts";

const U64_MAX = 2n ** 64n - 1n;
const U64_DIGITS_MAX = 20;
const I64_MAX = 2n ** 63n - 1n;

/** An unsigned integer of 64 bits, as a number or in decimal digits. */
export const u64Of = (value: unknown, what: string): bigint => {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "string" && value.length <= U64_DIGITS_MAX && /^\d+$/.test(value)) {
    const number = BigInt(value);
    if (number <= U64_MAX) return number;
  }
  throw new BadAnswer(`${what} is not a u64`);
};

/** A signed integer of 64 bits. */
export const i64Of = (value: unknown, what: string): bigint => {
  const is_negative = (typeof value === "number" && value < 0) || (typeof value === "string" && value.startsWith("-"));
  const size = u64Of(is_negative ? String(value).slice(1) : value, what);
  if (size > I64_MAX) throw new BadAnswer(`${what} is not an i64`);
  return is_negative ? -size : size;
};

/** An integer of 0 to `max`: a slot, position or time. */
export const indexOf = (value: unknown, what: string, max: number = Number.MAX_SAFE_INTEGER): number => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || value > max)
    throw new BadAnswer(`${what} is not a position`);
  return value;
};

const fixedOf = (value: unknown, length: number, what: string): Bytes => {
  const bytes = typeof value === "string" ? fixedBase58(value, length) : null;
  if (bytes === null) throw new BadAnswer(`${what} is not base58 of ${length} bytes`);
  return bytes;
};

/** An address or a block's hash: 32 bytes in base58. */
export const keyOf = (value: unknown, what: string): Bytes => fixedOf(value, ADDRESS_BYTES, what);
export const signatureOf = (value: unknown, what: string): Bytes => fixedOf(value, SIGNATURE_BYTES, what);

/** Keys of one block, each decoded once: the same programs, mints and wallets recur. */
export class Keys {
  readonly #known = new Map<string, Bytes>();

  of(value: unknown, what: string): Bytes {
    const known = typeof value === "string" ? this.#known.get(value) : undefined;
    if (known !== undefined) return known;
    const key = keyOf(value, what);
    this.#known.set(String(value), key);
    return key;
  }
}

/** Longest instruction data that is decoded: data of the token and system programs is far shorter. */
const DATA_DIGITS_MAX = 2_048;

/** Data of an instruction; empty if it is longer than anything decoded here. */
export const dataOf = (value: unknown, what: string): Bytes => {
  if (typeof value !== "string") throw new BadAnswer(`${what} is not data`);
  const bytes = value.length > DATA_DIGITS_MAX ? new Uint8Array(0) : fromBase58(value);
  if (bytes === null) throw new BadAnswer(`${what} is not base58`);
  return bytes;
};

/** The decoder skips characters that are not base64 digits, so that bytes would be missing. */
export const base64Of = (value: unknown, what: string): Bytes => {
  if (typeof value !== "string") throw new BadAnswer(`${what} is not base64`);
  const bytes = Buffer.from(value, "base64");
  const padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
  if (bytes.length !== Math.floor(((value.length - padding) * 3) / 4)) throw new BadAnswer(`${what} is not base64`);
  return bytes;
};
