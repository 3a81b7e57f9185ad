/** Scopes of a key, as named by the server (docs/operating/keys.md). */
export const SCOPES = [
  { scope: "api:call", name: "call tools over REST" },
  { scope: "mcp:call", name: "call tools over MCP" },
  { scope: "usage:read", name: "read usage" },
  { scope: "keys:manage", name: "renew and revoke keys" },
  { scope: "watch:read", name: "read watch rules and their events" },
  { scope: "watch:manage", name: "make, change and delete watch rules" },
  { scope: "cases:read", name: "read cases" },
  { scope: "cases:write", name: "read and change cases" },
] as const;
