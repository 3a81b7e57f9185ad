import { isIP } from "node:net";
import { isPublicAddress } from "./address.ts";

/** Longest allowed URL, in characters. */
const URL_LENGTH_MAX = 2_048;

/** Ports of http and https. */
export const WEB_PORTS: readonly number[] = [80, 443];

/** Names that resolve to this machine or its network everywhere (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;

/** The host of a URL without the brackets of IPv6 and the dot of the root. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80);

/** Returns the URL, or the reason why it is not allowed. Reads only the text and resolves no name. */
export const readUrl = (
  text: string,
  ports: readonly number[] = WEB_PORTS,
): { readonly url: URL } | { readonly reason: string } => {
  if (text.length > URL_LENGTH_MAX) return { reason: `it is longer than ${URL_LENGTH_MAX} characters` };
  if (!URL.canParse(text)) return { reason: "it is no absolute URL" };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { reason: "only http and https are allowed" };
  if (url.username !== "" || url.password !== "") return { reason: "it carries credentials" };
  if (!ports.includes(portOf(url))) return { reason: "only the ports 80 and 443 are allowed" };
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host))
    return { reason: "its host is not an address of the public internet" };
  if (host === "" || LOCAL_NAMES.test(host)) return { reason: "its host is a local name" };
  return { url };
};

/** Returns the reason why a URL is not allowed, as the second half of a sentence, or null when it is. */
export const refusalOfUrl = (text: string): string | null => {
  const read = readUrl(text);
  return "reason" in read ? read.reason : null;
};
