import { ERROR_CODES } from "../../lib/outcome.ts";
import type { JsonSchema } from "./describe_tool.ts";

const object = (properties: JsonSchema, optional: readonly string[] = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

export const TEXT: JsonSchema = { type: "string" };
const text = (description: string): JsonSchema => ({ type: "string", description });
const nullable = (type: string, more: JsonSchema = {}): JsonSchema => ({ type: [type, "null"], ...more });
const PRICES: JsonSchema = { type: "object", additionalProperties: nullable("integer") };

const listedTool = object(
  {
    name: TEXT,
    title: TEXT,
    description: TEXT,
    credits: nullable("integer", {
      description: "Price of one call in credits; null while the tool is unavailable.",
    }),
    input_schema: { type: "object" },
    output_schema: { type: "object", description: "Omitted with `view=compact`." },
    networks: { type: "array", items: TEXT },
    example: { type: "object" },
    live_fields: {
      type: "array",
      items: TEXT,
      description: "Paths of fields that may differ between two answers as of one block; omitted where none may.",
    },
  },
  ["output_schema", "live_fields"],
);

/** Bodies of answers that every tool shares, by name in the OpenAPI document. */
export const schemas: Record<string, JsonSchema> = {
  no_data: {
    ...object({
      status: { const: "no_data" },
      type: text("The tool's result type."),
      message: text("States what was searched, and that nothing was found."),
      metadata: nullable("object"),
    }),
    description: "The lookup ran on complete coverage and found nothing. The call is charged.",
  },
  tool_error: {
    ...object({
      status: { const: "error" },
      code: { type: "string", enum: [...ERROR_CODES] },
      message: text("Describes the error in one sentence for people."),
      metadata: nullable("object"),
    }),
    description: "The tool could not answer. The call is refunded.",
  },
  detail: object({ detail: TEXT }),
  duplicate_request: object({
    detail: object({
      code: { const: "DUPLICATE_REQUEST" },
      error_code: { const: "DUPLICATE_REQUEST" },
      message: TEXT,
      state: { type: "string", enum: ["running", "completed"] },
      same_request: {
        type: "boolean",
        description: "True when tool and arguments equal those of the earlier request.",
      },
    }),
  }),
  price_changed: object({
    detail: object({
      code: { const: "PRICE_CHANGED" },
      error_code: { const: "PRICE_CHANGED" },
      message: TEXT,
      catalog_version: TEXT,
      prices: PRICES,
    }),
  }),
  plan_limit_reached: object({
    detail: object({
      error_code: { const: "PLAN_LIMIT_REACHED" },
      meter: { type: "string", enum: ["api_calls", "mcp_calls"] },
      plan_id: TEXT,
      limit: { type: "integer" },
      resets_at: nullable("string", { format: "date-time" }),
      message: TEXT,
    }),
  }),
  invalid_request: object({
    detail: {
      type: "array",
      minItems: 1,
      items: object(
        {
          type: TEXT,
          loc: { type: "array", items: { type: ["string", "integer"] } },
          msg: TEXT,
          input: { description: "The rejected value, when it is short." },
          ctx: { type: "object" },
        },
        ["input", "ctx"],
      ),
    },
  }),
  discovery: object(
    {
      catalog_version: text("Version of the prices, to be sent as X-Credit-Catalog-Version."),
      tools: { type: "array", items: listedTool },
      calls: {
        type: "array",
        description: "With `view=compact`: calls over time with their paths and prices.",
        items: object({ ...listedTool.properties, path: TEXT }, ["output_schema", "live_fields"]),
      },
    },
    ["calls"],
  ),
};
