/**
 * Accounts of the Solana Name Service and their content (Bonfida/sns-sdk, js-kit: domain, record, nft, address). The
 * address of a name follows from a hash of its label, the class of its kind and the name above it.
 */
import { createHash, createPublicKey, verify } from "node:crypto";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { type Bytes, equalBytes, toHex } from "../../lib/bytes.ts";
import { derivedAddress } from "./derived_address.ts";
import { keyAt, u16At, u32At } from "./integers.ts";

const key = (text: string): Bytes => fromBase58(text) ?? new Uint8Array(0);

export const NAME_PROGRAM = key("namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX");
export const TOKENIZER_PROGRAM = key("nftD3vbNkNqfj2Sd3HZwbpw4BxxKWr4AjGb9X38JeZk");
export const OFFERS_PROGRAM = key("85iDfUvr3HJyLM2zcq5BXSiDvUWfw6cSE1FfNBo8Ap29");
/** Parent of every name, once called `sol`. */
export const ROOT = key("58PwtjSDuFHuUkYjH9BYnnQKHfwo9reZhC2zMJv9JPkx");
const REVERSE_CLASS = key("33m47vH6Eav6jr5Ry86XjhRft2jRBLDnDgPSHoquXi2Z");
const RECORD_CLASS = key("2pMnqHvei2N5oDcVGCRdZx48gqti199wr5CsyTTafsbo");
const NO_KEY = new Uint8Array(32);

const derived = (text: string, parent: Bytes, of_class: Bytes = NO_KEY): Bytes => {
  const hash = createHash("sha256").update(`SPL Name Service${text}`).digest();
  return derivedAddress([hash, of_class, parent], NAME_PROGRAM);
};

/**
 * First slot from which `.sol` belongs to another program, and these accounts only to `.sns` (SolanaNameService/sns-sdk
 * js/src/config.ts, SOL_TLD_CUTOFF_SLOT, its own estimate; the other program is
 * srsWjm76StJucL7atFyPSdXFaVLNPFqEt1uFEDPrZsn).
 */
export const SOL_MIGRATION_SLOT = 452_825_395;
const TOPS: readonly string[] = ["sns", "sol"];

/** Account of `alice.sns` or `pay.alice.sns`, or of the same names under `.sol`; null for any other name. */
export const nameAddress = (name: string): Bytes | null => {
  const labels = name.split(".");
  const [top, domain, sub] = labels.reverse();
  if (
    top === undefined ||
    !TOPS.includes(top) ||
    domain === undefined ||
    domain === "" ||
    sub === "" ||
    labels.length > 3
  )
    return null;
  const parent = derived(domain, ROOT);
  return sub === undefined ? parent : derived(`\0${sub}`, parent);
};

/** Records of the address to pay: first version, second version. */
export const recordAddresses = (name: Bytes): readonly [Bytes, Bytes] => [
  derived("\x01SOL", name),
  derived("\x02SOL", name, RECORD_CLASS),
];

const word = (text: string): Bytes => Buffer.from(text, "utf8");
export const tokenRecordAddress = (name: Bytes): Bytes => derivedAddress([word("nft_record"), name], TOKENIZER_PROGRAM);
export const tokenMint = (name: Bytes): Bytes => derivedAddress([word("tokenized_name"), name], TOKENIZER_PROGRAM);
export const favouriteAddress = (wallet: Bytes): Bytes =>
  derivedAddress([word("favourite_domain"), wallet], OFFERS_PROGRAM);
/** `parent`: for a name below another; null directly below the ending. */
export const reverseAddress = (name: Bytes, parent: Bytes | null): Bytes =>
  derived(toBase58(name), parent ?? NO_KEY, REVERSE_CLASS);

export interface RegisteredName {
  readonly parent: Bytes;
  readonly owner: Bytes;
}

const HEADER_BYTES = 96;

/** Parent, owner and class of any name account; null if the bytes end before. */
export const readRegistered = (data: Bytes): RegisteredName | null => {
  const [parent, owner] = [keyAt(data, 0), keyAt(data, 32)];
  return parent === null || owner === null || data.length < HEADER_BYTES ? null : { parent, owner };
};

const ACTIVE = 2;

/** A token represents the name, and the holder of the token owns it. */
export const isTokenized = (data: Bytes): boolean => data[0] === ACTIVE;

/** The favourite that the name's owner chose: a tag, then the account of the name. */
export const readFavourite = (data: Bytes): Bytes | null => keyAt(data, 1);

const NAME_BYTES_MAX = 255;

/** The label in a reverse account, or null. A label below another begins with a zero byte. */
export const readReverse = (data: Bytes): string | null => {
  const length = u32At(data, HEADER_BYTES);
  if (length === null || length > NAME_BYTES_MAX || data.length < HEADER_BYTES + 4 + length) return null;
  const label = Buffer.from(data.subarray(HEADER_BYTES + 4, HEADER_BYTES + 4 + length))
    .toString("utf8")
    .replace(/^\0/, "");
  return label === "" || label.includes(".") ? null : label;
};

/** Kinds of proof: none, Solana, Ethereum, Solana not yet checked; each with the length of the prover's key. */
const PROOF_BYTES: readonly number[] = [0, 32, 20, 32];
const BY_SOLANA = 1;

/**
 * `address`: the address of the record; `stale`: its writer no longer owns the name; `invalid`: it must not be
 * followed.
 */
export type Record2 = { readonly kind: "address"; readonly address: Bytes } | { readonly kind: "stale" | "invalid" };

/** Second version: kinds of both proofs, length; the writer, the subject that agreed, and the address itself. */
export const readRecord2 = (data: Bytes, owner: Bytes): Record2 => {
  const body = data.subarray(HEADER_BYTES + 8);
  const [writer_kind, agreed_kind] = [u16At(data, HEADER_BYTES), u16At(data, HEADER_BYTES + 2)];
  const writer_bytes = PROOF_BYTES[writer_kind ?? -1];
  const agreed_bytes = PROOF_BYTES[agreed_kind ?? -1];
  if (writer_bytes === undefined || agreed_bytes === undefined) return { kind: "invalid" };
  const content = body.subarray(writer_bytes + agreed_bytes);
  if (content.length !== 32 || writer_kind !== BY_SOLANA || agreed_kind !== BY_SOLANA) return { kind: "invalid" };
  if (!equalBytes(body.subarray(0, 32), owner)) return { kind: "stale" };
  return equalBytes(body.subarray(32, 64), content) ? { kind: "address", address: content } : { kind: "invalid" };
};

/** Prefixes of an Ed25519 key in PKCS #8 and SPKI (RFC 8410, section 4). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

/** First version: an address, and the owner's signature of the hex text of that address and the record's own. */
export const readRecord1 = (data: Bytes, { record, owner }: { record: Bytes; owner: Bytes }): Bytes | null => {
  const address = keyAt(data, HEADER_BYTES);
  const signature = data.subarray(HEADER_BYTES + 32, HEADER_BYTES + 96);
  if (address === null || signature.length !== 64) return null;
  const signed = Buffer.from(toHex(address) + toHex(record), "latin1");
  try {
    const by = createPublicKey({ key: Buffer.concat([SPKI, owner]), format: "der", type: "spki" });
    return verify(null, signed, by, signature) ? address : null;
  } catch {
    return null; // The owner is not a key that could have signed.
  }
};
