import type * as z from "zod";
import { nearest } from "../lib/nearest.ts";
import { isInteger } from "./field_kinds.ts";
import { quoted } from "./quoted.ts";

type Issue = z.core.$ZodIssue;

/** What an argument is, in the words of JSON. */
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

/** One fault of Zod as a clause that names the field, what was sent and what is allowed. */
export const wordsOfIssue = (issue: Issue, args: unknown, input: z.ZodObject): string => {
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
      return `${field} has unknown members: ${issue.keys.slice(0, 3).map(quoted).join(", ")}`;
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
  return `${must}, not ${quoted(value)}${near === null ? "" : ` (did you mean '${near}'?)`}`;
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
