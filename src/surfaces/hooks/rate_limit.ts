import type { Meter } from "../../accounts/meter.ts";
import { AssayError } from "../../lib/errors.ts";
import { LATE } from "../limits/deadline.ts";
import type { Responder } from "../responder.ts";
import { rateLimited } from "../retry_after.ts";
import type { RouteHook } from "./route_hooks.ts";

interface RateLimitParts {
  readonly meter: Meter;
  readonly responder: Responder;
}

/** The hook that counts the request in the key's window of 60 seconds, and refuses it with 429 when the window is full. */
export const openRateLimit =
  ({ meter, responder }: RateLimitParts): RouteHook =>
  async (request, reply) => {
    const { caller, deadline } = request.context;
    if (caller === null) throw new AssayError({ code: "BUG", message: "a rate limit needs a caller" });
    const admitted = await deadline.wait(meter.admit(caller));
    if (admitted === LATE) return responder.respond(request, reply, responder.tooLate());
    return admitted ? undefined : responder.respond(request, reply, rateLimited(caller.limit_per_minute));
  };
