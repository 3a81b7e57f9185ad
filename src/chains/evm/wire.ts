/**
 * Reading of JSON-RPC values that a node sent: everything is `unknown` until one of these has looked at it.
 * Each throws `BadAnswer`, whose text names the field and never the value's owner.
 */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";

/** What a node said is not what the protocol says. The endpoint is to blame, never the data. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

export type Fields = { readonly [name: string]: unknown };

export const fieldsOf = (value: unknown, what: string): Fields => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new BadAnswer(`${what} is no object`);
  // A non-null object that is no array has string keys with unknown values.
  return value as Fields;
};

export const listOf = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new BadAnswer(`${what} is no list`);
  return value;
};

export const textOf = (value: unknown, what: string): string => {
  if (typeof value !== "string") throw new BadAnswer(`${what} is no text`);
  return value;
};

/** Quantities are at most 32 bytes: 64 digits and the prefix. */
const QUANTITY_LENGTH_MAX = 66;

/** A `0x…` quantity. JavaScript reads `0x` + digits natively, which is the fast path; anything else is refused. */
export const quantityOf = (value: unknown, what: string): bigint => {
  const digits = quantityText(value, what);
  try {
    return BigInt(digits);
  } catch {
    throw new BadAnswer(`${what} is no quantity`);
  }
};

/** A quantity that must fit a JavaScript integer: block numbers, indexes, times, nonces. */
export const countOf = (value: unknown, what: string): number => {
  const count = Number(quantityText(value, what));
  if (!Number.isSafeInteger(count)) throw new BadAnswer(`${what} is no count`);
  return count;
};

const quantityText = (value: unknown, what: string): string => {
  if (typeof value !== "string" || value.length < 3 || value.length > QUANTITY_LENGTH_MAX || !value.startsWith("0x"))
    throw new BadAnswer(`${what} is no quantity`);
  return value;
};

/** Like `quantityOf`, with null for a field that is absent. */
export const quantityOrNull = (value: unknown, what: string): bigint | null =>
  value === undefined || value === null ? null : quantityOf(value, what);

/** `0x…` data of any length. */
export const dataOf = (value: unknown, what: string): Bytes => {
  if (typeof value !== "string" || !value.startsWith("0x") || value.length % 2 !== 0)
    throw new BadAnswer(`${what} is no data`);
  if (value.length === 2) return EMPTY;
  const bytes = Buffer.from(value.slice(2), "hex");
  if (bytes.length * 2 + 2 !== value.length) throw new BadAnswer(`${what} is no data`);
  return bytes;
};

/** `0x…` data of exactly `length` bytes. */
const fixedOf = (value: unknown, length: number, what: string): Bytes => {
  if (typeof value !== "string" || value.length !== length * 2 + 2 || !value.startsWith("0x"))
    throw new BadAnswer(`${what} is not ${length} bytes`);
  const bytes = Buffer.from(value.slice(2), "hex");
  if (bytes.length !== length) throw new BadAnswer(`${what} is not ${length} bytes`);
  return bytes;
};

export const addressOf = (value: unknown, what: string): Bytes => fixedOf(value, 20, what);
export const hashOf = (value: unknown, what: string): Bytes => fixedOf(value, 32, what);
export const bloomOf = (value: unknown, what: string): Bytes => fixedOf(value, 256, what);

/** Null stands for a creation. Some nodes send the empty string or `0x` instead. */
export const recipientOf = (value: unknown, what: string): Bytes | null =>
  value === null || value === undefined || value === "" || value === "0x" ? null : addressOf(value, what);

export const quantity = (value: number): string => `0x${value.toString(16)}`;
