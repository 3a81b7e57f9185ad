/** Accounts of the token programs and of Metaplex, byte by byte (spl-token state.rs, spl-token-2022 extension/mod.rs). */
import type { Bytes } from "../../lib/bytes.ts";
import { keyAt, u16At, u32At, u64At } from "./integers.ts";

export interface Mint {
  /** Null when nobody can mint any more. */
  readonly mint_authority: Bytes | null;
  readonly supply: bigint;
  readonly decimals: number;
  /** Null when nobody can freeze. */
  readonly freeze_authority: Bytes | null;
  readonly extensions: Extensions;
}

export interface TokenAccount {
  readonly mint: Bytes;
  readonly owner: Bytes;
  readonly amount: bigint;
  readonly state: "uninitialized" | "initialized" | "frozen";
}

/** Token-2022: number of the extension -> its bytes. */
export type Extensions = ReadonlyMap<number, Bytes>;

/** What a token says about itself; text as it stands on the chain. */
export interface Described {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
/** Behind the longest account of the first program stands what kind of account it is: 1 = mint, 2 = token account. */
const MINT_TYPE = 1;
const TOKEN_METADATA_EXTENSION = 19;

/** Null when the bytes are no initialised mint. */
export const readMint = (data: Bytes): Mint | null => {
  const is_long = data.length > ACCOUNT_BYTES;
  if (data.length !== MINT_BYTES && !(is_long && data[ACCOUNT_BYTES] === MINT_TYPE)) return null;
  const supply = u64At(data, 36);
  const decimals = data[44];
  if (supply === null || decimals === undefined || data[45] !== 1) return null;
  return {
    mint_authority: optionalKey(data, 0),
    supply,
    decimals,
    freeze_authority: optionalKey(data, 46),
    extensions: extensionsOf(data),
  };
};

/** Null when the bytes are no token account. */
export const readTokenAccount = (data: Bytes): TokenAccount | null => {
  if (data.length < ACCOUNT_BYTES || (data.length > ACCOUNT_BYTES && data[ACCOUNT_BYTES] === MINT_TYPE)) return null;
  const mint = keyAt(data, 0);
  const owner = keyAt(data, 32);
  const amount = u64At(data, 64);
  const state = (["uninitialized", "initialized", "frozen"] as const)[data[108] ?? 3];
  return mint === null || owner === null || amount === null || state === undefined
    ? null
    : { mint, owner, amount, state };
};

/** An option of four bytes, and the key. */
const optionalKey = (data: Bytes, at: number): Bytes | null => (u32At(data, at) === 1 ? keyAt(data, at + 4) : null);

/** Type and length of two bytes each, then the value; what does not fit ends the list. */
const extensionsOf = (data: Bytes): Extensions => {
  const extensions = new Map<number, Bytes>();
  let at = ACCOUNT_BYTES + 1;
  for (;;) {
    const type = u16At(data, at);
    const length = u16At(data, at + 2);
    if (type === null || length === null || type === 0 || at + 4 + length > data.length) return extensions;
    extensions.set(type, data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
};

/** Token-2022 keeps name and symbol in the mint itself: update authority, mint, then texts. */
export const describedByExtension = (extensions: Extensions): Described | null => {
  const data = extensions.get(TOKEN_METADATA_EXTENSION);
  return data === undefined ? null : textsAt(data, 64);
};

const METAPLEX_METADATA = 4;

/** Metaplex: kind, update authority, mint, then texts padded with zeros. */
export const describedByMetaplex = (data: Bytes, mint: Bytes): Described | null => {
  const of = keyAt(data, 33);
  if (data[0] !== METAPLEX_METADATA || of === null || Buffer.compare(of, mint) !== 0) return null;
  return textsAt(data, 65);
};

const textsAt = (data: Bytes, start: number): Described | null => {
  const texts: string[] = [];
  let at = start;
  for (let i = 0; i < 3; i += 1) {
    const length = u32At(data, at);
    if (length === null || at + 4 + length > data.length) return null;
    texts.push(Buffer.from(data.subarray(at + 4, at + 4 + length)).toString("utf8"));
    at += 4 + length;
  }
  const [name = "", symbol = "", uri = ""] = texts;
  return { name, symbol, uri };
};
