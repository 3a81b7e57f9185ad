import type { JsonSchema } from "../../openapi/describe_tool.ts";
import { ERROR_SCHEMAS, errorResponse, INVALID_INPUT, pathsOf } from "../../operations/openapi.ts";
import { asOperations } from "../../operations/operation.ts";
import { operations as signIn } from "../sign_in/operations.ts";
import { STREAM_PATH } from "../watch_events/stream.ts";
import { operations } from "./operations.ts";

export const ACCOUNT_OPENAPI_PATH = "/api/account/openapi.json";

const ERRORS = {
  400: errorResponse("The body could not be parsed."),
  401: errorResponse("No valid key and no open session."),
  403: errorResponse("The key lacks the required scope. Nothing was changed."),
  404: errorResponse("The key, rule, event or case does not exist in the account, or watch rules are disabled."),
  422: INVALID_INPUT,
  429: errorResponse("More requests in 60 seconds than the key's limit. Tool calls are counted separately."),
  500: errorResponse("The service failed."),
  503: errorResponse("The service is too busy, or the accounts store is unavailable. Nothing was changed."),
};

const CHANGING = {
  403: errorResponse(
    "The key lacks the required scope, or the request does not come from a page of this service. Nothing was changed.",
  ),
  409: errorResponse(
    "The key is revoked, the rule has ended, the case is closed or has changed since it was read, or the account has reached a limit.",
  ),
  413: errorResponse("The body is too large. Nothing is charged."),
};

const OF_PAGES = {
  ...ERRORS,
  401: errorResponse("The name or the password is wrong, or the session has ended."),
  403: errorResponse("The request does not come from a page of this service, or lacks the session's CSRF token."),
  404: errorResponse("The session does not exist, or sign-in is disabled."),
  429: errorResponse("Too many sign-ins have failed. Retry after the seconds in Retry-After."),
};

const CHANGING_PAGES = {
  409: errorResponse("The account has reached its number of keys."),
  410: errorResponse("The set-up link was used, has expired or never existed."),
  413: errorResponse("The body is too large. Nothing is charged."),
};

/** The stream is no answer in JSON. */
const STREAM = {
  operationId: "stream_watch_events",
  summary: "Stream the account's events as server-sent events; requires the scope watch:read.",
  tags: ["watch"],
  parameters: [
    {
      name: "Last-Event-ID",
      in: "header",
      required: false,
      description: "Number of the last received event: the stream continues after it. Default: new events only.",
      schema: { type: "string" },
    },
    {
      name: "after",
      in: "query",
      required: false,
      description: "The same for clients that cannot send the header; 0 for all stored events.",
      schema: { type: "string" },
    },
  ],
  responses: {
    200: {
      description:
        "`id` is the number of the event, `data` its JSON. A comment follows every 15 seconds. The stream ends when the key is revoked.",
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    ...ERRORS,
  },
};

/** The OpenAPI 3.1 document of what holders of keys do about their account. */
export const accountOpenapi = (): JsonSchema => ({
  openapi: "3.1.0",
  info: {
    title: "Assay account API",
    version: "1.0.0",
    description:
      "Usage, ledger, month reports, keys, cases and watch rules of the account of a key or a signed-in user; and sign-in. Every key can read usage and revoke itself. The scope usage:read allows only that; keys:manage also rotates and revokes the account's keys; watch:manage creates watch rules; watch:read receives their events; cases:read reads the account's cases, cases:write changes them, too. These requests cost no credits; a watched event has its own price (watch_event in the price list).",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "http://127.0.0.1:8787", description: "The address in `listen` of the configuration." }],
  security: [{ api_key: [] }, { session: [] }],
  paths: {
    ...pathsOf(asOperations(operations), { always: ERRORS, changing: CHANGING }),
    ...pathsOf(asOperations(signIn), { always: OF_PAGES, changing: CHANGING_PAGES }),
    [STREAM_PATH]: { get: STREAM },
  },
  components: {
    securitySchemes: {
      api_key: { type: "http", scheme: "bearer", description: "Any key of the account." },
      session: {
        type: "apiKey",
        in: "cookie",
        name: "assay_session",
        description:
          "Session cookie of a signed-in user (`__Host-assay` behind TLS). Requests that change something also need X-Csrf-Token.",
      },
    },
    schemas: ERROR_SCHEMAS,
  },
});
