import { type Bytes, fromHex, toHex } from "../lib/bytes.ts";
import { splitCode } from "./metadata_tail.ts";
import type { CompiledCode, Match } from "./source.ts";

/** Metadata of contracts within a contract: the 32 bytes of the IPFS hash, between its CBOR key and the compiler's. */
const INNER_METADATA = /(a2646970667358221220)[0-9a-f]{64}(64736f6c6343)/g;
/** A library knows its own address: PUSH20 of zeros in the compiler's output, then ADDRESS EQ (call protection). */
const LIBRARY_HEAD = `73${"00".repeat(20)}3014`;
const ADDRESS_BYTES = 20;

/** The library's own address is also written at deployment. */
const masksOf = ({ code, masks }: CompiledCode): CompiledCode["masks"] =>
  toHex(code.subarray(0, LIBRARY_HEAD.length / 2)) === LIBRARY_HEAD ? [...masks, [1, ADDRESS_BYTES]] : masks;

const masked = (code: Bytes, masks: CompiledCode["masks"]): Bytes => {
  const copy = Uint8Array.from(code);
  for (const [start, length] of masks) copy.fill(0, start, start + length);
  return copy;
};

const withoutInner = (code: Bytes): string => toHex(code).replaceAll(INNER_METADATA, `$1${"0".repeat(64)}$2`);

/**
 * Compares runtime code with compiled code, except bytes written at deployment. `exact_match`: the hash of sources and
 * settings at the end is equal too. `match`: only that hash differs. Null: different code.
 */
export const matchRuntime = (onchain: Bytes, compiled: CompiledCode): Match | null => {
  const masks = masksOf(compiled);
  const [theirs, ours] = [splitCode(masked(onchain, masks)), splitCode(masked(compiled.code, masks))];
  if (ours.code.length === 0 || theirs.code.length !== ours.code.length) return null;
  if (ours.tail !== null && theirs.tail !== null) {
    const is_same = toHex(theirs.code) === toHex(ours.code) && toHex(theirs.tail) === toHex(ours.tail);
    if (is_same) return "exact_match";
  }
  return withoutInner(theirs.code) === withoutInner(ours.code) ? "match" : null;
};

export interface MatchedCreation {
  readonly match: Match;
  /** ABI-encoded; empty when the constructor takes none. */
  readonly constructor_args: Bytes;
}

/** Compares init code with compiled code; the remaining bytes are the constructor's arguments. */
export const matchCreation = (init: Bytes, compiled: CompiledCode): MatchedCreation | null => {
  const size = compiled.code.length;
  if (size === 0 || init.length < size) return null;
  const constructor_args = init.subarray(size);
  const [theirs, ours] = [init.subarray(0, size), compiled.code].map((code) => masked(code, compiled.masks));
  if (theirs === undefined || ours === undefined) return null;
  if (toHex(theirs) === toHex(ours)) {
    return { match: splitCode(ours).tail === null ? "match" : "exact_match", constructor_args };
  }
  return withoutInner(theirs) === withoutInner(ours) ? { match: "match", constructor_args } : null;
};

type References = Readonly<Record<string, unknown>>;

const isReference = (value: unknown): value is { start: number; length: number } =>
  typeof value === "object" &&
  value !== null &&
  "start" in value &&
  "length" in value &&
  Number.isSafeInteger(value.start) &&
  Number.isSafeInteger(value.length);

/** All {start, length} pairs in solc's nested lists of references. */
const referencesIn = (value: unknown): readonly (readonly [number, number])[] => {
  if (isReference(value)) return [[value.start, value.length]];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
};

/** One `bytecode` or `deployedBytecode` of solc's standard JSON output. Null when it holds no code. */
export const compiledCode = (
  object: string,
  references: { readonly immutables: References; readonly links: References },
): CompiledCode | null => {
  // `__$34 hex digits$__` is the placeholder for an unlinked library's address.
  const code = fromHex(object.replaceAll(/__.{36}__/g, "0".repeat(40)));
  if (code === null || code.length === 0) return null;
  return { code, masks: [...referencesIn(references.immutables), ...referencesIn(references.links)] };
};
