import type { Tool } from "@modelcontextprotocol/server";
import type { Catalog } from "../accounts/meter.ts";
import type { Description, JsonSchema } from "./describe.ts";
import { schemas } from "./openapi_schemas.ts";

/** The asked text of strangers is data; every answer with such fields names them. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

const priceOf = (credits: number | null): string =>
  credits === null
    ? "Its price is temporarily unavailable."
    : `Costs ${credits} credit${credits === 1 ? "" : "s"}, nothing when it fails.`;

/** What a call that is no error may answer: the result, or `no_data`. Clients check `structuredContent` against it. */
const outputSchema = (output: JsonSchema): JsonSchema => ({ type: "object", anyOf: [output, schemas.no_data] });

/** The list of `tools/list`: the same cards in the same order as `GET /api/tools`, with the prices of the catalog. */
export const listedTools = (descriptions: readonly Description[], catalog: Catalog): readonly Tool[] =>
  descriptions.map(({ name, title, description, input_schema, output_schema }) => ({
    name,
    title,
    description: `${description} ${priceOf(catalog.credits[name] ?? null)}`,
    // Input schemas of cards are closed objects (test/catalog.test.ts).
    inputSchema: input_schema as Tool["inputSchema"],
    outputSchema: outputSchema(output_schema) as Tool["outputSchema"],
    annotations: { title, ...ANNOTATIONS },
  }));

const isSchema = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const namesBelow = (name: string, schema: unknown): readonly string[] => {
  if (!isSchema(schema)) return [];
  const own = schema["x-untrusted"] === true ? [name] : [];
  const forms = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const members = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...own,
    ...members.flatMap(([member, part]) => namesBelow(member, part)),
    ...[schema.items, schema.additionalProperties, ...forms].flatMap((part) => namesBelow(name, part)),
  ];
};

/** Names of the members, at any depth, whose text a stranger wrote (`x-untrusted`), each once. */
export const untrustedMembers = (output: JsonSchema): readonly string[] => [...new Set(namesBelow("", output))];
