import type { JsonSchema } from "../describe.ts";
import { ERROR_SCHEMAS, errorResponse, INVALID_INPUT, pathsOf } from "../operations/openapi.ts";
import { asOperations } from "../operations/operation.ts";
import { operations as signIn } from "../sign_in/operations.ts";
import { operations } from "./operations.ts";

export const ACCOUNT_OPENAPI_PATH = "/api/account/openapi.json";

const ERRORS = {
  400: errorResponse("The body cannot be read."),
  401: errorResponse("No valid key, and no session that is open."),
  422: INVALID_INPUT,
  429: errorResponse("More requests in 60 seconds than the key's limit. These are counted apart from calls of tools."),
  500: errorResponse("A failure of the service."),
  503: errorResponse("The service is too busy, or the accounts store is away. Nothing was changed."),
};

const CHANGING = {
  403: errorResponse("The key lacks the scope, or the request is of no page of this service. Nothing was changed."),
  404: errorResponse("The account has no such key."),
  409: errorResponse("The key is revoked."),
  413: errorResponse("The body is too large."),
};

const OF_PAGES = {
  ...ERRORS,
  401: errorResponse("The name or the password is not right, or the session has ended."),
  403: errorResponse("The request does not come from a page of this service, or does not show its session's token."),
  404: errorResponse("The user has no such session, or nobody can sign in here."),
  429: errorResponse("Too many sign-ins have failed: Retry-After says when to come again."),
};

const CHANGING_PAGES = {
  410: errorResponse("The set-up link was used, has ended or was never made."),
  413: errorResponse("The body is too large."),
};

/** The OpenAPI 3.1 document of what holders of keys do about their account. */
export const accountOpenapi = (): JsonSchema => ({
  openapi: "3.1.0",
  info: {
    title: "Assay account API",
    version: "1.0.0",
    description:
      "Usage, ledger, month reports and keys of the account that a key, or a user who is signed in, belongs to; and signing in. Every key reads usage and may revoke itself; the scope usage:read is for a key that shall do no more, keys:manage for one that renews and revokes the account's keys. Nothing here costs credits.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "http://127.0.0.1:8787", description: "listen of the configuration." }],
  security: [{ api_key: [] }, { session: [] }],
  paths: {
    ...pathsOf(asOperations(operations), { always: ERRORS, changing: CHANGING }),
    ...pathsOf(asOperations(signIn), { always: OF_PAGES, changing: CHANGING_PAGES }),
  },
  components: {
    securitySchemes: {
      api_key: { type: "http", scheme: "bearer", description: "Any key of the account." },
      session: {
        type: "apiKey",
        in: "cookie",
        name: "assay_session",
        description:
          "Of a user who is signed in on a page of this service (`__Host-assay` behind TLS). What changes something needs X-Csrf-Token too.",
      },
    },
    schemas: ERROR_SCHEMAS,
  },
});
