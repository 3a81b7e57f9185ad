/** Reads values of Ethereum's JSON-RPC. Each function throws `BadAnswer` (node/answer.ts). */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import { BadAnswer } from "../node/answer.ts";

/** Quantities are at most 32 bytes: 64 digits and the prefix. */
const QUANTITY_LENGTH_MAX = 66;

/** A `0x…` quantity. JavaScript reads `0x` + digits natively, which is the fast path; anything else is rejected. */
export const quantityOf = (value: unknown, what: string): bigint => {
  const digits = quantityText(value, what);
  try {
    return BigInt(digits);
  } catch {
    throw new BadAnswer(`${what} is not a quantity`);
  }
};

/** A quantity that must fit a JavaScript integer: block numbers, indexes, times, nonces. */
export const countOf = (value: unknown, what: string): number => {
  const count = Number(quantityText(value, what));
  if (!Number.isSafeInteger(count)) throw new BadAnswer(`${what} is not a count`);
  return count;
};

const quantityText = (value: unknown, what: string): string => {
  if (typeof value !== "string" || value.length < 3 || value.length > QUANTITY_LENGTH_MAX || !value.startsWith("0x"))
    throw new BadAnswer(`${what} is not a quantity`);
  return value;
};

/** Like `quantityOf`, with null for an absent field. */
export const quantityOrNull = (value: unknown, what: string): bigint | null =>
  value === undefined || value === null ? null : quantityOf(value, what);

/** `0x…` data of any length; bytes stay as they are. */
export const dataOf = (value: unknown, what: string): Bytes => {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== "string" || !value.startsWith("0x") || value.length % 2 !== 0)
    throw new BadAnswer(`${what} is not data`);
  if (value.length === 2) return EMPTY;
  const bytes = Buffer.from(value.slice(2), "hex");
  if (bytes.length * 2 + 2 !== value.length) throw new BadAnswer(`${what} is not data`);
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

/** Null is a creation. Some nodes send the empty string or `0x` instead. */
export const recipientOf = (value: unknown, what: string): Bytes | null =>
  value === null || value === undefined || value === "" || value === "0x" ? null : addressOf(value, what);

export const quantity = (value: number): string => `0x${value.toString(16)}`;
