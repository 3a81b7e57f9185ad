/** Addresses of nodes as configured, and as shown in logs. */
import { maskUrl } from "../../lib/log.ts";
import type { RateLimits } from "./request_rate.ts";

/** A node and the settings that its provider requires. */
export interface RpcEndpoint extends RateLimits {
  readonly url: string;
  /** Distinguishes several endpoints of one host. */
  readonly name?: string | undefined;
  /** Sent with each request; their values are secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Calls per request. */
  readonly max_batch?: number | undefined;
  /** Requests in flight. */
  readonly max_concurrency?: number | undefined;
}

export type RpcAddress = string | RpcEndpoint;

export const endpointOf = (address: RpcAddress): RpcEndpoint =>
  typeof address === "string" ? { url: address } : address;

/** Without credentials, path and query: providers put keys there. */
export const maskedAddress = (address: RpcAddress): string => {
  const { url, name } = endpointOf(address);
  return name === undefined ? maskUrl(url) : `${name} (${maskUrl(url)})`;
};

/** Why the address cannot be used, in a sentence; null if it can. */
export const addressProblem = (url: string): string | null => {
  if (!URL.canParse(url)) return "An RPC address is like http://127.0.0.1:8545.";
  const { protocol } = new URL(url);
  if (protocol === "ws:" || protocol === "wss:")
    return `Assay reads nodes over HTTP, not over WebSocket. Use the http(s) address of the same node instead of ${maskUrl(url)}.`;
  return protocol === "http:" || protocol === "https:"
    ? null
    : `An RPC address must be an http or https URL, not ${maskUrl(url)}.`;
};

/** Longer parts of a path look like a key. */
const KEY_CHARACTERS_MIN = 12;

/** Secret parts of an address, which logs must omit even if the node repeats them. */
export const secretsOf = (address: RpcAddress): readonly string[] => {
  const { url, headers = {} } = endpointOf(address);
  const { username, password, pathname, searchParams } = new URL(url);
  const in_url = [username, password, ...pathname.split("/"), ...searchParams.values()].map((text) => decoded(text));
  const in_headers = Object.values(headers).flatMap((value) => value.split(" "));
  return [
    ...[decoded(password)].filter((text) => text !== ""),
    ...[...in_url, ...in_headers].filter((text) => text.length >= KEY_CHARACTERS_MIN),
  ];
};

/** Returns the text unchanged if its percent-encoding is invalid. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
