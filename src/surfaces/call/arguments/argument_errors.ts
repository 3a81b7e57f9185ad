import type * as z from "zod";
import type { Chain } from "../../../chains/chain.ts";
import { nearest } from "../../../lib/nearest.ts";
import type { FieldKind } from "../../../tools/fields.ts";
import { quoteText } from "../../http/quoted_text.ts";
import { adviceFor } from "./address_advice.ts";

/** The schema of an input field inside `optional`, `default` and the like. */
export const innermost = (schema: z.ZodType): z.ZodType => {
  // Zod's wrappers (optional, default, nullable, readonly) keep the wrapped schema in `def.innerType`.
  const { innerType } = schema.def as { readonly innerType?: z.ZodType };
  return innerType === undefined ? schema : innermost(innerType);
};

/** True for a field of whole numbers: Zod itself says only "number" when something else was sent. */
const isInteger = (input: z.ZodObject, field: string): boolean => {
  const schema = Object.hasOwn(input.shape, field) ? input.shape[field] : undefined;
  // Only Zod's number schemas have `isInt`; `shape` is typed by the wider core type.
  return schema !== undefined && (innermost(schema as z.ZodType) as { readonly isInt?: boolean }).isInt === true;
};

type Issue = z.core.$ZodIssue;

/** The type of an argument, in the words of JSON. */
const classOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number with a fraction";
  return `a ${typeof value}`;
};

const EXPECTED: Readonly<Record<string, string>> = {
  int: "an integer",
  number: "a number",
  string: "a string",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** One fault of Zod as a clause that names the field, the sent value and the allowed ones. */
export const describeIssue = (issue: Issue, args: unknown, input: z.ZodObject): string => {
  const path = issue.path.map(String).join(".");
  const field = `field '${path}'`;
  const value = valueAt(args, issue.path);
  switch (issue.code) {
    case "invalid_type": {
      const expected = isInteger(input, path) ? "int" : issue.expected;
      const words = EXPECTED[expected] ?? expected;
      return value === undefined
        ? `${field} is required (${words})`
        : `${field} must be ${words}, not ${classOf(value)}`;
    }
    case "invalid_value": {
      if (value === undefined) return `${field} is required (one of ${issue.values.map(String).join(", ")})`;
      return oneOf(field, issue.values.map(String), value);
    }
    case "too_small":
      return `${field} must ${bound(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      return `${field} must ${bound(issue.origin, "at most", issue.maximum)}`;
    case "unrecognized_keys":
      return `${field} has unknown members: ${issue.keys.slice(0, 3).map(quoteText).join(", ")}`;
    case "invalid_union":
      return `${field} matches none of the allowed forms; it is ${classOf(value)}`;
    case "invalid_format":
      return `${field} does not match the required form (${issue.format === "regex" ? (issue.pattern ?? "pattern") : issue.format})`;
    default:
      return `${field}: ${issue.message}`;
  }
};

const oneOf = (field: string, allowed: readonly string[], value: unknown): string => {
  const must = `${field} must be one of ${allowed.join(", ")}`;
  if (typeof value !== "string") return `${must}, not ${classOf(value)}`;
  const near = nearest(value, allowed);
  return `${must}, not ${quoteText(value)}${near === null ? "" : ` (did you mean '${near}'?)`}`;
};

const bound = (origin: string, word: string, limit: number | bigint): string => {
  if (origin === "string") return `have ${word} ${limit} characters`;
  if (origin === "array") return `have ${word} ${limit} items`;
  return `be ${word} ${limit}`;
};

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown => {
  let value = root;
  for (const step of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
};

interface GivenField {
  readonly field: string;
  readonly value: string;
}

/** Families whose addresses have an EIP-55 checksum. */
const HAS_CHECKSUM: readonly string[] = ["evm"];

const SHAPES: Readonly<Record<string, string>> = {
  evm: "0x and 40 hex digits, in one case or with a correct EIP-55 checksum",
  solana: "base58 of 32 bytes",
  tron: "T… in base58check, or 41 and 40 hex digits",
};

/** Networks of a call: those that the arguments name, those that the tool serves, and all enabled ones. */
export interface CallNetworks {
  readonly chains: readonly Chain[];
  readonly served: readonly Chain[];
  readonly enabled: readonly Chain[];
}

/** The sentence for a text that is no address on any of the networks. */
export const addressError = (
  { field, kind, value }: GivenField & { readonly kind: FieldKind },
  { chains, served, enabled }: CallNetworks,
): string => {
  const families = chains.map(({ network }) => network.family);
  const shapes = [...new Set(families)].map((family) => SHAPES[family] ?? `an address of ${family}`);
  const where = chains.length === 1 ? ` on ${chains[0]?.network.id}` : "";
  const native = kind === "token" ? ", or 'native'" : "";
  const checksum = /^0x[0-9a-fA-F]{40}$/.test(value) && families.some((family) => HAS_CHECKSUM.includes(family));
  const why = checksum ? "its EIP-55 checksum is wrong" : `got ${quoteText(value)}`;
  const advice = checksum ? null : adviceFor({ value, kind, served, enabled });
  const hint = advice === null ? "" : ` (${advice})`;
  return `field '${field}' must be an address${where} (${shapes.join("; or ")})${native}: ${why}${hint}.`;
};

const HASH_SHAPES: Readonly<Record<string, string>> = {
  evm: "0x and 64 hex digits",
  solana: "the first signature, base58 of 64 bytes",
  tron: "64 hex digits without 0x",
};

/** The sentence for a text that is no transaction hash on any of the networks. */
export const hashError = ({ field, value }: GivenField, chains: readonly Chain[]): string => {
  const families = [...new Set(chains.map(({ network }) => network.family))];
  const shapes = families.map((family) => HASH_SHAPES[family] ?? `a hash of ${family}`);
  const where = chains.length === 1 ? ` on ${chains[0]?.network.id}` : "";
  return `field '${field}' must be a transaction hash${where} (${shapes.join("; or ")}): got ${quoteText(value)}.`;
};
