/** Possible meanings of a pasted text by its format alone, without a request. */

export type AddressFamily = "evm" | "tron" | "solana";

export type RecognisedText =
  | { readonly kind: "address"; readonly text: string; readonly families: readonly AddressFamily[] }
  | { readonly kind: "transaction"; readonly text: string; readonly families: readonly AddressFamily[] }
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "symbol"; readonly text: string };

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Number of bytes of a base58 text; null when it is not base58, or too long. */
export const base58Length = (text: string): number | null => {
  if (text === "" || text.length > 90) return null;
  let value = 0n;
  for (const sign of text) {
    const digit = BASE58.indexOf(sign);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const digits = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return zeros + digits;
};

/** The last part of an explorer's address, or the text itself. */
const withoutAddressBar = (text: string): string =>
  /^https?:\/\//i.test(text) ? (text.split(/[?#]/, 1)[0]?.replace(/\/+$/, "").split("/").at(-1) ?? text) : text;

const SYMBOL_LENGTH_MAX = 32;

/** Null when the text can be nothing that this service knows. */
export const recognise = (given: string): RecognisedText | null => {
  const text = withoutAddressBar(given.trim());
  if (text === "" || /\s/.test(text)) return null;
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { kind: "address", text, families: ["evm"] };
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { kind: "transaction", text, families: ["evm", "tron"] };
  if (/^[0-9a-f]{64}$/i.test(text)) return { kind: "transaction", text, families: ["tron", "evm"] };
  if (/^(0x)?41[0-9a-f]{40}$/i.test(text)) return { kind: "address", text, families: ["tron"] };
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text) && base58Length(text) === 25)
    return { kind: "address", text, families: ["tron"] };
  const bytes = base58Length(text);
  if (bytes === 32 && text.length >= 32) return { kind: "address", text, families: ["solana"] };
  if (bytes === 64 && text.length >= 64) return { kind: "transaction", text, families: ["solana"] };
  if (/^[^.]+(\.[^.]+)+$/u.test(text) && text.length <= 255) return { kind: "name", text };
  const symbol = text.replace(/^\$/, "");
  return symbol !== "" && [...symbol].length <= SYMBOL_LENGTH_MAX && !/^0x/i.test(symbol)
    ? { kind: "symbol", text: symbol }
    : null;
};
