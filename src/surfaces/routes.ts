import type { FastifyRequest } from "fastify";
import { ACCOUNT_OPENAPI_PATH } from "./account/openapi.ts";
import { operations } from "./account/operations.ts";
import { STREAM_PATH } from "./watch_stream.ts";

export const MCP_PATH = "/mcp";

const READ_PATHS = [
  "/api/tools",
  "/api/tools/openapi.json",
  ACCOUNT_OPENAPI_PATH,
  "/healthz",
  "/readyz",
  "/metrics",
  STREAM_PATH,
];

/** The documentation, and the texts that lie at the root of the service by convention (llmstxt.org). */
export const DOCS_PATH = "/docs";
export const LLMS_PATHS = ["/llms.txt", "/llms-full.txt"];

const ACCOUNT_PATHS = Object.values(operations).map(({ path, method }) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  method,
}));

/** The path that was asked for, also when the request line names the whole address. */
export const pathOf = (request: FastifyRequest): string =>
  (request.raw.url ?? "").replace(/^https?:\/\/[^/]*/i, "").split("?", 1)[0] ?? "";

const isDocs = (path: string): boolean => path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`);

/** Which methods a path answers to, separated by commas; null when there is no such path. */
export const allowOf = (path: string): string | null => {
  if ([...READ_PATHS, ...LLMS_PATHS].includes(path) || isDocs(path)) return "GET";
  const own = ACCOUNT_PATHS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (own.length > 0) return own.join(", ");
  return path === MCP_PATH || /^\/api\/tools\/[^/]+$/.test(path) ? "POST" : null;
};
