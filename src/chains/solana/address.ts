import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { type Bytes, fromHex, type Hex, toHex } from "../../lib/bytes.ts";

export const ADDRESS_BYTES = 32;
export const SIGNATURE_BYTES = 64;
/**
 * Base58 of 32 bytes has 32 to 44 digits, of 64 bytes 64 to 88; the time to decode grows with the square of the length.
 */
const DIGITS_MAX: ReadonlyMap<number, number> = new Map([
  [ADDRESS_BYTES, 44],
  [SIGNATURE_BYTES, 88],
]);

/** Base58 of exactly `length` bytes (32 or 64); null for anything else. */
export const fixedBase58 = (text: string, length: number): Bytes | null => {
  if (text.length < length || text.length > (DIGITS_MAX.get(length) ?? 0)) return null;
  const bytes = fromBase58(text);
  return bytes?.length === length ? bytes : null;
};

const hexOf = (text: string, length: number): Hex | null => {
  const bytes = fixedBase58(text, length);
  return bytes === null ? null : toHex(bytes);
};

/** Base58 of 32 bytes; there is no checksum. */
export const parseAddress = (text: string): Hex | null => hexOf(text, ADDRESS_BYTES);

/** The first signature of a transaction is its id: base58 of 64 bytes. */
export const parseHash = (text: string): Hex | null => hexOf(text, SIGNATURE_BYTES);

/** Base58 of an address, of a block's hash or of a signature. */
export const formatBase58 = (hex: Hex): string => toBase58(fromHex(hex) ?? new Uint8Array(0));
