import type { Bytes, Hex } from "../../../lib/bytes.ts";
import { isRecord } from "../../../lib/record.ts";
import { selectorOf } from "../../abi.ts";
import { type AddressText, type DecodedArgument, decodeValues, valueText } from "./calldata.ts";

/** A function or error of a contract's published interface. */
export interface AbiEntry {
  readonly name: string;
  /** `transfer(address,uint256)`. */
  readonly signature: string;
  readonly arguments: readonly ArgumentNames[];
}

/** Names of an argument or a tuple member in the published interface. */
interface ArgumentNames {
  /** Null when unnamed. */
  readonly name: string | null;
  /** Nesting depth of a list of tuples; 0 for a tuple. */
  readonly lists: number;
  /** Members of a tuple; null for other types. */
  readonly members: readonly ArgumentNames[] | null;
}

/** Names that Solidity accepts. Any other name in an interface was written for display, not for calls. */
const NAME = /^[A-Za-z_$][\w$]{0,127}$/;
const TYPE = /^(?:u?int\d{0,3}|address|bool|bytes\d{0,2}|string|function|tuple)(?:\[\d{0,6}\]){0,4}$/;
const DEPTH_MAX = 8;
const MEMBERS_MAX = 64;

type AbiFields = Readonly<Record<string, unknown>>;

const wideNames: Readonly<Record<string, string>> = { uint: "uint256", int: "int256" };

/** Null when the contract ABI has no such type. */
const typeIn = (input: AbiFields, depth: number): string | null => {
  const { type, components } = input;
  if (typeof type !== "string" || !TYPE.test(type) || depth > DEPTH_MAX) return null;
  const lists = type.includes("[") ? type.slice(type.indexOf("[")) : "";
  const word = lists === "" ? type : type.slice(0, -lists.length);
  if (word !== "tuple") return `${wideNames[word] ?? word}${lists}`;
  const members = typesIn(components, depth + 1);
  return members === null ? null : `(${members.join(",")})${lists}`;
};

const typesIn = (inputs: unknown, depth: number): readonly string[] | null => {
  if (!Array.isArray(inputs) || inputs.length > MEMBERS_MAX) return null;
  const types = inputs.map((input: unknown) => (isRecord(input) ? typeIn(input, depth) : null));
  const known = types.filter((type) => type !== null);
  return known.length === types.length ? known : null;
};

/** `inputs` have checked types. */
const namesIn = (inputs: unknown): readonly ArgumentNames[] =>
  Array.isArray(inputs)
    ? inputs.filter(isRecord).map(({ name, type, components }) => {
        const text = typeof type === "string" ? type : "";
        const is_tuple = text.startsWith("tuple");
        return {
          name: typeof name === "string" && NAME.test(name) ? name : null,
          lists: text.split("[").length - 1,
          members: is_tuple ? namesIn(components) : null,
        };
      })
    : [];

const entryOf = (item: unknown, kind: "function" | "error"): AbiEntry | null => {
  if (!isRecord(item) || item.type !== kind) return null;
  const { name, inputs } = item;
  const types = typesIn(inputs, 0);
  if (typeof name !== "string" || !NAME.test(name) || types === null) return null;
  return { name, signature: `${name}(${types.join(",")})`, arguments: namesIn(inputs) };
};

/** Every function of a published interface. Never throws, whatever the interface. */
export const functionsIn = (abi: readonly unknown[]): readonly AbiEntry[] =>
  abi.flatMap((item) => entryOf(item, "function") ?? []);

/** The function or error with this selector in a published interface. Never throws, whatever the interface. */
export const entryIn = (abi: readonly unknown[], kind: "function" | "error", selector: Hex): AbiEntry | null => {
  for (const item of abi) {
    const entry = entryOf(item, kind);
    if (entry !== null && selectorOf(entry.signature) === selector) return entry;
  }
  return null;
};

export interface NamedArgument extends DecodedArgument {
  readonly name: string | null;
}

/** A value whose tuples become objects when all their members have distinct names. */
const named = (value: unknown, { lists, members }: Omit<ArgumentNames, "name">): unknown => {
  if (members === null || !Array.isArray(value)) return value;
  if (lists > 0) return value.map((item: unknown) => named(item, { lists: lists - 1, members }));
  const parts = value.map((part: unknown, i) => {
    const member = members[i];
    return { name: member?.name ?? null, part: member === undefined ? part : named(part, member) };
  });
  const names = new Set(parts.map(({ name }) => name));
  return names.has(null) || names.size < parts.length
    ? parts.map(({ part }) => part)
    : Object.fromEntries(parts.map(({ name, part }) => [name, part]));
};

/**
 * Arguments after a selector, with their names and those of tuple members; null when the bytes do not encode the
 * entry's types.
 */
export const argumentsOf = (entry: AbiEntry, data: Bytes, shown: AddressText): readonly NamedArgument[] | null => {
  const args = decodeValues(entry.signature, data, shown);
  if (args === null) return null;
  return args.map(({ type, value }, i) => {
    const names = entry.arguments[i];
    return { name: names?.name ?? null, type, value: valueText(names === undefined ? value : named(value, names)) };
  });
};
