import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Authentication, callerOf } from "../../hooks/authentication.ts";
import type { RouteHooks } from "../../hooks/route_hooks.ts";
import { valuesOf } from "../../http/headers.ts";
import { refusedBy } from "../../operations/output.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import type { AccountContext } from "../account/operations.ts";
import { STREAM_PATH, type WatchStreams } from "./stream.ts";

interface WatchEventsParts extends Pick<AccountContext, "store" | "watch"> {
  readonly streams: WatchStreams;
}

/** `GET /api/watch/events`: the events of the account as a stream. */
export const addWatchEvents = (app: FastifyInstance, hooks: RouteHooks, parts: WatchEventsParts): void => {
  const { authentication, rateLimit, responder } = hooks;
  app.get(STREAM_PATH, {
    onRequest: authentication.require("account"),
    preHandler: rateLimit,
    handler: async (request, reply) =>
      responder.respond(request, reply, await beginStream({ request, reply }, parts, authentication)),
  });
};

/** Null when the stream has begun. */
const beginStream = async (
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { store, watch, streams }: WatchEventsParts,
  authentication: Authentication,
): Promise<SurfaceResponse | null> => {
  const { rawHeaders, url = "" } = request.raw;
  const after = new URLSearchParams(url.split("?", 2)[1] ?? "").get("after");
  const last = valuesOf(rawHeaders, "last-event-id").at(-1) ?? after;
  const context = { store, caller: callerOf(request, "account"), watch, followed: null, search: null, market: null };
  const again = async () => {
    const found = await authentication.identify(request, "account");
    return found.kind === "caller" ? found.caller : null;
  };
  try {
    return await streams.begin({ context, again, last, request_id: request.id, response: reply.raw });
  } catch (error) {
    const refusal = refusedBy(error);
    if (refusal !== null) return refusal;
    throw error;
  }
};
