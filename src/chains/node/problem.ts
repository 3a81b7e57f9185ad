/** Why a node did not answer, in words for whoever runs it. */
import { messageOf } from "../../lib/errors.ts";

/** The system's words for a connection that failed (errno of connect(2), getaddrinfo(3), TLS of Node). */
const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  EPIPE: "it closed the connection",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name could not be looked up",
  ETIMEDOUT: "it cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "it cannot be reached",
  EHOSTUNREACH: "it cannot be reached",
  ENETUNREACH: "it cannot be reached",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "nobody vouches for its certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "nobody vouches for its certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "nobody vouches for its certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

const STATUS: Readonly<Record<string, string>> = {
  "HTTP 401": "it refuses with HTTP 401 (a key is missing in its address, or wrong)",
  "HTTP 403": "it refuses with HTTP 403 (a key is missing in its address, or may not do this)",
  "HTTP 404": "there is no node under this path (HTTP 404)",
  "HTTP 429": "it is asked too often (HTTP 429)",
};

/** A few words, without the node's name. */
export const problemOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  return CONNECTION[code] ?? STATUS[message] ?? message;
};
