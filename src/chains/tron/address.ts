/** Tron writes an address as base58check of 21 bytes: 41 and the 20 bytes of the EVM (java-tron, DecodeUtil). */
import { fromBase58Check, toBase58Check } from "../../lib/base58.ts";
import { fromHex, type Hex, hex, toHex } from "../../lib/bytes.ts";

const PREFIX = 0x41;
const BASE58_ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const HEX_ADDRESS = /^41([0-9a-fA-F]{40})$/;
const ADDRESS_DIGITS = 40;

/** The 20 bytes of `T…` or of `41` and 40 hex digits. */
export const parseAddress = (text: string): Hex | null => {
  const digits = HEX_ADDRESS.exec(text)?.[1];
  if (digits !== undefined) return hex(digits.toLowerCase());
  const bytes = BASE58_ADDRESS.test(text) ? fromBase58Check(text) : null;
  return bytes?.length === 21 && bytes[0] === PREFIX ? toHex(bytes.subarray(1)) : null;
};

const PRINTABLE = /^[\x21-\x7e]{1,32}$/;

/** `T…`; the id of a TRC-10 token, which is no address, as its own text. */
export const formatAddress = (address: Hex): string => {
  const bytes = fromHex(address);
  if (bytes !== null && address.length === ADDRESS_DIGITS) return toBase58Check(Uint8Array.from([PREFIX, ...bytes]));
  const text = Buffer.from(address, "hex").toString("latin1");
  return PRINTABLE.test(text) ? text : `0x${address}`;
};

const HASH = /^[0-9a-fA-F]{64}$/;

export const parseHash = (text: string): Hex | null => (HASH.test(text) ? hex(text.toLowerCase()) : null);

/** Without `0x`, as explorers of Tron write it. */
export const formatHash = (hash: Hex): string => hash;
