import type { JsonSchema } from "../openapi/describe_tool.ts";
import { ERROR_SCHEMAS, errorResponse, INVALID_INPUT, pathsOf } from "../operations/openapi.ts";
import { asOperations } from "../operations/operation.ts";
import { operatorOperations } from "./state.ts";

const ERRORS = {
  400: errorResponse("The body cannot be read."),
  401: errorResponse("No valid operator token."),
  404: errorResponse("There is no such account, key, user or tool."),
  409: errorResponse("The plan's number of keys is reached, or the key is revoked."),
  413: errorResponse("The body is too large."),
  422: INVALID_INPUT,
  500: errorResponse("A failure of the service."),
  503: errorResponse("The accounts store is busy or away. Nothing was changed."),
};

/** Of operations that change something. */
const MAY_ONLY_READ = { 403: errorResponse("The token may only read (`operator.read_token`). Nothing was changed.") };

/** The OpenAPI 3.1 document of the operator API. */
export const operatorOpenapi = (): JsonSchema => ({
  openapi: "3.1.0",
  info: {
    title: "Assay operator API",
    version: "1.0.0",
    description:
      "Accounts, plans, keys, users, grants, prices, the allowlist of tools, the audit trail, networks and imported lists. On a listener of its own, with a token of its own; not part of the public interface.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "http://127.0.0.1:8788", description: "operator.listen of the configuration." }],
  security: [{ operator_token: [] }],
  paths: pathsOf(asOperations(operatorOperations), { always: ERRORS, changing: MAY_ONLY_READ }),
  components: {
    securitySchemes: {
      operator_token: {
        type: "http",
        scheme: "bearer",
        description: "operator.token; operator.read_token for what is read.",
      },
    },
    schemas: ERROR_SCHEMAS,
  },
});
