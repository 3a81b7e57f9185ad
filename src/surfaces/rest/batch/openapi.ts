import { EXPORT_TYPES } from "../../http/export_format.ts";
import { PARTED_KEY_LENGTH_MAX } from "../../http/idempotency_key.ts";
import type { JsonSchema } from "../../openapi/describe_tool.ts";
import { CREDIT_HEADERS, FIVE_HUNDREDS, named, ref, shared, TRANSPORT } from "../../openapi/responses.ts";
import { ITEMS_MAX } from "./envelope.ts";

const INTEGER: JsonSchema = { type: "integer" };
const CHARGED: JsonSchema = { type: ["integer", "null"] };

/** Bodies of the answers of a batch, by name in the OpenAPI document. */
export const batchSchemas: Record<string, JsonSchema> = {
  batch_item: {
    type: "object",
    properties: {
      index: { ...INTEGER, description: "Number of the item in the request, from 0." },
      http_status: { ...INTEGER, description: "Status that a single call would have." },
      credits_charged: { ...CHARGED, description: "0 when refused or refunded; null when that is not known." },
      request_id: { type: "string", description: "Id of this item in the ledger and for charts." },
      retry_after: { ...INTEGER, description: "Seconds until the plan's credits reset, when known." },
      answer: { type: "object", description: "Body that a single call would have." },
    },
    required: ["index", "http_status", "credits_charged", "request_id", "answer"],
  },
  batch: {
    type: "object",
    properties: {
      tool: { type: "string" },
      credits_charged: { ...CHARGED, description: "Sum over all items; null when one of them is not known." },
      items: { type: "array", items: ref("batch_item"), description: "One per item of the request, in its order." },
    },
    required: ["tool", "credits_charged", "items"],
  },
};

const body: JsonSchema = {
  type: "object",
  properties: {
    items: {
      type: "array",
      minItems: 1,
      maxItems: ITEMS_MAX,
      items: { type: "object" },
      description: "Arguments of one call each.",
    },
  },
  required: ["items"],
  additionalProperties: false,
};

/** `POST /api/tools/{tool_name}/batch`. */
export const batchOperation: JsonSchema = {
  operationId: "call_tool_batch",
  summary: "Call a tool many times",
  description: [
    `Calls one tool for 1 to ${ITEMS_MAX} argument objects, as of one block per network. Each item is charged, refused or refunded as a single call.`,
    `With an Idempotency-Key (at most ${PARTED_KEY_LENGTH_MAX} characters), the key of an item is this key, a dot and the item's number.`,
    `With \`Accept: ${EXPORT_TYPES.ndjson}\`, each item is a line, sent when it and all earlier ones are ready, and the last line has the number of items and their sum; each item then has the time of a single call.`,
    "The batch counts once in the key's rate limit. Items on networks that are read on demand end at the newest block of their own address.",
  ].join(" "),
  tags: ["tools"],
  parameters: [
    { name: "tool_name", in: "path", required: true, schema: { type: "string" } },
    ...["view", "idempotency_key", "catalog_version"].map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ],
  requestBody: { required: true, content: { "application/json": { schema: body } } },
  responses: {
    200: {
      description: "An answer per item.",
      headers: named(CREDIT_HEADERS),
      content: {
        "application/json": { schema: ref("batch") },
        [EXPORT_TYPES.ndjson]: { schema: { type: "string", description: "Lines of JSON." } },
      },
    },
    ...TRANSPORT,
    401: shared("unauthorized"),
    404: shared("unknown_tool"),
    413: shared("too_large"),
    422: shared("invalid"),
    429: shared("rate_limited"),
    ...FIVE_HUNDREDS,
  },
};
