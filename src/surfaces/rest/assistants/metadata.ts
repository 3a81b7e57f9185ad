/** Addresses and documents by which a program finds the way to a key (RFC 9728, RFC 8414). */

/** The only scope that a program gets by signing in. */
export const ASSISTANT_SCOPE = "mcp:call";

/** The portal's page on which the user says yes or no. */
const AUTHORIZE_PATH = "/app/authorize";
export const TOKEN_PATH = "/oauth/token";
export const REGISTER_PATH = "/oauth/register";
export const REVOKE_PATH = "/oauth/revoke";
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
const MCP_METADATA_PATH = `${RESOURCE_METADATA_PATH}/mcp`;
const DOCUMENTATION_PATH = "/docs/operating/mcp";

/** The address that keys of assistants are for. */
export const resourceOf = (origin: string): string => `${origin}/mcp`;

const resourceMetadata = (origin: string) => ({
  resource: resourceOf(origin),
  authorization_servers: [origin],
  scopes_supported: [ASSISTANT_SCOPE],
  bearer_methods_supported: ["header"],
  resource_name: "Assay",
  resource_documentation: `${origin}${DOCUMENTATION_PATH}`,
});

const serverMetadata = (origin: string, has_documents: boolean) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${AUTHORIZE_PATH}`,
  token_endpoint: `${origin}${TOKEN_PATH}`,
  registration_endpoint: `${origin}${REGISTER_PATH}`,
  revocation_endpoint: `${origin}${REVOKE_PATH}`,
  scopes_supported: [ASSISTANT_SCOPE],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: has_documents,
  service_documentation: `${origin}${DOCUMENTATION_PATH}`,
});

/** The documents by path. @param has_documents whether programs may be known by a document of their own */
export const metadataAt = (has_documents: boolean): Readonly<Record<string, (origin: string) => object>> => ({
  [RESOURCE_METADATA_PATH]: resourceMetadata,
  [MCP_METADATA_PATH]: resourceMetadata,
  "/.well-known/oauth-authorization-server": (origin) => serverMetadata(origin, has_documents),
});

/** `WWW-Authenticate` of a 401 of `/mcp` (RFC 9728, 5.1). */
export const challengeAt = (origin: string, has_token: boolean): string => {
  const parts = [`resource_metadata="${origin}${MCP_METADATA_PATH}"`, `scope="${ASSISTANT_SCOPE}"`];
  return `Bearer ${[...(has_token ? ['error="invalid_token"'] : []), ...parts].join(", ")}`;
};
