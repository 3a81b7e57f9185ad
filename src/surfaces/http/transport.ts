import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Connections } from "./connections.ts";

/** Limits below HTTP. All times in milliseconds. */
export interface TransportLimits {
  readonly body_bytes_max: number;
  /** Request line and headers together. */
  readonly header_bytes_max: number;
  /** Until the last header has arrived. */
  readonly headers_timeout_ms: number;
  /** Until the last byte of the body has arrived. */
  readonly request_timeout_ms: number;
  readonly keep_alive_ms: number;
  /** Until a client has taken the whole of an answer. */
  readonly answer_timeout_ms: number;
  /** One more than this costs the one that has waited longest for its client. */
  readonly connections_max: number;
  /** Requests whose body is arriving: one more than this, of all or of one source address, ends the slowest with 408. */
  readonly half_sent_max: number;
  readonly half_sent_per_address_max: number;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  body_bytes_max: 65_536,
  header_bytes_max: 16_384,
  headers_timeout_ms: 10_000,
  request_timeout_ms: 20_000,
  keep_alive_ms: 65_000,
  answer_timeout_ms: 60_000,
  connections_max: 4_096,
  half_sent_max: 256,
  half_sent_per_address_max: 64,
};

/** Headers of every answer under /api, besides those of its content. */
export const answerHeaders = (request_id: string): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-request-id": request_id,
});

interface TransportExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

const DETAILS: Readonly<Record<number, string>> = {
  400: "The request is not valid HTTP",
  405: "Method Not Allowed",
  408: "The request did not arrive in time",
  413: "The request is too large",
  431: "The request line or the headers are too large",
};

const statusOf = (code: string | undefined): number => {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return 413;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
};

const writeRaw = (socket: Duplex, status: number, extra: Readonly<Record<string, string>> = {}): void => {
  const body = JSON.stringify({ detail: DETAILS[status] });
  const headers = {
    ...answerHeaders(randomUUID()),
    ...extra,
    "content-length": String(body.length),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines.join("")}\r\n${body}`);
};

/** Gives what Node answers on its own, below any route, the contract's form. */
export class Transport {
  /** The newest request of a connection: what a fault on it interrupts. */
  readonly #newest = new WeakMap<Duplex, TransportExchange>();
  readonly #limits: TransportLimits;
  readonly connections: Connections;

  constructor(limits: TransportLimits) {
    this.#limits = limits;
    this.connections = new Connections(limits.connections_max, { ...limits, shed: (socket) => this.#shed(socket) });
  }

  /** To be called for each request that reaches a route or the 404 handler. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#newest.set(request.socket, { request, response });
    const answered = this.connections.busy(request.socket);
    response.once("prefinish", answered).once("close", answered);
  }

  /**
   * To be called when the whole of an answer was handed over. A client that does not take it in time loses its connection.
   * @param onTaken called once: the system has all of it, or the connection is gone.
   */
  sent(response: ServerResponse, socket: Socket, onTaken: () => void): void {
    if (response.writableFinished || socket.destroyed) {
      onTaken();
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const watch = () => {
      timer = setTimeout(() => socket.destroy(), this.#limits.answer_timeout_ms);
    };
    const taken = () => {
      clearTimeout(timer);
      response.off("close", taken).off("socket", watch);
      socket.off("close", taken);
      onTaken();
    };
    response.once("close", taken);
    socket.once("close", taken);
    // Behind an answer to an earlier request of the same connection it has its socket later.
    if (response.socket === null) response.once("socket", watch);
    else watch();
  }

  /** Refuses a request that arrives too slowly beside many others, and ends its connection. */
  #shed(socket: Duplex): void {
    const newest = this.#newest.get(socket);
    if (socket.writable && newest !== undefined && !newest.response.headersSent) writeRaw(socket, 408);
    // The rest of the request is of no use; the written answer is sent first.
    if (socket instanceof Socket) socket.destroySoon();
    else socket.destroy();
  }

  /** Node's `clientError`: what arrived is no HTTP, too large or too slow. */
  readonly onClientError = (error: Error & { readonly code?: string }, socket: Duplex): void => {
    const newest = this.#newest.get(socket);
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
    } else if (newest?.request.complete && !newest.response.writableEnded) {
      // A whole request is being answered and rubbish follows it: its answer goes out first.
      newest.response.once("finish", () => socket.end());
    } else if (newest !== undefined && !newest.request.complete && newest.response.headersSent) {
      // Answered before its body was complete; the rest of that body is no new request.
      socket.destroy();
    } else {
      writeRaw(socket, statusOf(error.code));
    }
  };

  /** Listeners for what Node would otherwise answer without JSON or not at all. */
  attach(server: Server): void {
    const limits = this.#limits;
    server.headersTimeout = limits.headers_timeout_ms;
    server.requestTimeout = limits.request_timeout_ms;
    server.keepAliveTimeout = limits.keep_alive_ms;
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
      socket.on("error", () => socket.destroy());
      writeRaw(socket, 405, { allow: "GET, POST" });
    });
    server.on("connection", (socket: Socket) => {
      socket.setNoDelay(true);
      this.connections.add(socket);
    });
  }
}
