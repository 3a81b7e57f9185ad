import type { CallToolResult } from "@modelcontextprotocol/client";
import { assertDescribed } from "./openapi.ts";

/** Statuses that a body with `detail` may stand for over MCP; requests that were not read (400, 401, 413) stay HTTP. */
const REFUSALS = [404, 409, 422, 429, 500, 503];

const isDescribed = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false; // whether it throws is the question
  }
};

/**
 * Throws unless the service's OpenAPI document describes the result of `tools/call`: `structuredContent` is a body that
 * REST may answer for this tool, with 200, or (`isError` only) as a refusal.
 */
export const assertMcpDescribed = (
  openapi: Readonly<Record<string, unknown>>,
  tool: string,
  { structuredContent: body, isError }: CallToolResult,
): void => {
  const at = { method: "post", path: `/api/tools/${tool}` };
  const described = (status: number): void => assertDescribed(openapi, at, { status, body });
  if (!Object.hasOwn(Object(body), "detail")) described(200);
  else if (isError !== true) throw new Error(`tools/call ${tool}: a refusal that is no error`);
  else if (!REFUSALS.some((status) => isDescribed(() => described(status))))
    throw new Error(`tools/call ${tool}: no refusal is described so: ${JSON.stringify(body)}`);
};
