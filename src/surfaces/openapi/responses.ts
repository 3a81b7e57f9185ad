import type { JsonSchema } from "./describe_tool.ts";
import { TEXT } from "./shared_schemas.ts";

/** A reference to a schema of the document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const header = (description: string, schema: JsonSchema): JsonSchema => ({ description, schema });

export const headers: Record<string, JsonSchema> = {
  "X-Request-Id": header("Our id of this request.", TEXT),
  "X-Credits-Charged": header("Credits that this request cost; 0 when refunded; left out when that is not known.", {
    type: "integer",
  }),
  "X-Credits-Remaining": header("Credits left in the account's period.", { type: "integer" }),
  "X-Credit-Catalog-Version": header("Version of the prices in force.", TEXT),
  "Retry-After": header("Seconds until the plan's credits reset, when that is known.", { type: "integer" }),
  "WWW-Authenticate": header("The scheme to use.", TEXT),
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
  unreadable: answer("The request or its body cannot be read.", ref("detail"), PLAIN),
  unauthorized: answer("No valid key with scope api:call.", ref("detail"), [...PLAIN, "WWW-Authenticate"]),
  unknown_tool: answer("No such public tool.", ref("detail"), CREDIT_HEADERS),
  timeout: answer("The request did not arrive in time.", ref("detail"), PLAIN),
  conflict: answer(
    "The Idempotency-Key was used, or prices changed. Nothing is charged.",
    either("duplicate_request", "price_changed"),
    CREDIT_HEADERS,
  ),
  too_large: answer("The body is too large.", ref("detail"), CREDIT_HEADERS),
  invalid: answer(
    "The arguments (text) or the request (list) are invalid. Nothing is charged.",
    either("detail", "invalid_request"),
    CREDIT_HEADERS,
  ),
  refused: answer(
    "The key's rate limit (text) or the plan's credits (object) are used up. Nothing is charged.",
    either("detail", "plan_limit_reached"),
    [...CREDIT_HEADERS, "Retry-After"],
  ),
  rate_limited: answer("The key's rate limit is used up.", ref("detail"), CREDIT_HEADERS),
  headers_too_large: answer("The request line or the headers are too large.", ref("detail"), PLAIN),
  broken: answer("A failure of the service. Refunded.", ref("detail"), CREDIT_HEADERS),
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
