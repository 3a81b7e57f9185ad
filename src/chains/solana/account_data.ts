/** Accounts of the token programs and of Metaplex, byte by byte (spl-token state.rs, spl-token-2022 extension/mod.rs). */
import type { Bytes } from "../../lib/bytes.ts";
import { keyAt, u16At, u32At, u64At } from "./integers.ts";

export interface Mint {
  /** Null if the supply is fixed. */
  readonly mint_authority: Bytes | null;
  readonly supply: bigint;
  readonly decimals: number;
  /** Null if the token cannot be frozen. */
  readonly freeze_authority: Bytes | null;
  readonly extensions: Extensions;
  /** False if the list of extensions is cut off or overlong. */
  readonly is_whole: boolean;
}

export interface TokenAccountData {
  readonly mint: Bytes;
  readonly owner: Bytes;
  readonly amount: bigint;
  readonly state: "uninitialized" | "initialized" | "frozen";
  /** Null if no account may take from it. */
  readonly delegate: Bytes | null;
  readonly delegated: bigint;
}

/** Token-2022: number of the extension -> its bytes. */
export type Extensions = ReadonlyMap<number, Bytes>;

/** A token's own name and symbol; text as on the chain. */
export interface TokenMetadataAccount {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** Null if it cannot be changed. */
  readonly update_authority: Bytes | null;
  /** Null if the bytes end before the flag. */
  readonly is_mutable: boolean | null;
}

const MINT_BYTES = 82;
const ACCOUNT_BYTES = 165;
/** The byte after the length of the longest old account is the type: 1 = mint, 2 = token account. */
const MINT_TYPE = 1;
const TOKEN_METADATA_EXTENSION = 19;

/** Null if the bytes are not an initialised mint. */
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
    ...extensionsOf(data),
  };
};

/** Null if the bytes are not a token account. */
export const readTokenAccount = (data: Bytes): TokenAccountData | null => {
  if (data.length < ACCOUNT_BYTES || (data.length > ACCOUNT_BYTES && data[ACCOUNT_BYTES] === MINT_TYPE)) return null;
  const mint = keyAt(data, 0);
  const owner = keyAt(data, 32);
  const amount = u64At(data, 64);
  const state = (["uninitialized", "initialized", "frozen"] as const)[data[108] ?? 3];
  const delegated = u64At(data, 121);
  if (mint === null || owner === null || amount === null || state === undefined || delegated === null) return null;
  return { mint, owner, amount, state, delegate: optionalKey(data, 72), delegated };
};

/** An option of four bytes, and the key. */
const optionalKey = (data: Bytes, at: number): Bytes | null => (u32At(data, at) === 1 ? keyAt(data, at + 4) : null);

/** Type and length of two bytes each, then the value. Type 0 ends the list, and so do fewer than two bytes. */
const extensionsOf = (data: Bytes): Pick<Mint, "extensions" | "is_whole"> => {
  const extensions = new Map<number, Bytes>();
  let at = ACCOUNT_BYTES + 1;
  for (;;) {
    const type = u16At(data, at);
    if (type === null || type === 0) return { extensions, is_whole: true };
    const length = u16At(data, at + 2);
    if (length === null || at + 4 + length > data.length) return { extensions, is_whole: false };
    // The program uses the first extension of a type.
    if (!extensions.has(type)) extensions.set(type, data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
};

/** Token-2022 stores name and symbol in the mint itself: update authority (zeros: none), mint, then texts. */
export const describedByExtension = (extensions: Extensions): TokenMetadataAccount | null => {
  const data = extensions.get(TOKEN_METADATA_EXTENSION);
  const authority = data === undefined ? null : keyAt(data, 0);
  const texts = data === undefined ? null : textsAt(data, 64);
  if (texts === null || authority === null) return null;
  const is_mutable = authority.some((byte) => byte !== 0);
  return { ...texts.read, update_authority: is_mutable ? authority : null, is_mutable };
};

const METAPLEX_METADATA = 4;
const CREATOR_BYTES = 34;

/**
 * Metaplex: kind, update authority, mint, texts padded with zeros, royalty of two bytes, an option of creators, a flag
 * of the first sale, and whether it may change (mpl-token-metadata, accounts::Metadata).
 */
export const describedByMetaplex = (data: Bytes, mint: Bytes): TokenMetadataAccount | null => {
  const of = keyAt(data, 33);
  if (data[0] !== METAPLEX_METADATA || of === null || Buffer.compare(of, mint) !== 0) return null;
  const texts = textsAt(data, 65);
  if (texts === null) return null;
  const option = texts.end + 2;
  const creators = data[option] === 1 ? u32At(data, option + 1) : 0;
  const flag =
    creators === null ? undefined : data[option + (data[option] === 1 ? 5 + creators * CREATOR_BYTES : 1) + 1];
  return { ...texts.read, update_authority: keyAt(data, 1), is_mutable: flag === undefined ? null : flag === 1 };
};

const textsAt = (data: Bytes, start: number) => {
  const texts: string[] = [];
  let at = start;
  for (let i = 0; i < 3; i += 1) {
    const length = u32At(data, at);
    if (length === null || at + 4 + length > data.length) return null;
    texts.push(Buffer.from(data.subarray(at + 4, at + 4 + length)).toString("utf8"));
    at += 4 + length;
  }
  const [name = "", symbol = "", uri = ""] = texts;
  return { read: { name, symbol, uri }, end: at };
};
