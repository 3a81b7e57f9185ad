import { toBase58 } from "../lib/base58.ts";
import { type Bytes, toHex } from "../lib/bytes.ts";

/** The CBOR map that compilers append to code, with its two length bytes (docs.soliditylang.org, contract metadata). */

const LENGTH_BYTES = 2;
const TAIL_BYTES_MAX = 256;

export interface SplitCode {
  readonly code: Bytes;
  /** Null when the code ends without metadata. */
  readonly tail: Bytes | null;
}

/** Code before the metadata, and the metadata including its length bytes. */
export const splitCode = (runtime: Bytes): SplitCode => {
  const end = runtime.length;
  if (end < LENGTH_BYTES) return { code: runtime, tail: null };
  const size = ((runtime[end - 2] ?? 0) << 8) + (runtime[end - 1] ?? 0) + LENGTH_BYTES;
  if (size > TAIL_BYTES_MAX || size > end) return { code: runtime, tail: null };
  const tail = runtime.subarray(end - size);
  // 0xa1 to 0xa4: a map of one to four entries.
  const is_map = (tail[0] ?? 0) >= 0xa1 && (tail[0] ?? 0) <= 0xa4;
  return is_map ? { code: runtime.subarray(0, end - size), tail } : { code: runtime, tail: null };
};

export interface TailFacts {
  /** `ipfs://…` or `bzz-raw://…` of the compiler's metadata file. */
  readonly metadata_hash: string | null;
  /** `0.8.37`; null when the compiler did not write it. */
  readonly solc_version: string | null;
}

type CborValue = Bytes | string | boolean;

/** One CBOR item of the kinds that compilers write: byte string, text, boolean (RFC 8949). Null for any other. */
const itemAt = (tail: Bytes, at: number): { value: CborValue; next: number } | null => {
  const head = tail[at] ?? 0xff;
  if (head === 0xf4 || head === 0xf5) return { value: head === 0xf5, next: at + 1 };
  const kind = head >> 5;
  if (kind !== 2 && kind !== 3) return null;
  const small = head & 0x1f;
  const first = small === 24 ? at + 2 : at + 1;
  const length = small === 24 ? (tail[at + 1] ?? 0xff) : small;
  if (small > 24 || first + length > tail.length) return null;
  const bytes = tail.subarray(first, first + length);
  return { value: kind === 2 ? bytes : Buffer.from(bytes).toString("latin1"), next: first + length };
};

const entriesOf = (tail: Bytes): ReadonlyMap<string, CborValue> => {
  const entries = new Map<string, CborValue>();
  let at = 1;
  for (let left = (tail[0] ?? 0) & 0x1f; left > 0; left -= 1) {
    const key = itemAt(tail, at);
    const value = key === null ? null : itemAt(tail, key.next);
    if (key === null || value === null || typeof key.value !== "string") break;
    entries.set(key.value, value.value);
    at = value.next;
  }
  return entries;
};

/** Decodes the metadata at the end of code. */
export const tailFacts = (tail: Bytes): TailFacts => {
  const entries = entriesOf(tail.subarray(0, tail.length - LENGTH_BYTES));
  const [ipfs, bzz1, bzz0, solc] = ["ipfs", "bzzr1", "bzzr0", "solc"].map((key) => entries.get(key));
  const swarm = bzz1 ?? bzz0;
  const metadata_hash =
    ipfs instanceof Uint8Array
      ? `ipfs://${toBase58(ipfs)}`
      : swarm instanceof Uint8Array
        ? `bzz-raw://${toHex(swarm)}`
        : null;
  const is_version = solc instanceof Uint8Array && solc.length === 3;
  return { metadata_hash, solc_version: is_version ? [...solc].join(".") : null };
};
