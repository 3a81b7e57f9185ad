import type { Bytes, Hex } from "../../lib/bytes.ts";
import { selectorOf } from "./abi.ts";
import { type AddressText, type DecodedArgument, decodeArguments } from "./calldata.ts";

/** A function or error of a contract's published interface. */
export interface AbiEntry {
  readonly name: string;
  /** `transfer(address,uint256)`. */
  readonly signature: string;
  /** Of the arguments; null where the interface leaves them unnamed. */
  readonly argument_names: readonly (string | null)[];
}

/** What Solidity takes for a name. Whatever else an interface says was written to be shown, not to be called. */
const NAME = /^[A-Za-z_$][\w$]{0,127}$/;
const TYPE = /^(?:u?int\d{0,3}|address|bool|bytes\d{0,2}|string|function|tuple)(?:\[\d{0,6}\]){0,4}$/;
const DEPTH_MAX = 8;
const MEMBERS_MAX = 64;

type Fields = { readonly [field: string]: unknown };

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const wideNames: Readonly<Record<string, string>> = { uint: "uint256", int: "int256" };

/** Null when it is no type of the contract ABI. */
const typeIn = (input: Fields, depth: number): string | null => {
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
  const types = inputs.map((input: unknown) => (isObject(input) ? typeIn(input, depth) : null));
  const known = types.filter((type) => type !== null);
  return known.length === types.length ? known : null;
};

const entryOf = (item: unknown, kind: "function" | "error"): AbiEntry | null => {
  if (!isObject(item) || item.type !== kind) return null;
  const { name, inputs } = item;
  const types = typesIn(inputs, 0);
  if (typeof name !== "string" || !NAME.test(name) || types === null || !Array.isArray(inputs)) return null;
  const argument_names = inputs.map((input: unknown) => {
    const own = isObject(input) ? input.name : null;
    return typeof own === "string" && NAME.test(own) ? own : null;
  });
  return { name, signature: `${name}(${types.join(",")})`, argument_names };
};

/** The function or error of a published interface that has this selector. Never throws, whatever the interface. */
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

/** Arguments behind a selector, with their names; null when the bytes are no encoding of the entry's types. */
export const argumentsOf = (entry: AbiEntry, data: Bytes, shown: AddressText): readonly NamedArgument[] | null => {
  const args = decodeArguments(entry.signature, data, shown);
  return args === null ? null : args.map((arg, i) => ({ name: entry.argument_names[i] ?? null, ...arg }));
};
