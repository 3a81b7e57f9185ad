import { type Hex, hex, keccak256, toHex } from "../../lib/bytes.ts";

const ADDRESS = /^0x([0-9a-fA-F]{40})$/;

/**
 * 20 bytes as canonical hex. Digits of one case carry no checksum; mixed case must match EIP-55. Rejects a `0X` prefix
 * or none.
 */
export const parseAddress = (text: string): Hex | null => {
  const digits = ADDRESS.exec(text)?.[1];
  if (digits === undefined) return null;
  const lower = hex(digits.toLowerCase());
  if (digits === lower || digits === digits.toUpperCase()) return lower;
  return formatAddress(lower) === `0x${digits}` ? lower : null;
};

/** Identifiers of another length in the position of an address (a pool inside another contract) have no checksum. */
const ADDRESS_DIGITS = 40;

/** EIP-55: a letter is a capital if the hash of the lower-case text has a nibble of 8 or more. */
export const formatAddress = (address: Hex): string => {
  if (address.length !== ADDRESS_DIGITS) return `0x${address}`;
  const hash = toHex(keccak256(Buffer.from(address, "latin1")));
  let text = "0x";
  for (let i = 0; i < address.length; i += 1) {
    const digit = address.charAt(i);
    text += hash.charAt(i) >= "8" ? digit.toUpperCase() : digit;
  }
  return text;
};

const HASH = /^0x[0-9a-fA-F]{64}$/;

export const parseHash = (text: string): Hex | null => (HASH.test(text) ? hex(text.slice(2).toLowerCase()) : null);

export const formatHash = (hash: Hex): string => `0x${hash}`;
