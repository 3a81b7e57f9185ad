import { AssayError } from "../../lib/errors.ts";
import { readBytes } from "../http/body.ts";
import type { Transport } from "../http/transport.ts";
import type { Admission, ShedReason } from "../limits/admission.ts";
import * as refusals from "../refusals.ts";
import type { Responder } from "../responder.ts";
import type { RouteHook } from "./route_hooks.ts";

/** Bytes of a body that contains answers of tools. Parsing and hashing it holds up other requests for some 100 ms. */
export const LONG_BODY_BYTES_MAX = 2 * 1_048_576;

interface BodyReaderParts {
  readonly admission: Admission;
  readonly transport: Transport;
  readonly bytes_max: number;
  readonly responder: Responder;
  readonly onShed: (why: ShedReason) => void;
}

/**
 * The hook that reads the body into the request's context. It runs before a call takes a slot, so a client that sends slowly occupies none.
 * The memory of the body counts for the account until its answer is ready.
 */
export const openBodyReader =
  ({ admission: { memory }, transport, bytes_max, responder, onShed }: BodyReaderParts): RouteHook =>
  async (request, reply) => {
    const { raw, context } = request;
    if (context.caller === null) throw new AssayError({ code: "BUG", message: "the memory of a body needs a caller" });
    const { account_id } = context.caller;
    let bytes = 0;
    const room = (more: number): boolean => {
      if (memory.isFull(account_id)) return false;
      memory.take(account_id, more);
      bytes += more;
      return true;
    };
    context.releaseBody = () => {
      memory.release(account_id, bytes);
      bytes = 0;
    };
    const hasArrived = transport.connections.awaitBody(raw.socket);
    const read = await readBytes(raw, { bytes_max, room });
    hasArrived();
    if (read.kind === "gone") return responder.respond(request, reply, null);
    if (read.kind === "too_large") return responder.respond(request, reply, refusals.tooLarge);
    if (read.kind === "crowded") {
      onShed("memory");
      return responder.respond(request, reply, refusals.crowded);
    }
    context.body = read.body;
    return undefined;
  };
