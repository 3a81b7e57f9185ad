import * as z from "zod";
import type { Catalog } from "../../accounts/meter.ts";
import { type AnyTool, callPath } from "../../tools/tool.ts";
import { kindsOf, networkWords } from "../call/arguments/bind.ts";
import { compactSchema } from "../view/schema.ts";

/** A JSON Schema (draft 2020-12) or a part of one. */
export type JsonSchema = { [keyword: string]: unknown };

/** The facts of an enabled network that a description contains. */
export interface DescribedNetwork {
  readonly id: string;
  readonly family: string;
}

/** A tool's card as data: every list, page and document is a projection of this. */
export interface Description {
  readonly name: string;
  /** Path of its calls. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** The card's own price; the current one is the catalog's. */
  readonly credits: number;
  readonly input_schema: JsonSchema;
  readonly output_schema: JsonSchema;
  /** Of the compact view. */
  readonly compact_schema: JsonSchema;
  readonly networks: readonly string[];
  readonly example: unknown;
  /** Omitted where two answers as of one block are always the same. */
  readonly live_fields?: readonly string[];
}

export const describeTool = (tool: AnyTool, networks: readonly DescribedNetwork[]): Description => {
  const served = networks.filter(({ family }) => tool.families.some((one) => one === family));
  const output_schema = outputSchema(tool.output);
  return {
    name: tool.name,
    path: callPath(tool),
    title: tool.title,
    description: tool.description,
    credits: tool.credits,
    input_schema: inputSchema(tool.input, served),
    output_schema,
    compact_schema: compactSchema(tool, output_schema),
    networks: served.map(({ id }) => id),
    example: tool.example,
    ...(tool.live_fields === undefined ? {} : { live_fields: tool.live_fields }),
  };
};

/** The cards as they are on the networks of now: the same array until those are others. */
export const describedOn = (
  tools: readonly AnyTool[],
  networksNow: () => readonly DescribedNetwork[],
): (() => readonly Description[]) => {
  let known: { readonly ids: string; readonly descriptions: readonly Description[] } | null = null;
  return () => {
    const networks = networksNow();
    const ids = networks.map(({ id, family }) => `${family}:${id}`).join(" ");
    if (known?.ids !== ids) known = { ids, descriptions: tools.map((tool) => describeTool(tool, networks)) };
    return known.descriptions;
  };
};

/** The tools of the operator's allowlist. */
export const listed = (descriptions: readonly Description[], { credits }: Catalog): readonly Description[] =>
  descriptions.filter(({ name }) => Object.hasOwn(credits, name));

/** The body of `GET /api/tools`: tools in the order given, prices of the catalog. */
export const discovery = (descriptions: readonly Description[], catalog: Catalog) => ({
  catalog_version: catalog.version,
  tools: descriptions.map(({ credits: _, compact_schema: __, path: ___, name, title, description, ...rest }) => ({
    name,
    title,
    description,
    credits: catalog.credits[name] ?? null,
    ...rest,
  })),
});

const TOOLS_PATH = "/api/tools/";

/** The tools without the schemas of answers, which are nine tenths of the list, and the calls over time with their paths. */
export const compactDiscovery = (descriptions: readonly Description[], catalog: Catalog) => {
  const isTool = ({ path }: Description) => path.startsWith(TOOLS_PATH);
  const listOf = (of: readonly Description[]) =>
    discovery(of, catalog).tools.map(({ output_schema: _, ...tool }) => tool);
  const others = descriptions.filter((one) => !isTool(one));
  return {
    catalog_version: catalog.version,
    tools: listOf(descriptions.filter(isTool)),
    calls: listOf(others).map((call, at) => ({ ...call, path: others[at]?.path ?? "" })),
  };
};

const isSchema = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Applies `change` to every schema inside `schema`, innermost first. Data under `default` and the like stays. */
export const mapSchemas = (schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema =>
  change(
    Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => {
        if (["properties", "$defs", "patternProperties"].includes(keyword) && isSchema(value))
          return [
            keyword,
            Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapPart(part, change)])),
          ];
        if (["default", "examples", "example", "enum", "const"].includes(keyword)) return [keyword, value];
        return [keyword, Array.isArray(value) ? value.map((part) => mapPart(part, change)) : mapPart(value, change)];
      }),
    ),
  );

const mapPart = (part: unknown, change: (schema: JsonSchema) => JsonSchema): unknown =>
  isSchema(part) ? mapSchemas(part, change) : part;

/** A schema without the keywords that Zod and our own meta add and callers do not need: `kind`, the bounds of safe integers, empty lists. */
const plain = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) =>
        keyword !== "$schema" &&
        keyword !== "kind" &&
        !(keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) &&
        !(keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
        !(keyword === "propertyNames" && isSchema(value) && Object.keys(value).join() === "type") &&
        !(keyword === "examples" && Array.isArray(value) && value.length === 0),
    ),
  );

const toSchema = (schema: z.ZodObject, io: "input" | "output"): JsonSchema => ({
  ...z.toJSONSchema(schema, { io, target: "draft-2020-12" }),
});

const inputSchema = (input: z.ZodObject, served: readonly DescribedNetwork[]): JsonSchema => {
  const schema = mapSchemas(toSchema(input, "input"), plain);
  const properties: JsonSchema = { ...(isSchema(schema.properties) ? schema.properties : {}) };
  for (const [field, kind] of kindsOf(input)) {
    if (kind !== "network" && kind !== "networks") continue;
    const words = networkWords(kind, served);
    const property = properties[field];
    if (words.length > 0 && isSchema(property)) properties[field] = { ...property, enum: words };
  }
  return { ...schema, properties, additionalProperties: false };
};

/** Open at every level: more fields may appear (01, versioning). */
const outputSchema = (output: z.ZodObject): JsonSchema =>
  mapSchemas(toSchema(output, "output"), (schema) => {
    const bare = plain(schema);
    // A tuple has no `items`; linters want to read "anything more" spelt out.
    if (bare.type === "array" && bare.items === undefined) return { ...bare, items: {} };
    return bare.additionalProperties === false ? { ...bare, additionalProperties: true } : bare;
  });
