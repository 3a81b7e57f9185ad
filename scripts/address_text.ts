/** Addresses as the files of `knowledge/` write them, as code. */
import { fromBase58 } from "../src/lib/base58.ts";
import { type Hex, hex, toHex } from "../src/lib/bytes.ts";

const HEX_ADDRESS = /^[0-9a-f]{40}$/;

/** @param text hex, or base58 of Solana @throws Error for text that is neither */
export const addressHex = (text: string): Hex => {
  if (HEX_ADDRESS.test(text)) return hex(text);
  const bytes = fromBase58(text);
  if (bytes === null) throw new Error(`knowledge: ${text} is no address`);
  return toHex(bytes);
};

export const hexCall = (address: string): string => `hex("${address}")`;
