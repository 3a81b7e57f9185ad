import { sha256 } from "@noble/hashes/sha2.js";
import { base58, createBase58check } from "@scure/base";
import type { Bytes } from "./bytes.ts";

const checked = createBase58check(sha256);

/** Bytes of base58 text; null when a character is not in the alphabet. */
export const fromBase58 = (text: string): Bytes | null => {
  try {
    return base58.decode(text);
  } catch {
    return null; // the library's only way to say "not base58"
  }
};

/** Bytes of base58check text without the checksum; null when the alphabet or the checksum is wrong. */
export const fromBase58Check = (text: string): Bytes | null => {
  try {
    return checked.decode(text);
  } catch {
    return null; // the library's only way to say "not base58check"
  }
};

/** Base58 in Bitcoin's alphabet, as IPFS writes the hash of a file. */
export const toBase58 = (bytes: Bytes): string => base58.encode(bytes);

/** Base58 text with a checksum at its end. */
export const toBase58Check = (bytes: Bytes): string => checked.encode(bytes);
