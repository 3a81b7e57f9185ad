import type { ServerResponse } from "node:http";
import { EXPORT_TYPES } from "../../http/export_format.ts";
import { toJson } from "../../http/json.ts";
import { sendText } from "../../http/streamed_text.ts";
import { answerHeaders } from "../../http/transport.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import { type AnsweredItems, totalOf } from "./answers.ts";

interface LineStream {
  readonly response: ServerResponse;
  readonly request_id: string;
  /** Aborted when the client is gone or the process stops. */
  readonly ends: AbortSignal;
}

/**
 * Writes each item of a batch as a line when it is ready, and a last line with the sum. Items whose line the client did not take are
 * refunded.
 * @returns the credits charged; null where that is not known.
 */
export const streamed = async (
  { response, request_id, ends }: LineStream,
  { items, draw }: AnsweredItems,
): Promise<number | null> => {
  response.writeHead(200, {
    ...answerHeaders(request_id),
    "content-type": EXPORT_TYPES.ndjson,
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  const charges: SurfaceResponse["charged"][] = [];
  for await (const item of items) {
    const is_taken = await sendText(response, `${draw(item)}\n`, ends);
    charges.push(is_taken ? item.answer.charged : await refunded(item.answer));
  }
  const credits_charged = totalOf(charges);
  if (!response.destroyed) response.end(`${toJson({ items: charges.length, credits_charged })}\n`);
  return credits_charged;
};

const refunded = async ({ charged, retract }: SurfaceResponse): Promise<number | null> =>
  retract === undefined ? charged : (await retract()).charged;
