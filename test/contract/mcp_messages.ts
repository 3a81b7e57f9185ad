/** Messages as clients of the two revisions write them. */

export const MODERN = "2026-07-28";

/** A message of the 2025 revisions. */
export const legacyMessage = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

interface ModernParams {
  readonly name?: string;
  readonly _meta?: object;
  readonly [member: string]: unknown;
}

/** A message of revision 2026-07-28 and the headers that go with it. */
export const modernMessage = (method: string, params: ModernParams = {}) => ({
  body: {
    ...legacyMessage(method),
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
        ...params._meta,
      },
    },
  },
  headers: {
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    ...(params.name === undefined ? {} : { "mcp-name": params.name }),
  },
});
