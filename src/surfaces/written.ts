import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "./answer.ts";
import { sendAndLinger } from "./body.ts";
import { codingFor, isCompressible } from "./coding.ts";
import { Document, Prebuilt } from "./documents.ts";
import { toJson } from "./json.ts";
import { answerHeaders, type Transport } from "./transport.ts";

/** An answer as bytes. */
export interface Letter {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Null for a body of this answer alone. */
  readonly document: Document | null;
  /** What is left of the request's body is taken for a moment, so that the client gets to read this. */
  readonly lingers: boolean;
}

export interface Sender {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** @param signed to a caller who is known: then it says what it cost. */
export const letterOf = (answer: Answer, request_id: string, signed: boolean): Letter => {
  const body = answer.body instanceof Prebuilt ? answer.body.bytes : Buffer.from(toJson(answer.body));
  const headers: Record<string, string> = { ...answerHeaders(request_id), ...answer.headers };
  if (signed && answer.charged !== null) headers["x-credits-charged"] = String(answer.charged);
  if (answer.standing !== null) {
    headers["x-credits-remaining"] = String(answer.standing.credits_remaining);
    headers["x-credit-catalog-version"] = answer.standing.catalog_version;
  }
  if (body.length === 0) delete headers["content-type"];
  const document = answer.body instanceof Document ? answer.body : null;
  return { status: answer.status, headers, body, document, lingers: headers.connection === "close" };
};

/** Whether the client has the body already (RFC 9110, section 13.1.2). */
const hasIt = (if_none_match: string | undefined, etag: string): boolean =>
  (if_none_match ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));

/** A document in the coding that the client takes, or 304 where the client has it. */
const negotiated = (letter: Letter, document: Document, { headers: asked }: FastifyRequest): Letter => {
  const type = letter.headers["content-type"] ?? "";
  const coding = isCompressible(type, document.bytes.length) ? codingFor(asked["accept-encoding"]) : "identity";
  const etag = document.etag(coding);
  const { "cache-control": told, ...rest } = letter.headers;
  // Documents are asked for again each time, unless the answer says how long they last.
  const cache = told === undefined || told === "no-store" ? "private, no-cache" : told;
  const headers: Record<string, string> = { ...rest, "cache-control": cache, etag, vary: "accept-encoding" };
  if (hasIt(asked["if-none-match"], etag)) {
    return { ...letter, status: 304, headers, body: Buffer.alloc(0) };
  }
  if (coding !== "identity") headers["content-encoding"] = coding;
  return { ...letter, headers, body: document.coded(coding) };
};

/**
 * Hands the answer over: what the connection takes is the system's when this returns, the rest waits in memory for the client.
 * @param holds told of what waits, and again when it no longer does.
 */
export const post = (
  { request, reply }: Sender,
  letter: Letter,
  { transport, holds }: { readonly transport: Transport; readonly holds: (bytes: number) => void },
): unknown => {
  const { document } = letter;
  const { status, headers, body, lingers } =
    document === null || letter.status !== 200 ? letter : negotiated(letter, document, request);
  if (lingers) {
    reply.hijack();
    return sendAndLinger(request.raw, reply.raw, { status, headers, body });
  }
  // What has no body names no length.
  const sent = reply
    .code(status)
    .headers(headers)
    .send(status === 304 ? undefined : body);
  holds(body.length);
  transport.handed(reply.raw, request.raw.socket, () => holds(-body.length));
  return sent;
};
