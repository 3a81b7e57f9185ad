import { type Hex, toHex } from "../../lib/bytes.ts";
import type { ImportScope } from "./parsed_list.ts";

const BYTES_FAMILIES: readonly string[] = ["evm", "tron", "solana"];
const ADDRESS_CHARACTERS_MAX = 128;
const IS_HEX_ADDRESS = /^0x[0-9a-f]{40}$/i;

const utf8Hex = (text: string): Hex => toHex(Buffer.from(text, "utf8"));

/**
 * The family of a sanctions list's address. The format decides, not the asset code: an EVM address counts on every EVM
 * network regardless of its code, and `USDT` or `USDC` may be a Tron or a Solana address. A wrong EIP-55 checksum does not
 * exempt an address.
 * Null when the text is not an address.
 */
export const sanctionedAddress = (
  said: { readonly text: string; readonly asset_code: string; readonly family: string },
  scope: ImportScope,
): { readonly family: string; readonly address: Hex } | null => {
  const { asset_code, family } = said;
  const text = said.text.trim();
  const parse = (of: string, form: string) => {
    const address = scope.parseAddress(of, form);
    return address === null ? null : { family: of, address };
  };
  if (BYTES_FAMILIES.includes(family)) return parse(family, IS_HEX_ADDRESS.test(text) ? text.toLowerCase() : text);
  if (IS_HEX_ADDRESS.test(text)) return parse("evm", text.toLowerCase());
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) {
    const tron = parse("tron", text);
    if (tron !== null) return tron;
  }
  // No other listed coin has addresses of 32 bytes in base58, without a checksum or a prefix.
  const solana = parse("solana", text);
  if (solana !== null || asset_code === "SOL") return solana;
  const other = family === "" ? asset_code.toLowerCase() : family;
  const is_text = /^[\x21-\x7e]+$/.test(text) && text.length <= ADDRESS_CHARACTERS_MAX;
  return is_text && /^[a-z0-9]{2,16}$/.test(other) ? { family: other, address: utf8Hex(text) } : null;
};
