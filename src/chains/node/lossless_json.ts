/**
 * JSON whose integers may be larger than a JavaScript number holds: int64 amounts of Tron, u64 of Solana. Integers of
 * sixteen digits and more come out as text, all others as numbers; text inside strings stays what it is.
 */
import { BadAnswer } from "./answer.ts";
import { parseJson } from "./connection.ts";

/** From sixteen digits on a number may lose some. */
const HAS_LONG = /[:[,]\s*-?\d{16}/;
/** A string, which is left alone, or a long integer that stands as a value: no fraction and no exponent. */
const STRING_OR_LONG = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** @throws BadAnswer */
export const parseLossless = (text: string): unknown =>
  parseJson(
    HAS_LONG.test(text) ? text.replace(STRING_OR_LONG, (one) => (one.startsWith('"') ? one : `"${one}"`)) : text,
  );

/** An integer of either form. @throws BadAnswer */
export const integerOf = (value: unknown, what: string): bigint => {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw new BadAnswer(`${what} is no integer`);
};
