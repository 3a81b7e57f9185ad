import type { JsonSchema } from "../openapi/describe_tool.ts";
import { ERROR_SCHEMAS, errorResponse, INVALID_INPUT, pathsOf } from "../operations/openapi.ts";
import { asOperations } from "../operations/operation.ts";
import { operatorOperations } from "./state.ts";

const ERRORS = {
  400: errorResponse("The body could not be parsed."),
  401: errorResponse("No valid operator token."),
  404: errorResponse("The account, key, user, tool or rule does not exist."),
  409: errorResponse(
    "The plan's number of keys is reached, the key is revoked, or the risk rule exists already or has changed.",
  ),
  413: errorResponse("The body is too large. Nothing is charged."),
  422: INVALID_INPUT,
  500: errorResponse("The service failed."),
  503: errorResponse("The accounts store is busy or unavailable. Nothing was changed."),
};

/** Of operations that change something. */
const MAY_ONLY_READ = { 403: errorResponse("The token is read-only (`operator.read_token`). Nothing was changed.") };

/** The OpenAPI 3.1 document of the operator API. */
export const operatorOpenapi = (): JsonSchema => ({
  openapi: "3.1.0",
  info: {
    title: "Assay operator API",
    version: "1.0.0",
    description:
      "Accounts, plans, keys, users, grants, prices, risk rules, the allowlist of tools, the audit trail, networks and imported lists. Served on a separate listener with a separate token; not part of the public interface.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "http://127.0.0.1:8788", description: "The address in `operator.listen` of the configuration." }],
  security: [{ operator_token: [] }],
  paths: pathsOf(asOperations(operatorOperations), { always: ERRORS, changing: MAY_ONLY_READ }),
  components: {
    securitySchemes: {
      operator_token: {
        type: "http",
        scheme: "bearer",
        description: "`operator.token`, or `operator.read_token` for read-only requests.",
      },
    },
    schemas: ERROR_SCHEMAS,
  },
});
