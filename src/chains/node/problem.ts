/** Why a node did not answer, for the operator. */
import { messageOf } from "../../lib/errors.ts";
import { BadAnswer } from "./answer.ts";

const NOT_TRUSTED = "its certificate is not trusted; add its CA with NODE_EXTRA_CA_CERTS";

/** Messages for connections that failed, by the system's code (errno of connect(2), getaddrinfo(3), TLS of Node). */
const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  EPIPE: "it closed the connection",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be resolved at the moment",
  ETIMEDOUT: "it cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "it cannot be reached",
  EHOSTUNREACH: "it cannot be reached",
  ENETUNREACH: "it cannot be reached",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it speaks no TLS on this port; use http:// instead of https://",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it speaks no TLS on this port; use http:// instead of https://",
};

const STATUS: ReadonlyMap<number, string> = new Map([
  [401, "it refuses with HTTP 401 (a key is missing in its address or headers, or wrong)"],
  [403, "it refuses with HTTP 403 (a key is missing in its address or headers, or may not do this)"],
  [404, "there is no node under this path (HTTP 404)"],
  [405, "there is no node under this path (HTTP 405)"],
  [502, "a proxy answers that the node behind it does not (HTTP 502)"],
  [503, "it is not available at the moment (HTTP 503)"],
  [504, "a proxy answers that the node behind it does not (HTTP 504)"],
]);

/** A short message without the node's name. */
export const problemOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  const of_status = error instanceof BadAnswer && error.status !== null ? STATUS.get(error.status) : undefined;
  if (of_status === undefined)
    return CONNECTION[code] ?? (message === "HTTP 429" ? "it receives too many requests (HTTP 429)" : message);
  const words = message.replace(/^HTTP \d+(?:: )?/, "");
  return words === "" ? of_status : `${of_status}: ${words}`;
};

/** Message for an endpoint that accepts no requests for a while. */
export const pausedProblem = (pause_ms: number): string => {
  const seconds = Math.ceil(pause_ms / 1_000);
  const span =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7_200
        ? `${Math.ceil(seconds / 60)} min`
        : `${Math.ceil(seconds / 3_600)} h`;
  return `its rate limit is used up; it accepts requests again in ${span}`;
};
