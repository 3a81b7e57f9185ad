import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import type { Socket } from "node:net";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Unreachable } from "./connect.ts";

const HEADER_BYTES_MAX = 32_768;

/** One request over one open connection. */
export interface WebExchange {
  readonly socket: Socket;
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded bytes that are kept. */
  readonly bytes_max: number;
  readonly signal: AbortSignal;
}

export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly is_cut: boolean;
}

/**
 * On node:http, not on undici as requests to nodes are: when a connection closes while a reader waits, undici 7 fails an
 * assertion outside any promise, so a web page could end the process (docs/design/nodes.md).
 */
const send = ({ socket, url, method, body, headers, signal }: WebExchange): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options: RequestOptions = {
      // A connection of its own instead of an agent: neither proxies from the environment nor other requests affect it.
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        "accept-encoding": "gzip, deflate, br",
        connection: "close",
        ...(body === null ? {} : { "content-length": Buffer.byteLength(body) }),
      },
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
    };
    const outgoing = requestHttp(options, resolve);
    outgoing.on("error", () => reject(signal.aborted ? signal.reason : new Unreachable("its answer is not HTTP")));
    outgoing.on("upgrade", (_response, upgraded) => {
      upgraded.destroy();
      reject(new Unreachable("it wants another protocol than HTTP"));
    });
    outgoing.end(body ?? undefined);
  });

/** Returns null for an encoding that the request does not accept. */
const decoderOf = (encoding: string): Transform | "none" | null => {
  if (encoding === "" || encoding === "identity") return "none";
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  return encoding === "br" ? createBrotliDecompress() : null;
};

/** Decoded bytes up to the cap; bytes beyond it are neither read nor decoded. */
const readBody = async (response: IncomingMessage, { bytes_max, signal }: WebExchange) => {
  const decoder = decoderOf((response.headers["content-encoding"] ?? "").trim().toLowerCase());
  if (decoder === null) throw new Unreachable("its answer has an encoding that the request does not accept");
  // The errors of all parts end the loop below; pipeline only needs a callback.
  const decoded: Readable = decoder === "none" ? response : pipeline(response, decoder, () => undefined);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded) {
      // A stream of bytes yields bytes.
      const bytes = chunk as Uint8Array;
      chunks.push(bytes.subarray(0, bytes_max - size));
      size += bytes.length;
      if (size > bytes_max) break;
    }
  } catch {
    throw signal.aborted ? signal.reason : new Unreachable("its answer broke off");
  }
  return { body: new Uint8Array(Buffer.concat(chunks)), is_cut: size > bytes_max };
};

const headersOf = (response: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));

/** Sends one request and reads its answer. Closes the connection in any case. */
export const exchange = async (what: WebExchange): Promise<WebResponse> => {
  try {
    const response = await send(what);
    const { body, is_cut } = await readBody(response, what);
    return { status: response.statusCode ?? 0, headers: headersOf(response), body, is_cut };
  } finally {
    what.socket.destroy();
  }
};
