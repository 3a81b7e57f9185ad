import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { cleanText } from "../../../lib/text.ts";
import { uintAt, WORD_BYTES } from "../../../lib/words.ts";

/**
 * One argument of a call as text: numbers in decimal, bytes as `0x…`, addresses in the network's format, lists and
 * tuples as JSON.
 */
export interface DecodedArgument {
  readonly type: string;
  readonly value: string;
}

/** A type of the contract ABI. */
type AbiType =
  | { readonly kind: "word"; readonly name: string }
  | { readonly kind: "bytes" | "string" }
  | { readonly kind: "tuple"; readonly members: readonly AbiType[] }
  | { readonly kind: "list"; readonly item: AbiType; readonly length: number | null };

/** Limit of words in the arguments of one call, whatever their lengths claim. */
const VALUES_MAX = 5_000;
const DEPTH_MAX = 16;
const TEXT_BYTES_MAX = 1_024;
/** Longer byte strings are truncated with an ellipsis. */
const BYTES_SHOWN_MAX = 512;

/** Splits a list at its own level: `a,(b,c)[],d` has three parts. */
const split = (text: string): readonly string[] => {
  if (text === "") return [];
  const parts: string[] = [];
  let level = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") level += 1;
    else if (text[at] === ")") level -= 1;
    else if (text[at] === "," && level === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
};

const typeOf = (text: string): AbiType => {
  const list = /^(.*)\[(\d*)\]$/.exec(text);
  if (list !== null) {
    const length = list[2] === "" ? null : Number(list[2]);
    return { kind: "list", item: typeOf(list[1] ?? ""), length };
  }
  if (text.startsWith("(")) return { kind: "tuple", members: split(text.slice(1, -1)).map(typeOf) };
  if (text === "bytes" || text === "string") return { kind: text };
  return { kind: "word", name: text };
};

const isDynamic = (type: AbiType): boolean => {
  if (type.kind === "word") return false;
  if (type.kind === "tuple") return type.members.some(isDynamic);
  return type.kind === "list" ? type.length === null || isDynamic(type.item) : true;
};

/** Number of words that a value takes in the head of its container. */
const headWords = (type: AbiType): number => {
  if (isDynamic(type)) return 1;
  if (type.kind === "tuple") return type.members.reduce((sum, member) => sum + headWords(member), 0);
  return type.kind === "list" ? (type.length ?? 0) * headWords(type.item) : 1;
};

/** The bytes do not encode the types. */
class MalformedCalldata extends Error {}

const sizeAt = (data: Bytes, at: number): number => {
  const word = wordAt(data, at);
  const size = uintAt(word, 0);
  if (size > BigInt(data.length)) throw new MalformedCalldata();
  return Number(size);
};

const wordAt = (data: Bytes, at: number): Bytes => {
  const word = data.subarray(at, at + WORD_BYTES);
  if (word.length !== WORD_BYTES) throw new MalformedCalldata();
  return word;
};

const hexText = (bytes: Bytes): string =>
  bytes.length > BYTES_SHOWN_MAX ? `0x${toHex(bytes.subarray(0, BYTES_SHOWN_MAX))}…` : `0x${toHex(bytes)}`;

const wordText = (word: Bytes, name: string, shown: AddressText): unknown => {
  if (name === "address") return shown(toHex(word.subarray(12)));
  if (name === "bool") return uintAt(word, 0) !== 0n;
  if (name.startsWith("bytes")) return `0x${toHex(word.subarray(0, Number(name.slice(5))))}`;
  if (name.startsWith("int")) return BigInt.asIntN(256, uintAt(word, 0)).toString();
  return uintAt(word, 0).toString();
};

/** Formats an address for a network. */
export type AddressText = (address: Hex) => string;

interface DecodeBudget {
  left: number;
  readonly shown: AddressText;
}

const valueAt = (
  type: AbiType,
  data: Bytes,
  { at, walk, depth }: { at: number; walk: DecodeBudget; depth: number },
): unknown => {
  walk.left -= 1;
  if (walk.left < 0 || depth > DEPTH_MAX) throw new MalformedCalldata();
  if (type.kind === "word") return wordText(wordAt(data, at), type.name, walk.shown);
  if (type.kind === "tuple") return tupleAt(type.members, data.subarray(at), { walk, depth });
  const size = type.kind === "list" && type.length !== null ? type.length : sizeAt(data, at);
  const start = type.kind === "list" && type.length !== null ? at : at + WORD_BYTES;
  if (type.kind === "list") {
    if (size > walk.left) throw new MalformedCalldata();
    return tupleAt(Array<AbiType>(size).fill(type.item), data.subarray(start), { walk, depth });
  }
  const bytes = data.subarray(start, start + size);
  if (bytes.length !== size) throw new MalformedCalldata();
  return type.kind === "bytes" ? hexText(bytes) : cleanText(Buffer.from(bytes).toString("utf8"), TEXT_BYTES_MAX);
};

const tupleAt = (
  types: readonly AbiType[],
  data: Bytes,
  { walk, depth }: { walk: DecodeBudget; depth: number },
): readonly unknown[] => {
  let at = 0;
  return types.map((type) => {
    const here = at;
    at += headWords(type) * WORD_BYTES;
    const scope = isDynamic(type) ? sizeAt(data, here) : here;
    return valueAt(type, data, { at: scope, walk, depth: depth + 1 });
  });
};

/** An argument before its formatting: lists and tuples are arrays. */
interface DecodedValue {
  readonly type: string;
  readonly value: unknown;
}

/** Formats a value as in `DecodedArgument`. */
export const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Argument values of a call; see `decodeArguments`. */
export const decodeValues = (signature: string, data: Bytes, shown: AddressText): readonly DecodedValue[] | null => {
  const names = split(signature.slice(signature.indexOf("(") + 1, -1));
  try {
    const values = tupleAt(names.map(typeOf), data, { walk: { left: VALUES_MAX, shown }, depth: 0 });
    return names.map((type, i) => ({ type, value: values[i] }));
  } catch (error) {
    if (error instanceof MalformedCalldata) return null;
    throw error;
  }
};

/**
 * Decodes the arguments of a call by its function's signature, without the selector; null when the bytes do not encode
 * those types. Never throws. `shown` formats addresses at every depth.
 */
export const decodeArguments = (
  signature: string,
  data: Bytes,
  shown: AddressText,
): readonly DecodedArgument[] | null =>
  decodeValues(signature, data, shown)?.map(({ type, value }) => ({ type, value: valueText(value) })) ?? null;
