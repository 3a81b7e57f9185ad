import { EXPORT_TYPES } from "../../http/export_format.ts";
import type { Description, JsonSchema } from "../../openapi/describe_tool.ts";
import { CREDIT_HEADERS, either, FIVE_HUNDREDS, named, ref, shared, TRANSPORT } from "../../openapi/responses.ts";
import { TEXT } from "../../openapi/shared_schemas.ts";
import { VIEWS } from "../../view/requested_view.ts";
import { listsIn } from "../export/columns.ts";

const ERRORS = {
  ...TRANSPORT,
  401: shared("unauthorized"),
  404: shared("unknown_tool"),
  409: shared("conflict"),
  413: shared("too_large"),
  422: shared("invalid"),
  429: shared("refused"),
  ...FIVE_HUNDREDS,
};

/** The headers that a call may have. */
export const parameters: Record<string, JsonSchema> = {
  idempotency_key: {
    name: "Idempotency-Key",
    in: "header",
    description: "Key under which the call is charged at most once. The key of a refunded call can be used again.",
    schema: { type: "string", minLength: 1, maxLength: 64, pattern: "^[\\x21-\\x7e]+$" },
  },
  catalog_version: {
    name: "X-Credit-Catalog-Version",
    in: "header",
    description: "Version of the prices last read. The call fails with 409 when prices have changed since.",
    schema: TEXT,
  },
  keep_answer: {
    name: "X-Keep-Answer",
    in: "header",
    description: "`1`: the account keeps a paid answer for some days, for `POST /api/account/answers/find`.",
    schema: { type: "string", enum: ["1"] },
  },
};

/** The query of a call; no tool has an argument of this name (test/catalog.test.ts). */
export const VIEW: JsonSchema = {
  name: "view",
  in: "query",
  description:
    "`compact`: the short form for models, the same as `structuredContent` over MCP: lists as tables, without empty members, raw amounts and evidence. The price is the same.",
  schema: { type: "string", enum: [...VIEWS], default: "full" },
};

const exportDescription =
  "The rows of one list, of all pages as of one block; each page is a charged call. Lines of JSON begin with the metadata and end with the sum; a CSV that could not be completed breaks off.";

/** Parameters and contents of an export, for tools whose answers have lists. */
const exportOf = ({ output_schema }: Description) => {
  const lists = listsIn(output_schema);
  if (lists.length === 0) return { parameters: [], content: {} };
  const schema = { type: "string", enum: lists };
  const description = "With `Accept: text/csv` or `application/x-ndjson`: the list to export.";
  const rows = { schema: { type: "string", description: exportDescription } };
  return {
    parameters: [{ name: "list", in: "query", description, schema }],
    content: Object.fromEntries(Object.values(EXPORT_TYPES).map((type) => [type, rows])),
  };
};

/** `POST /api/tools/{tool_name}` of one tool, or the path of a call over time. */
export const callToolOperation = (tool: Description, credits: number | null, example: unknown): JsonSchema => ({
  operationId: tool.name,
  summary: tool.title,
  description: tool.description,
  tags: ["tools"],
  "x-credits": credits,
  "x-networks": tool.networks,
  parameters: [
    ...["view", ...Object.keys(parameters)].map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...exportOf(tool).parameters,
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: ref(`${tool.name}_input`),
        // Shown only beside the answer that it really got.
        ...(example === undefined ? {} : { example: tool.example }),
      },
    },
  },
  responses: {
    200: {
      description: "The result, or an object with `status` `no_data` or `error`.",
      headers: named(CREDIT_HEADERS),
      content: {
        "application/json": {
          schema: either(`${tool.name}_output`, `${tool.name}_compact`, "no_data", "tool_error"),
          ...(example === undefined ? {} : { example }),
        },
        ...exportOf(tool).content,
      },
    },
    ...ERRORS,
  },
});
