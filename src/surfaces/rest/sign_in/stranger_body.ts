/** Bodies of requests whose sender has no account yet. */
import type { FastifyRequest } from "fastify";
import { readBytes } from "../../http/body.ts";
import type { Connections } from "../../http/connections.ts";
import type { MemoryShares } from "../../limits/memory_shares.ts";
import * as refusals from "../../refusals.ts";
import type { Responder } from "../../responder.ts";
import { refusal, type SurfaceResponse } from "../../surface_response.ts";

export interface StrangerParts {
  readonly responder: Responder;
  readonly memory: MemoryShares;
  /** A connection that waits for a body is closed first when a new one comes. */
  readonly connections: Connections;
}

const CROWDED = refusal(503, "Too many users are signing in. Try again in a moment.", {
  connection: "close",
});

/** No request of these routes is longer, except that of an operator who sends a list. */
const BODY_BYTES_MAX = 16_384;
/** Name of the memory share of sign-in requests, which have no account. */
const STRANGERS = "sign-in";

/** The body; the refusal of a too large one, or of one too many; null when the client is gone. */
export const strangerBody = async (
  { raw }: FastifyRequest,
  { memory, connections }: StrangerParts,
  bytes_max = BODY_BYTES_MAX,
): Promise<Buffer | SurfaceResponse | null> => {
  let bytes = 0;
  const room = (more: number): boolean => {
    if (memory.isFull(STRANGERS)) return false;
    memory.take(STRANGERS, more);
    bytes += more;
    return true;
  };
  const hasArrived = connections.awaitBody(raw.socket);
  try {
    const read = await readBytes(raw, { bytes_max, room });
    if (read.kind === "gone") return null;
    if (read.kind === "crowded") return CROWDED;
    return read.kind === "body" ? read.body : refusals.tooLarge;
  } finally {
    hasArrived();
    memory.release(STRANGERS, bytes);
  }
};
