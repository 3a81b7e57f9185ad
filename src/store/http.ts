import { setMaxListeners } from "node:events";
import http from "node:http";
import https from "node:https";
import { AssayError, messageOf } from "../lib/errors.ts";

/** Where a server that speaks the ClickHouse HTTP protocol is. */
export type Address =
  | { readonly socket: string }
  | {
      readonly url: string;
      readonly user: string;
      readonly password: string;
      /**
       * A request that must not be sent twice gets its own connection: some of several servers are written only now and then, and
       * a kept connection may be closed by its server just then.
       */
      readonly has_fresh_writes: boolean;
    };

export interface EngineMessage {
  /** `/?query=…&param_…` */
  readonly path: string;
  readonly body: Buffer | string;
  readonly signal: AbortSignal | null;
  /** The engine stops a statement itself; this is for an engine that no longer does anything. */
  readonly timeout_ms: number;
  /** May be sent again where it is not known whether it arrived. */
  readonly is_read?: boolean;
}

/** Codes of ClickHouse that mean "later it may work" (src/Common/ErrorCodes.cpp). */
const RETRYABLE = new Set([
  159, // TIMEOUT_EXCEEDED
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  209, // SOCKET_TIMEOUT
  210, // NETWORK_ERROR
  236, // ABORTED
  241, // MEMORY_LIMIT_EXCEEDED
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED
  394, // QUERY_WAS_CANCELLED
]);

const SOCKETS_MAX = 32;

export const unavailable = (message: string, cause?: unknown): AssayError =>
  new AssayError({
    code: "FACTS_UNAVAILABLE",
    message,
    public: "The index is not available right now.",
    retryable: true,
    cause,
  });

/** Statuses of a proxy in front of a server (RFC 9110), which may succeed later. */
const RETRYABLE_STATUS = new Set([408, 429, 502, 503, 504]);

/** Code of ClickHouse in an answer: a header, or where its HTTP interface itself refused, only the text. */
const codeOf = (header: string | string[] | undefined, text: string): number | null => {
  const code = header ?? /\bCode: (\d+)/.exec(text)?.[1];
  return code === undefined ? null : Number(code);
};

/** A server of a cluster ended while another one waited for it (ATTEMPT_TO_READ_AFTER_EOF). */
const wasLeft = (code: number, text: string): boolean => code === 32 && text.includes("receiving packet from");

/** A query above the memory limit of one query, which would fail again. The limit of all queries together passes. */
const isTooLarge = (code: number | null, text: string): boolean =>
  code === 241 && text.includes("Query memory limit exceeded");

const tooLarge = (message: string): AssayError =>
  new AssayError({
    code: "TOO_LARGE",
    message,
    public: "The query needs more memory than one call may use. Narrow the date range.",
  });

/** The error that the server sent. A statement that it could not understand is a bug of ours: not retryable. */
const refusal = (status: number, code: number | null, text: string): AssayError => {
  const is_retryable =
    code === null ? RETRYABLE_STATUS.has(status) : RETRYABLE.has(code) || code === 0 || wasLeft(code, text);
  const message = text === "" ? `the facts store answered with HTTP status ${status}` : text;
  return is_retryable
    ? unavailable(message)
    : new AssayError({ code: "FACTS_QUERY", message, public: "The index could not answer the question." });
};

/** A kept connection that the server closed just when it was used again (nodejs.org/api/http.html#requestreusedsocket). */
const wasStale = (request: http.ClientRequest, error: unknown): boolean =>
  request.reusedSocket && error instanceof Error && "code" in error && STALE.has(String(error.code));

const STALE = new Set(["ECONNRESET", "EPIPE"]);

/** Connections to one server, kept open between messages. Plain node:http: the hot path has no use for streams. */
export class Wire {
  readonly #address: Address;
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;

  constructor(address: Address) {
    this.#address = address;
    const is_tls = "url" in address && address.url.startsWith("https:");
    this.#agent = new (is_tls ? https.Agent : http.Agent)({
      keepAlive: true,
      maxSockets: SOCKETS_MAX,
      scheduling: "lifo",
    });
    this.#request = is_tls ? https.request : http.request;
  }

  #options({ path, body, signal, is_read = false }: EngineMessage): http.RequestOptions {
    const length = { "content-length": Buffer.byteLength(body) };
    const shared = { method: "POST", path, agent: this.#agent, ...(signal === null ? {} : { signal }) };
    if ("socket" in this.#address) return { ...shared, socketPath: this.#address.socket, headers: length };
    const { url, user, password, has_fresh_writes } = this.#address;
    const { hostname, port, pathname, protocol } = new URL(url);
    const headers = { ...length, "x-clickhouse-user": user, "x-clickhouse-key": password };
    const agent = has_fresh_writes && !is_read ? false : this.#agent;
    return { ...shared, agent, protocol, hostname, port, path: pathname.replace(/\/$/, "") + path, headers };
  }

  /**
   * The whole answer. Throws `AssayError`: `FACTS_UNAVAILABLE` (retryable) when the server cannot be reached, is
   * overloaded or was stopped, `TOO_LARGE` when a question would hold too much, `FACTS_QUERY` when the statement was
   * refused. An abort throws the signal's reason.
   */
  send(message: EngineMessage): Promise<Buffer> {
    message.signal?.throwIfAborted();
    // One signal may end many messages, each of which adds a listener.
    if (message.signal !== null) setMaxListeners(0, message.signal);
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void =>
        reject(
          message.signal?.aborted ? message.signal.reason : unavailable(`facts store: ${messageOf(error)}`, error),
        );
      const request = this.#request(this.#options(message), (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", fail);
        response.once("end", () => {
          const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
          const header = response.headers["x-clickhouse-exception-code"];
          if (response.statusCode === 200 && header === undefined) return resolve(body);
          const text = body.toString("utf8").trim();
          const code = codeOf(header, text);
          const is_too_large = message.is_read === true && isTooLarge(code, text);
          reject(is_too_large ? tooLarge(text) : refusal(response.statusCode ?? 0, code, text));
        });
      });
      request.once("error", (error) => {
        // Each one that was stale is gone from the pool, so this ends.
        if (message.is_read === true && !message.signal?.aborted && wasStale(request, error))
          resolve(this.send(message));
        else fail(error);
      });
      request.setTimeout(message.timeout_ms, () => request.destroy(new Error(`no answer in ${message.timeout_ms} ms`)));
      request.end(message.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
