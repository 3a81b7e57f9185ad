/** Encodes lists of fields for hashing (yellow paper, appendix B). */
import { from } from "ox/Rlp";
import { type Bytes, EMPTY } from "../../lib/bytes.ts";

type Item = Bytes | readonly Item[];

/** A list of byte strings, and of such lists. */
export const rlpOf = (fields: readonly Item[]): Bytes => from(fields, { as: "Bytes" });

/** An integer in such a list: big-endian without leading zeros, empty for 0. */
export const digitsOf = (value: bigint): Bytes => {
  if (value === 0n) return EMPTY;
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
};
