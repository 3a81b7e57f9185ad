import type { JsonSchema } from "./describe_tool.ts";
import { TEXT } from "./shared_schemas.ts";

/** A reference to a schema of the document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const header = (description: string, schema: JsonSchema): JsonSchema => ({ description, schema });

export const headers: Record<string, JsonSchema> = {
  "X-Request-Id": header("Id of this request.", TEXT),
  "X-Credits-Charged": header("Credits charged for this request; 0 when refunded, omitted when unknown.", {
    type: "integer",
  }),
  "X-Credits-Remaining": header("Credits left in the account's current month.", { type: "integer" }),
  "X-Credit-Catalog-Version": header("Version of the current prices.", TEXT),
  "Retry-After": header("Seconds until the plan's credits reset, when known.", { type: "integer" }),
  "WWW-Authenticate": header("Authentication scheme.", TEXT),
};

/** References to headers of the document. */
export const named = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const CREDIT_HEADERS = ["X-Request-Id", "X-Credits-Charged", "X-Credits-Remaining", "X-Credit-Catalog-Version"];

/** An answer with a JSON body. */
export const answer = (description: string, schema: JsonSchema, header_names: readonly string[]): JsonSchema => ({
  description,
  headers: named(header_names),
  content: { "application/json": { schema } },
});

/** A schema that allows each of the named ones. */
export const either = (...names: readonly string[]): JsonSchema => ({ anyOf: names.map(ref) });
export const PLAIN = ["X-Request-Id"];

export const responses: Record<string, JsonSchema> = {
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

/** A reference to an answer that several routes share. */
export const shared = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` });
export const FIVE_HUNDREDS = {
  500: shared("broken"),
  502: shared("broken"),
  503: shared("broken"),
  504: shared("broken"),
};
/** Answers below any route. */
export const TRANSPORT = { 400: shared("unreadable"), 408: shared("timeout"), 431: shared("headers_too_large") };
