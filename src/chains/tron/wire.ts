/**
 * Reads java-tron's HTTP answers: hex without `0x`, addresses with the prefix 41, integers as numbers or, if long, as
 * text. The node omits fields that are zero or empty (proto3). Each function throws `BadAnswer`.
 */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import { BadAnswer, fieldsOf, type JsonFields } from "../node/answer.ts";
import { integerOf } from "../node/lossless_json.ts";

const PREFIX = "41";
const ADDRESS_DIGITS = 40;
const HASH_BYTES = 32;

/** Hex of any length; empty if the field is omitted. */
export const bytesOf = (value: unknown, what: string): Bytes => {
  if (value === undefined || value === null || value === "") return EMPTY;
  const bytes = typeof value === "string" ? Buffer.from(value, "hex") : null;
  if (bytes === null || bytes.length * 2 !== String(value).length) throw new BadAnswer(`${what} is not hex`);
  return bytes;
};

export const hashOf = (value: unknown, what: string): Bytes => {
  const bytes = bytesOf(value, what);
  if (bytes.length !== HASH_BYTES) throw new BadAnswer(`${what} is not ${HASH_BYTES} bytes`);
  return bytes;
};

/** 20 bytes of `41` and 40 digits. Logs omit the prefix. */
export const addressOf = (value: unknown, what: string): Bytes => {
  const digits = typeof value === "string" ? value : "";
  if (digits.length === ADDRESS_DIGITS) return bytesOf(digits, what);
  if (digits.length !== ADDRESS_DIGITS + PREFIX.length || !digits.startsWith(PREFIX))
    throw new BadAnswer(`${what} is not an address`);
  return bytesOf(digits.slice(PREFIX.length), what);
};

/** Null for an omitted field. */
export const addressOrNull = (value: unknown, what: string): Bytes | null =>
  value === undefined || value === "" ? null : addressOf(value, what);

/** An amount; 0 if the field is omitted. Never negative. */
export const amountOf = (value: unknown, what: string): bigint => {
  const amount = value === undefined ? 0n : integerOf(value, what);
  if (amount < 0n) throw new BadAnswer(`${what} is negative`);
  return amount;
};

/** Like `amountOf`, as a number. */
export const countOf = (value: unknown, what: string): number => {
  const count = Number(amountOf(value, what));
  if (!Number.isSafeInteger(count)) throw new BadAnswer(`${what} is not a count`);
  return count;
};

/** Null for the empty object, with which java-tron reports a missing value. */
export const presentOf = (value: unknown, what: string): JsonFields | null => {
  const fields = fieldsOf(value, what);
  return Object.keys(fields).length === 0 ? null : fields;
};

/** An address as requests write it. */
export const addressText = (address: string): string => PREFIX + address;

const ADDRESS_BYTES = 21;

/** 20 of the 21 bytes in raw data. */
export const addressIn = (bytes: Bytes, what: string): Bytes => {
  if (bytes.length !== ADDRESS_BYTES || bytes[0] !== 0x41) throw new BadAnswer(`${what} is not an address`);
  return bytes.subarray(1);
};

/** The name or id of a TRC-10 token; empty for TRX (`_` in exchanges). */
export const assetIn = (bytes: Bytes): Bytes => (bytes.length === 1 && bytes[0] === 0x5f ? EMPTY : bytes);
