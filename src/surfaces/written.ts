import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "./answer.ts";
import { sendAndLinger } from "./body.ts";
import { Prebuilt } from "./documents.ts";
import { toJson } from "./json.ts";
import { answerHeaders, type Transport } from "./transport.ts";

/** An answer as bytes. */
export interface Letter {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
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
  return { status: answer.status, headers, body, lingers: headers.connection === "close" };
};

/**
 * Hands the answer over: what the connection takes is the system's when this returns, the rest waits in memory for the client.
 * @param holds told of what waits, and again when it no longer does.
 */
export const post = (
  { request, reply }: Sender,
  { status, headers, body, lingers }: Letter,
  { transport, holds }: { readonly transport: Transport; readonly holds: (bytes: number) => void },
): unknown => {
  if (lingers) {
    reply.hijack();
    return sendAndLinger(request.raw, reply.raw, { status, headers, body });
  }
  const sent = reply.code(status).headers(headers).send(body);
  holds(body.length);
  transport.handed(reply.raw, request.raw.socket, () => holds(-body.length));
  return sent;
};
