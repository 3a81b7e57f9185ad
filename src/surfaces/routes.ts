import type { FastifyRequest } from "fastify";

export const MCP_PATH = "/mcp";

const READ_PATHS = ["/api/tools", "/api/tools/openapi.json", "/healthz", "/readyz", "/metrics"];

/** The path that was asked for, also when the request line names the whole address. */
export const pathOf = (request: FastifyRequest): string =>
  (request.raw.url ?? "").replace(/^https?:\/\/[^/]*/i, "").split("?", 1)[0] ?? "";

/** Which method a path answers to; null when there is no such path. */
export const allowOf = (path: string): string | null => {
  if (READ_PATHS.includes(path)) return "GET";
  return path === MCP_PATH || /^\/api\/tools\/[^/]+$/.test(path) ? "POST" : null;
};
