import type { FastifyRequest } from "fastify";
import { ACCOUNT_OPENAPI_PATH } from "./account/openapi.ts";
import { operations } from "./account/operations.ts";
import { operatorOperations } from "./operator/state.ts";
import { operations as signInOperations } from "./sign_in/operations.ts";

export const MCP_PATH = "/mcp";

const READ_PATHS = ["/api/tools", "/api/tools/openapi.json", ACCOUNT_OPENAPI_PATH, "/healthz", "/readyz", "/metrics"];

/** The documentation, and the texts that lie at the root of the service by convention (llmstxt.org). */
export const DOCS_PATH = "/docs";
export const LLMS_PATHS = ["/llms.txt", "/llms-full.txt"];

/** Below this lies on the public surface what the operator API does: for operators who are signed in, where that is allowed. */
export const OPERATOR_PREFIX = "/api";

const OPERATIONS = [
  ...Object.values(operations),
  ...Object.values(signInOperations),
  ...Object.values(operatorOperations).map(({ path, method }) => ({ path: `${OPERATOR_PREFIX}${path}`, method })),
].map(({ path, method }) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), method }));

/** The path that was asked for, also when the request line names the whole address. */
export const pathOf = (request: FastifyRequest): string =>
  (request.raw.url ?? "").replace(/^https?:\/\/[^/]*/i, "").split("?", 1)[0] ?? "";

const isDocs = (path: string): boolean => path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`);

/** Which methods a path answers to; null when there is no such path. */
export const allowOf = (path: string): string | null => {
  if ([...READ_PATHS, ...LLMS_PATHS].includes(path) || isDocs(path)) return "GET";
  const own = OPERATIONS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (own.length > 0) return own.join(", ");
  return path === MCP_PATH || /^\/api\/tools\/[^/]+$/.test(path) ? "POST" : null;
};
