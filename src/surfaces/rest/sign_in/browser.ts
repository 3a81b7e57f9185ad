/** Checks of requests from the service's own pages: their origin, cookies and CSRF token. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { localhostAllowedHostnames, validateHostHeader } from "@modelcontextprotocol/server";
import type { FastifyRequest } from "fastify";
import type { SignInOrigin } from "../../../accounts/sign_in.ts";
import { cleanText } from "../../../lib/text.ts";
import { valuesOf } from "../../http/headers.ts";
import { refusal, type SurfaceResponse } from "../../surface_response.ts";

/** Where people sign in. */
export interface PagesSettings {
  /** `https://name` under which browsers reach the service; null = by plain HTTP on this machine alone. */
  readonly origin: string | null;
  /** Addresses of proxies in front, whose last word in `X-Forwarded-For` counts. */
  readonly proxies: readonly string[];
  /** Whether operators may do here what the operator API does. */
  readonly operators: boolean;
  /** Programs that sign in for users (docs/operating/mcp.md). */
  readonly assistants: { readonly enabled: boolean };
}

type Request = Pick<FastifyRequest, "raw" | "method">;

/** Headers of a proxy in front, whose configuration is not known. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];

const NOT_HERE = refusal(
  403,
  "Pages sign in at this machine's own address alone: set sign_in.origin to the https address that browsers use",
);
const FOREIGN = refusal(403, "The request does not come from a page of this service");
const NO_TOKEN = refusal(403, "The header X-Csrf-Token is missing or not of this session: load the page again");

/** The origin of this service's own pages; null = sign-in is not possible at the host of the request. */
export const ownOrigin = (raw_headers: readonly string[], { origin }: PagesSettings): string | null => {
  if (origin !== null) return origin;
  const [host = "", ...more] = valuesOf(raw_headers, "host");
  if (more.length > 0 || !validateHostHeader(host, localhostAllowedHostnames()).ok) return null;
  return FORWARDED.some((name) => valuesOf(raw_headers, name).length > 0) ? null : `http://${host.toLowerCase()}`;
};

/**
 * The refusal of a request that no page of this service makes, or null. A browser says by itself where a request comes from, and
 * no page can make it say something else.
 */
export const refuseForeign = ({ raw, method }: Request, settings: PagesSettings): SurfaceResponse | null => {
  const { rawHeaders: raw_headers } = raw;
  const own = ownOrigin(raw_headers, settings);
  if (own === null) return NOT_HERE;
  const sites = valuesOf(raw_headers, "sec-fetch-site");
  const allowed = method === "GET" ? ["same-origin", "none"] : ["same-origin"];
  if (sites.some((site) => !allowed.includes(site))) return FOREIGN;
  const origins = valuesOf(raw_headers, "origin");
  const is_silent = origins.length === 0 && method === "GET";
  return is_silent || (origins.length === 1 && origins[0] === own) ? null : FOREIGN;
};

/** A token that only pages get to read, and that only the session's secret makes. */
export const csrfToken = (secret: string): string => createHmac("sha256", secret).update("csrf").digest("base64url");

/** The refusal of a request that changes or costs something and does not show the token of its session, or null. */
export const refuseUntold = ({ raw }: Request, secret: string): SurfaceResponse | null => {
  const sent = valuesOf(raw.rawHeaders, "x-csrf-token");
  const [own, other] = [Buffer.from(csrfToken(secret)), Buffer.from(sent[0] ?? "")];
  return sent.length === 1 && own.length === other.length && timingSafeEqual(own, other) ? null : NO_TOKEN;
};

/** A browser sends a `__Host-` cookie only to this host and only over TLS (RFC 6265bis, 4.1.3.2). */
const nameOf = (kind: "session" | "device", { origin }: PagesSettings): string => {
  if (origin === null) return `assay_${kind}`;
  return kind === "session" ? "__Host-assay" : "__Host-assay_device";
};

/** The value of one of our cookies; null when it is missing or repeated. */
export const cookieOf = ({ raw }: Request, kind: "session" | "device", settings: PagesSettings): string | null => {
  const start = `${nameOf(kind, settings)}=`;
  const found = valuesOf(raw.rawHeaders, "cookie")
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : only.slice(start.length);
};

const LIFE_S = { session: 7 * 86_400, device: 180 * 86_400 };

/** As `Set-Cookie` has it; an empty value takes the cookie away. */
export const cookieLine = (kind: "session" | "device", value: string, settings: PagesSettings): string => {
  const secure = settings.origin === null ? "" : "; Secure";
  const life = value === "" ? 0 : LIFE_S[kind];
  return `${nameOf(kind, settings)}=${value}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${secure}`;
};

const AGENT_BYTES_MAX = 120;

/** Where a request comes from, as far as that can be known. */
export const originOf = ({ raw }: Request, { proxies }: PagesSettings): SignInOrigin => {
  const peer = (raw.socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
  const told = valuesOf(raw.rawHeaders, "x-forwarded-for").join(",").split(",").at(-1)?.trim() ?? "";
  const is_told = proxies.includes(peer) && /^[0-9a-f.:]{2,45}$/i.test(told);
  const agent = cleanText(valuesOf(raw.rawHeaders, "user-agent")[0] ?? "", AGENT_BYTES_MAX);
  return { address: is_told ? told : peer, agent };
};
