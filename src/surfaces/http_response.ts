import type { FastifyReply, FastifyRequest } from "fastify";
import { sendAndLinger } from "./http/body.ts";
import { Document, Prebuilt } from "./http/cached_body.ts";
import { codingFor, isCompressible } from "./http/compression.ts";
import { toJson } from "./http/json.ts";
import { answerHeaders, type Transport } from "./http/transport.ts";
import type { SurfaceResponse } from "./surface_response.ts";

/** An answer as status, headers and bytes. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Null for a body of this answer alone. */
  readonly document: Document | null;
  /** The rest of the request's body is read for a moment, so that the client can read this response. */
  readonly lingers: boolean;
}

interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** @param has_credits to a known caller: the headers state the cost. */
export const responseOf = (answer: SurfaceResponse, request_id: string, has_credits: boolean): HttpResponse => {
  const body = answer.body instanceof Prebuilt ? answer.body.bytes : Buffer.from(toJson(answer.body));
  const headers: Record<string, string> = { ...answerHeaders(request_id), ...answer.headers };
  if (has_credits && answer.charged !== null) headers["x-credits-charged"] = String(answer.charged);
  if (answer.credit_status !== null) {
    headers["x-credits-remaining"] = String(answer.credit_status.credits_remaining);
    headers["x-credit-catalog-version"] = answer.credit_status.catalog_version;
  }
  if (body.length === 0) delete headers["content-type"];
  const document = answer.body instanceof Document ? answer.body : null;
  return { status: answer.status, headers, body, document, lingers: headers.connection === "close" };
};

/** Whether the client has the body already (RFC 9110, section 13.1.2). */
const isFresh = (if_none_match: string | undefined, etag: string): boolean =>
  (if_none_match ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));

/** A document in the coding that the client accepts, or 304 where the client has it. */
const negotiated = (response: HttpResponse, document: Document, { headers: wanted }: FastifyRequest): HttpResponse => {
  const type = response.headers["content-type"] ?? "";
  const coding = isCompressible(type, document.bytes.length) ? codingFor(wanted["accept-encoding"]) : "identity";
  const etag = document.etag(coding);
  const { "cache-control": own, ...rest } = response.headers;
  // Clients revalidate a document each time, unless the answer says how long it is fresh.
  const cache = own === undefined || own === "no-store" ? "private, no-cache" : own;
  const headers: Record<string, string> = { ...rest, "cache-control": cache, etag, vary: "accept-encoding" };
  if (isFresh(wanted["if-none-match"], etag)) {
    return { ...response, status: 304, headers, body: Buffer.alloc(0) };
  }
  if (coding !== "identity") headers["content-encoding"] = coding;
  return { ...response, headers, body: document.coded(coding) };
};

/**
 * Writes the response. The system buffers as much as the connection takes; the rest waits in memory for the client.
 * @param onWaiting called with the bytes that wait, and with their negative when they no longer do.
 */
export const writeResponse = (
  { request, reply }: HttpExchange,
  response: HttpResponse,
  { transport, onWaiting }: { readonly transport: Transport; readonly onWaiting: (bytes: number) => void },
): unknown => {
  const { document } = response;
  const { status, headers, body, lingers } =
    document === null || response.status !== 200 ? response : negotiated(response, document, request);
  if (lingers) {
    reply.hijack();
    return sendAndLinger(request.raw, reply.raw, { status, headers, body });
  }
  // A response without a body has no content-length.
  const sent = reply
    .code(status)
    .headers(headers)
    .send(status === 304 ? undefined : body);
  onWaiting(body.length);
  transport.sent(reply.raw, request.raw.socket, () => onWaiting(-body.length));
  return sent;
};
