// A card as the client libraries need it: its schemas as a small tree of types, from which each language writes its own.
import { describeTool, type JsonSchema } from "../src/surfaces/openapi/describe_tool.ts";
import type { AnyTool } from "../src/tools/tool.ts";

export type CardShape =
  | { readonly kind: "text" | "number" | "integer" | "boolean" | "null" | "any" }
  | { readonly kind: "literal"; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: "list"; readonly of: CardShape }
  /** An object whose names are data. */
  | { readonly kind: "map"; readonly of: CardShape }
  | { readonly kind: "object"; readonly fields: readonly CardField[] }
  | { readonly kind: "union"; readonly of: readonly CardShape[] };

export interface CardField {
  readonly name: string;
  readonly shape: CardShape;
  readonly is_required: boolean;
  /** One line; empty when the card says nothing. */
  readonly description: string;
}

/** How a walk over the pages of a tool requests the next one. */
export interface CardPaging {
  readonly rows: string;
  readonly has_block: boolean;
  readonly has_dates: boolean;
}

export interface SdkTool {
  readonly name: string;
  /** Path below `/api` of a call over time; null of a tool. */
  readonly path: string | null;
  readonly title: string;
  readonly description: string;
  readonly input: readonly CardField[];
  readonly output: Extract<CardShape, { kind: "object" }>;
  /** Null where the answer is whole. */
  readonly pages: CardPaging | null;
}

const PLAIN: Readonly<Record<string, CardShape>> = {
  string: { kind: "text" },
  number: { kind: "number" },
  integer: { kind: "integer" },
  boolean: { kind: "boolean" },
  null: { kind: "null" },
};

/** Keywords that add no structure to a type. */
const SILENT = new Set(
  "type description default examples format minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems pattern deprecated x-untrusted".split(
    " ",
  ),
);
const READ = new Set(["properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"]);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isLiteral = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

const unionOf = (shapes: readonly CardShape[]): CardShape => {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.of : [shape]));
  const [only] = flat;
  return flat.length === 1 && only !== undefined ? only : { kind: "union", of: flat };
};

const fieldsOf = ({ properties, required }: JsonSchema): readonly CardField[] => {
  const names = Array.isArray(required) ? required : [];
  return Object.entries(isSchema(properties) ? properties : {}).map(([name, schema]) => {
    if (!isSchema(schema)) throw new Error(`${name} is no schema`);
    const description = typeof schema.description === "string" ? schema.description.replace(/\s+/g, " ") : "";
    return { name, shape: shapeOf(schema), is_required: names.includes(name), description };
  });
};

const objectOf = (schema: JsonSchema): CardShape => {
  if (schema.properties !== undefined) return { kind: "object", fields: fieldsOf(schema) };
  const { additionalProperties: of } = schema;
  return { kind: "map", of: isSchema(of) && Object.keys(of).length > 0 ? shapeOf(of) : { kind: "any" } };
};

/** Throws at an unknown keyword, so that a new one must be added here before a card may use it. */
export const shapeOf = (schema: JsonSchema): CardShape => {
  const strange = Object.keys(schema).find((keyword) => !SILENT.has(keyword) && !READ.has(keyword));
  if (strange !== undefined) throw new Error(`the client libraries do not know the keyword '${strange}'`);
  if (isLiteral(schema.const)) return { kind: "literal", values: [schema.const] };
  if (Array.isArray(schema.enum)) return { kind: "literal", values: schema.enum.filter(isLiteral) };
  if (Array.isArray(schema.anyOf)) return unionOf(schema.anyOf.filter(isSchema).map(shapeOf));
  const { type } = schema;
  if (Array.isArray(type)) return unionOf(type.map((one) => shapeOf({ ...schema, type: one })));
  if (type === "array") return { kind: "list", of: isSchema(schema.items) ? shapeOf(schema.items) : { kind: "any" } };
  if (type === "object") return objectOf(schema);
  return (typeof type === "string" ? PLAIN[type] : undefined) ?? { kind: "any" };
};

/** The member that the card's view calls the page, where the input has pages. */
const pagesOf = (tool: AnyTool, input: readonly CardField[]): CardPaging | null => {
  const names = new Set(input.map(({ name }) => name));
  if (!names.has("page")) return null;
  const drawn = Object.entries(tool.view?.drawn ?? {});
  const rows = drawn.find(([, how]) => typeof how === "object" && how.is === "page")?.[0];
  if (rows === undefined) throw new Error(`${tool.name} has pages, and its view names no page`);
  return {
    rows,
    has_block: names.has("as_of_block"),
    has_dates: names.has("from_date") && names.has("to_date"),
  };
};

export const sdkTool = (tool: AnyTool): SdkTool => {
  const { name, title, description, input_schema, output_schema } = describeTool(tool, []);
  const input = fieldsOf(input_schema);
  const output = shapeOf(output_schema);
  if (output.kind !== "object") throw new Error(`${name} answers with no object`);
  return { name, path: tool.path ?? null, title, description, input, output, pages: pagesOf(tool, input) };
};

/** The paths of calls over time, by name. */
export const pathsBeside = (tools: readonly SdkTool[]): Readonly<Record<string, string>> =>
  Object.fromEntries(tools.flatMap(({ name, path }) => (path === null ? [] : [[name, path]])));

/** `get_wallet_pnl` -> `GetWalletPnl`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** `get_wallet_pnl` -> `getWalletPnl`. */
export const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, sign: string) => sign.toUpperCase());
