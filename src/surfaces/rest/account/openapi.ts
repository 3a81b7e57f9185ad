import type { JsonSchema } from "../../openapi/describe_tool.ts";
import { ERROR_SCHEMAS, errorResponse, INVALID_INPUT, pathsOf } from "../../operations/openapi.ts";
import { asOperations } from "../../operations/operation.ts";
import { operations as signIn } from "../sign_in/operations.ts";
import { STREAM_PATH } from "../watch_events/stream.ts";
import { operations } from "./operations.ts";

export const ACCOUNT_OPENAPI_PATH = "/api/account/openapi.json";

const ERRORS = {
  400: errorResponse("The body cannot be read."),
  401: errorResponse("No valid key, and no session that is open."),
  403: errorResponse("The key lacks the scope. Nothing was changed."),
  404: errorResponse("The account has no such key, rule or event, or nothing is watched here."),
  422: INVALID_INPUT,
  429: errorResponse("More requests in 60 seconds than the key's limit. These are counted apart from calls of tools."),
  500: errorResponse("A failure of the service."),
  503: errorResponse("The service is too busy, or the accounts store is away. Nothing was changed."),
};

const CHANGING = {
  403: errorResponse("The key lacks the scope, or the request is of no page of this service. Nothing was changed."),
  409: errorResponse("The key is revoked, the rule has ended, or the account has as many rules as it may."),
  413: errorResponse("The body is too large."),
};

const OF_PAGES = {
  ...ERRORS,
  401: errorResponse("The name or the password is not right, or the session has ended."),
  403: errorResponse("The request does not come from a page of this service, or does not show its session's token."),
  404: errorResponse("The user has no such session, or sign-in is off."),
  429: errorResponse("Too many sign-ins have failed: Retry-After says when to come again."),
};

const CHANGING_PAGES = {
  410: errorResponse("The set-up link was used, has ended or was never made."),
  413: errorResponse("The body is too large."),
};

/** The stream is no answer in JSON. */
const STREAM = {
  operationId: "stream_watch_events",
  summary: "The account's events as server-sent events, as they are shown; needs the scope watch:read.",
  tags: ["watch"],
  parameters: [
    {
      name: "Last-Event-ID",
      in: "header",
      required: false,
      description: "Number of the last event that was received: the stream goes on behind it. Left out: from now on.",
      schema: { type: "string" },
    },
    {
      name: "after",
      in: "query",
      required: false,
      description: "The same, for clients that cannot send the header; 0 = everything that is kept.",
      schema: { type: "string" },
    },
  ],
  responses: {
    200: {
      description: "`id` is the number of the event, `data` its JSON. A comment every 15 seconds. Ends with the key.",
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
      "Usage, ledger, month reports and keys of the account that a key, or a user who is signed in, belongs to; and signing in. Every key reads usage and may revoke itself; the scope usage:read is for a key that shall do no more, keys:manage for one that renews and revokes the account's keys, watch:manage for one that makes watch rules, watch:read for one that hears of their events. Nothing here costs credits; a watched event has a price of its own (watch_event in the price list).",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "http://127.0.0.1:8787", description: "listen of the configuration." }],
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
          "The session of a user who is signed in on a page of this service (`__Host-assay` behind TLS). Changes need X-Csrf-Token too.",
      },
    },
    schemas: ERROR_SCHEMAS,
  },
});
