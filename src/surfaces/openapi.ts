import type { Catalog } from "../accounts/meter.ts";
import { PICTURED_TOOLS } from "../charts/index.ts";
import { GIVEN_LIMITS } from "./charts/given.ts";
import { CHARTS_PATH, SVG_TYPE, WIDTHS } from "./charts/picture.ts";
import { type Description, type JsonSchema, mapSchemas } from "./describe.ts";
import { schemas, TEXT } from "./openapi_schemas.ts";
import { VIEWS } from "./view/asked.ts";
import { compactAnswer } from "./view/schema.ts";

/** The version that the interface declares (01, versioning). */
export const API_VERSION = "1.0.0";

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

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

const header = (description: string, schema: JsonSchema): JsonSchema => ({ description, schema });

const headers: Record<string, JsonSchema> = {
  "X-Request-Id": header("Id of this request.", TEXT),
  "X-Credits-Charged": header("Credits charged for this request; 0 when refunded, omitted when unknown.", {
    type: "integer",
  }),
  "X-Credits-Remaining": header("Credits left in the account's current month.", { type: "integer" }),
  "X-Credit-Catalog-Version": header("Version of the current prices.", TEXT),
  "Retry-After": header("Seconds until the plan's credits reset, when known.", { type: "integer" }),
  "WWW-Authenticate": header("Authentication scheme.", TEXT),
};

const named = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const CREDIT_HEADERS = ["X-Request-Id", "X-Credits-Charged", "X-Credits-Remaining", "X-Credit-Catalog-Version"];

const answer = (description: string, schema: JsonSchema, header_names: readonly string[]): JsonSchema => ({
  description,
  headers: named(header_names),
  content: { "application/json": { schema } },
});

const either = (...names: readonly string[]): JsonSchema => ({ anyOf: names.map(ref) });
const PLAIN = ["X-Request-Id"];

const responses: Record<string, JsonSchema> = {
  unreadable: answer("The request or its body could not be parsed. Nothing is charged.", ref("detail"), PLAIN),
  unauthorized: answer("No valid key with the scope api:call. Nothing is charged.", ref("detail"), [
    ...PLAIN,
    "WWW-Authenticate",
  ]),
  unknown_tool: answer("The tool does not exist or is not public. Nothing is charged.", ref("detail"), CREDIT_HEADERS),
  timeout: answer("The request did not arrive in time. Nothing is charged.", ref("detail"), PLAIN),
  conflict: answer(
    "The Idempotency-Key was already used, or prices changed. Nothing is charged.",
    either("duplicate_request", "price_changed"),
    CREDIT_HEADERS,
  ),
  too_large: answer("The body is too large. Nothing is charged.", ref("detail"), CREDIT_HEADERS),
  invalid: answer(
    "The arguments (`detail` is text) or the request (`detail` is a list) are invalid. Nothing is charged.",
    either("detail", "invalid_request"),
    CREDIT_HEADERS,
  ),
  refused: answer(
    "The key's rate limit (`detail` is text) or the plan's credits (`detail` is an object) are used up. Nothing is charged.",
    either("detail", "plan_limit_reached"),
    [...CREDIT_HEADERS, "Retry-After"],
  ),
  rate_limited: answer("The key's rate limit is used up. Nothing is charged.", ref("detail"), CREDIT_HEADERS),
  headers_too_large: answer("The request line or the headers are too large. Nothing is charged.", ref("detail"), PLAIN),
  broken: answer("The service failed. The call is refunded.", ref("detail"), CREDIT_HEADERS),
};

const shared = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` });
const FIVE_HUNDREDS = { 500: shared("broken"), 502: shared("broken"), 503: shared("broken"), 504: shared("broken") };
const TRANSPORT = { 400: shared("unreadable"), 408: shared("timeout"), 431: shared("headers_too_large") };

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

const parameters: Record<string, JsonSchema> = {
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
};

/** Only for tool calls; no tool has an argument of this name (test/catalog.test.ts). */
const VIEW: JsonSchema = {
  name: "view",
  in: "query",
  description:
    "`compact`: the short form for models, the same as `structuredContent` over MCP: lists as tables, without empty members, raw amounts and evidence. The price is the same.",
  schema: { type: "string", enum: [...VIEWS], default: "full" },
};

const operation = (tool: Description, credits: number | null, example: unknown): JsonSchema => ({
  operationId: tool.name,
  summary: tool.title,
  description: tool.description,
  tags: ["tools"],
  "x-credits": credits,
  "x-networks": tool.networks,
  parameters: ["view", ...Object.keys(parameters)].map((name) => ({ $ref: `#/components/parameters/${name}` })),
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
      },
    },
    ...ERRORS,
  },
});

const listOperation: JsonSchema = {
  operationId: "list_tools",
  summary: "List the public tools",
  description: "All public tools with input and output schema, networks and price. Free of charge.",
  tags: ["discovery"],
  responses: {
    200: answer("The tools, most expensive first.", ref("discovery"), CREDIT_HEADERS),
    ...TRANSPORT,
    401: shared("unauthorized"),
    429: shared("rate_limited"),
    ...FIVE_HUNDREDS,
  },
};

const chartOperation: JsonSchema = {
  operationId: "draw_answer",
  summary: "Get the picture of a recent answer",
  description: `An SVG document, free of charge. The serving process caches each answer for up to ${GIVEN_LIMITS.kept_ms / 60_000} minutes; a 404 says what to do afterwards. After a repeat with the same Idempotency-Key, either request id works.`,
  tags: ["tools"],
  parameters: [
    { name: "tool_name", in: "path", required: true, schema: { type: "string", enum: [...PICTURED_TOOLS] } },
    { name: "request_id", in: "query", required: true, description: "X-Request-Id of the answer.", schema: TEXT },
    {
      name: "width",
      in: "query",
      description: "Pixels.",
      schema: { type: "integer", minimum: WIDTHS.least, maximum: WIDTHS.most, default: 720 },
    },
  ],
  responses: {
    200: {
      description: "The picture.",
      headers: named(CREDIT_HEADERS),
      content: { [SVG_TYPE]: { schema: { type: "string" } } },
    },
    ...TRANSPORT,
    401: shared("unauthorized"),
    404: answer("The tool or the answer does not exist, or the answer has no picture.", ref("detail"), CREDIT_HEADERS),
    422: answer("The query is invalid.", ref("invalid_request"), CREDIT_HEADERS),
    429: shared("rate_limited"),
    ...FIVE_HUNDREDS,
  },
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
    ...Object.fromEntries(
      tools.map((tool) => [
        `/api/tools/${tool.name}`,
        { post: operation(tool, credits[tool.name] ?? null, answers[tool.name]) },
      ]),
    ),
  },
  components: {
    securitySchemes: {
      api_key: { type: "http", scheme: "bearer", description: "A key with the scope api:call." },
    },
    schemas: {
      ...schemas,
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
