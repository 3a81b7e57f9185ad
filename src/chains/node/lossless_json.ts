/**
 * Parses JSON whose integers may exceed a JavaScript number: int64 amounts of Tron, u64 of Solana. Integers of sixteen
 * digits and more become text, all others numbers; text inside strings stays unchanged.
 */
import { BadAnswer } from "./answer.ts";
import { parseJson } from "./connection.ts";

/** A number of sixteen digits or more may lose some. */
const HAS_LONG = /[:[,]\s*-?\d{16}/;
/** A string, which stays unchanged, or a long integer that is a value: no fraction and no exponent. */
const STRING_OR_LONG = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** @throws BadAnswer */
export const parseLossless = (text: string): unknown =>
  parseJson(
    HAS_LONG.test(text) ? text.replace(STRING_OR_LONG, (one) => (one.startsWith('"') ? one : `"${one}"`)) : text,
  );

/** An integer in either form. @throws BadAnswer */
export const integerOf = (value: unknown, what: string): bigint => {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw new BadAnswer(`${what} is not an integer`);
};
