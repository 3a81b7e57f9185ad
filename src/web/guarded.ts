import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "./address.ts";
import {
  type Connect,
  openLine,
  RedirectedConnection,
  tcpConnect,
  Unreachable,
  type WebConnection,
} from "./connect.ts";
import { exchange, type WebResponse } from "./exchange.ts";
import { hostOf, portOf, readUrl, WEB_PORTS } from "./url.ts";
import type { TlsFacts, Web, WebAnswer, WebFailure, WebRequest } from "./web.ts";

/** Returns all addresses of a name. Throws or returns none when the name has no address. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** An origin of this process that is allowed although it is local. */
export interface OwnOrigin {
  /** As `URL.origin` writes it; compared as a whole. */
  readonly origin: string;
  /** Where it is served. */
  readonly address: string;
  readonly port: number;
}

export interface GuardedOptions {
  readonly own_origins?: readonly OwnOrigin[];
  /** Allows only this process's own origins. */
  readonly own_only?: boolean;
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  readonly ports?: readonly number[];
  /** PEM of further certificate authorities. */
  readonly authorities?: readonly string[];
  /** Covers a whole request: names, connections, redirects, body. */
  readonly deadline_ms?: number;
  /** Cap on the decoded bytes of an answer. */
  readonly bytes_max?: number;
}

const DEADLINE_MS = 8_000;
const BYTES_MAX = 1_048_576;
const REDIRECTS_MAX = 3;
/** Addresses of one name that are tried before it counts as unreachable. */
const ADDRESSES_TRIED_MAX = 3;
const CONNECT_MS = 3_000;

const REDIRECTING: readonly number[] = [301, 302, 303, 307, 308];
const AGENT = { "user-agent": "assay", accept: "*/*" };

/** The address is not allowed. Assay writes `message`. */
class RefusedAddress extends Error {}

/** Requests outside this process are disabled. */
class WebDisabled extends Error {}

/** Ends the wait, not the lookup: the system's resolver cannot be stopped. */
const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason);
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) aborted();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });

/** The system's resolver. */
const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * The same reason for an unknown name, a name without addresses, and a name that resolves into the network of this
 * process: a difference would reveal that network's names to the author of the URL.
 */
const NO_PUBLIC_ADDRESS = "its name leads to no address of the public internet";

/** The addresses of a host: its own, or those of its name, which are all public. */
const addressesOf = async (host: string, { resolve }: Rules, signal: AbortSignal): Promise<readonly string[]> => {
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw new RefusedAddress("its host is not an address of the public internet");
    return [host];
  }
  let found: readonly string[];
  try {
    found = await within(resolve(host, signal), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Unreachable(NO_PUBLIC_ADDRESS, { cause: error });
  }
  if (found.length === 0 || !found.every(isPublicAddress)) throw new Unreachable(NO_PUBLIC_ADDRESS);
  return found;
};

type Rules = Required<GuardedOptions>;

/** The checked addresses of a URL. Every one is public, or the origin is one of this process's own. */
const targetsOf = async (url: URL, rules: Rules, signal: AbortSignal) => {
  const own = rules.own_origins.find(({ origin }) => origin === url.origin);
  if (own !== undefined) return [{ address: own.address, port: own.port }];
  const addresses = await addressesOf(hostOf(url), rules, signal);
  return addresses.slice(0, ADDRESSES_TRIED_MAX).map((address) => ({ address, port: portOf(url) }));
};

const openFirst = async (url: URL, rules: Rules, signal: AbortSignal): Promise<WebConnection> => {
  let fault: unknown = new Unreachable("the connection could not be made");
  for (const to of await targetsOf(url, rules, signal)) {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
    const { connect, authorities } = rules;
    try {
      return await openLine({
        to,
        host: hostOf(url),
        is_tls: url.protocol === "https:",
        connect,
        authorities,
        signal: soon,
      });
    } catch (error) {
      if (signal.aborted || error instanceof RedirectedConnection) throw error;
      fault =
        error instanceof Unreachable ? error : new Unreachable("the connection could not be made", { cause: error });
    }
  }
  throw fault;
};

/** Parses the text into a URL that the rules allow. */
const allowedUrl = (text: string, rules: Rules & Pick<WebRequest, "needs_tls">, before: URL | null): URL => {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const is_own = rules.own_origins.some(({ origin }) => origin === parsed?.origin);
  const read =
    is_own && parsed !== null && parsed.username + parsed.password === ""
      ? { url: parsed }
      : readUrl(text, rules.ports);
  if ("reason" in read) throw new RefusedAddress(read.reason);
  if (rules.own_only && !is_own) throw new WebDisabled();
  if (rules.needs_tls === true && !is_own && read.url.protocol !== "https:")
    throw new RefusedAddress("it is not https");
  if (before?.protocol === "https:" && read.url.protocol !== "https:")
    throw new RefusedAddress("it leads from https to http");
  return read.url;
};

interface Hop extends WebResponse {
  readonly tls: TlsFacts | null;
}

const fetchOnce = async (
  url: URL,
  request: WebRequest,
  how: { rules: Rules; signal: AbortSignal; first: URL },
): Promise<Hop> => {
  const { rules, signal, first } = how;
  const { socket, tls } = await openFirst(url, rules, signal);
  if (tls?.is_valid === false && request.takes_any_certificate !== true) {
    socket.destroy();
    throw new Unreachable("its certificate is not valid");
  }
  const method = request.method ?? "GET";
  const answer = await exchange({
    socket,
    url,
    method,
    body: method === "POST" ? (request.body ?? "") : null,
    headers: url.origin === first.origin ? { ...AGENT, ...request.headers } : AGENT,
    bytes_max: rules.bytes_max,
    signal,
  });
  return { ...answer, tls };
};

/** Target of a redirect, or null when the answer is not a redirect. */
const nextOf = ({ status, headers }: Hop, url: URL): string | null => {
  const { location } = headers;
  if (!REDIRECTING.includes(status) || location === undefined) return null;
  return URL.canParse(location, url.href) ? new URL(location, url).href : location;
};

/** Follows redirects one by one and appends each address to `redirects`. */
const follow = async (request: WebRequest, rules: Rules, way: { redirects: string[]; signal: AbortSignal }) => {
  const allowed = { ...rules, needs_tls: request.needs_tls ?? false };
  const first = allowedUrl(request.url, allowed, null);
  let url = first;
  for (;;) {
    const hop = await fetchOnce(url, request, { rules, signal: way.signal, first });
    const next = nextOf(hop, url);
    if (next === null) return { hop, url };
    if (request.method === "POST") throw new Unreachable("it redirects what must not be redirected");
    way.redirects.push(url.href);
    if (way.redirects.length > REDIRECTS_MAX) throw new Unreachable(`it redirects more than ${REDIRECTS_MAX} times`);
    url = allowedUrl(next, allowed, url);
  }
};

const failureOf = (error: unknown, redirects: readonly string[]): WebFailure => {
  const fail = (kind: WebFailure["kind"], reason: string): WebFailure => ({ kind, reason, redirects });
  if (error instanceof WebDisabled) return fail("disabled", "Web requests are disabled on this instance.");
  if (error instanceof RefusedAddress) return fail("refused", `Assay may not contact the address: ${error.message}.`);
  if (error instanceof RedirectedConnection)
    return fail("refused", "The connection reached another address than the verified one.");
  if (error instanceof Unreachable) return fail("unreachable", `The site did not answer: ${error.message}.`);
  throw error;
};

/** The one fetcher of this process: every address on the way is public, checked and pinned, and all of it is limited. */
export const guardedWeb = (options: GuardedOptions = {}): Web => {
  const rules: Rules = {
    own_origins: options.own_origins ?? [],
    own_only: options.own_only ?? false,
    resolve: options.resolve ?? systemResolve,
    connect: options.connect ?? tcpConnect,
    ports: options.ports ?? WEB_PORTS,
    authorities: options.authorities ?? [],
    deadline_ms: options.deadline_ms ?? DEADLINE_MS,
    bytes_max: options.bytes_max ?? BYTES_MAX,
  };
  return {
    fetch: async (request): Promise<WebAnswer | WebFailure> => {
      const started = performance.now();
      const deadline = AbortSignal.timeout(rules.deadline_ms);
      const redirects: string[] = [];
      try {
        const way = { redirects, signal: AbortSignal.any([request.signal, deadline]) };
        const { hop, url } = await follow(request, rules, way);
        const elapsed_ms = Math.round(performance.now() - started);
        return { kind: "answer", ...hop, final_url: url.href, redirects, elapsed_ms };
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (deadline.aborted) return failureOf(new Unreachable("it took too long"), redirects);
        return failureOf(error, redirects);
      }
    },
  };
};
