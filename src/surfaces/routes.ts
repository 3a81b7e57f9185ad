import type { FastifyRequest } from "fastify";
import { ACCOUNT_OPENAPI_PATH } from "./account/openapi.ts";
import { operations } from "./account/operations.ts";
import { CHARTS_PATH } from "./charts/picture.ts";
import { operatorOperations } from "./operator/state.ts";
import { operations as signInOperations } from "./sign_in/operations.ts";
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

/** Below this lies on the public surface what the operator API does: for operators who are signed in, where that is allowed. */
export const OPERATOR_PREFIX = "/api";

const OPERATIONS = [
  ...Object.values(operations),
  ...Object.values(signInOperations),
  ...Object.values(operatorOperations).map(({ path, method }) => ({ path: `${OPERATOR_PREFIX}${path}`, method })),
].map(({ path, method }) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), method }));

/** The page that people look at: its places, its files, and what it knows of the networks. */
export const PORTAL_PATH = "/app";
export const PORTAL_ASSETS = "/assets";
export const PORTAL_NETWORKS_PATH = "/app/networks.json";

/** The path that was asked for, also when the request line names the whole address. */
export const pathOf = (request: FastifyRequest): string =>
  (request.raw.url ?? "").replace(/^https?:\/\/[^/]*/i, "").split("?", 1)[0] ?? "";

const isDocs = (path: string): boolean => path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`);

const isPortal = (path: string): boolean =>
  path === "/" || path === PORTAL_PATH || path.startsWith(`${PORTAL_PATH}/`) || path.startsWith(`${PORTAL_ASSETS}/`);

/**
 * Which methods a path answers to; null when there is no such path.
 * @param has_page false where no page for people is served: its places are none then
 */
export const allowOf = (path: string, has_page: boolean): string | null => {
  if (has_page && isPortal(path)) return "GET";
  if ([...READ_PATHS, ...LLMS_PATHS].includes(path) || isDocs(path)) return "GET";
  const own = OPERATIONS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (own.length > 0) return own.join(", ");
  if (path.startsWith(`${CHARTS_PATH}/`) && !path.slice(CHARTS_PATH.length + 1).includes("/")) return "GET";
  return path === MCP_PATH || /^\/api\/tools\/[^/]+$/.test(path) ? "POST" : null;
};
