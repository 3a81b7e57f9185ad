import type { Catalog } from "../../accounts/meter.ts";
import { batchOperation, batchSchemas } from "../rest/batch/openapi.ts";
import { callToolOperation, parameters, VIEW } from "../rest/call_tool/openapi.ts";
import { CHARTS_PATH } from "../rest/charts/chart.ts";
import { chartOperation } from "../rest/charts/openapi.ts";
import { listOperation } from "../rest/list_tools/openapi.ts";
import { compactAnswer } from "../view/schema.ts";
import { type Description, type JsonSchema, mapSchemas } from "./describe_tool.ts";
import { answer, FIVE_HUNDREDS, headers, PLAIN, ref, responses, TRANSPORT } from "./responses.ts";
import { schemas } from "./shared_schemas.ts";

/** The version that the interface declares. */
export const API_VERSION = "1.0.0";

/** Zod writes recursion as `#` and `#/$defs/…`; inside the document those parts have names of their own. */
const asComponents = (name: string, schema: JsonSchema): Record<string, JsonSchema> => {
  const { $defs, ...rest } = schema;
  // `$defs` of a JSON Schema maps names to schemas.
  const defs = ($defs ?? {}) as Record<string, JsonSchema>;
  const moved = (part: JsonSchema): JsonSchema => {
    const target = part.$ref;
    if (target === "#") return { ...part, ...ref(name) };
    if (typeof target !== "string" || !target.startsWith("#/$defs/")) return part;
    return { ...part, ...ref(`${name}_${target.slice("#/$defs/".length)}`) };
  };
  const parts = Object.entries(defs).map(([part, inner]) => [`${name}_${part}`, mapSchemas(inner, moved)] as const);
  return { [name]: mapSchemas(rest, moved), ...Object.fromEntries(parts) };
};

const selfOperation: JsonSchema = {
  operationId: "read_openapi",
  summary: "Read the OpenAPI document",
  description: "This document. No key required.",
  tags: ["discovery"],
  security: [],
  responses: {
    200: answer("An OpenAPI 3.1 document.", { type: "object" }, PLAIN),
    ...TRANSPORT,
    ...FIVE_HUNDREDS,
  },
};

const info: JsonSchema = {
  title: "Assay",
  version: API_VERSION,
  description: "Blockchain, token and wallet analysis: one call per question, answers with coverage and evidence.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  contact: { name: "The operator of this service" },
};

/**
 * OpenAPI 3.1 of the public tools.
 * @param answers real answers by tool name, for tools whose example was run.
 */
export const openapi = (
  tools: readonly Description[],
  credits: Catalog["credits"],
  answers: Readonly<Record<string, unknown>> = {},
): JsonSchema => ({
  openapi: "3.1.0",
  info,
  servers: [{ url: "/", description: "The server that served this document." }],
  tags: [
    { name: "discovery", description: "Lists the available tools and their prices." },
    { name: "tools", description: "Tool calls: one request, one structured answer." },
  ],
  security: [{ api_key: [] }],
  paths: {
    "/api/tools": { get: listOperation },
    "/api/tools/openapi.json": { get: selfOperation },
    [`${CHARTS_PATH}/{tool_name}`]: { get: chartOperation },
    "/api/tools/{tool_name}/batch": { post: batchOperation },
    ...Object.fromEntries(
      tools.map((tool) => [
        tool.path,
        { post: callToolOperation(tool, credits[tool.name] ?? null, answers[tool.name]) },
      ]),
    ),
  },
  components: {
    securitySchemes: {
      api_key: { type: "http", scheme: "bearer", description: "A key with the scope api:call." },
    },
    schemas: {
      ...schemas,
      ...batchSchemas,
      ...Object.assign(
        {},
        ...tools.map(({ name, input_schema, output_schema, compact_schema }) => ({
          ...asComponents(`${name}_input`, input_schema),
          ...asComponents(`${name}_output`, output_schema),
          [`${name}_compact`]: compactAnswer(compact_schema),
        })),
      ),
    },
    responses,
    parameters: { view: VIEW, ...parameters },
    headers,
  },
});
