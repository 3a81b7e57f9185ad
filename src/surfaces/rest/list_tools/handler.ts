import type { FastifyInstance } from "fastify";
import type { Catalog, Meter } from "../../../accounts/meter.ts";
import type { RouteHooks } from "../../hooks/route_hooks.ts";
import type { Document } from "../../http/cached_body.ts";
import { LATE } from "../../limits/deadline.ts";
import * as refusals from "../../refusals.ts";
import { freeAnswer } from "../../surface_response.ts";
import { readView, type ViewName } from "../../view/requested_view.ts";

interface ListToolsParts {
  readonly meter: Meter;
  /** The list of each view at the prices of a catalog. */
  readonly listAt: Readonly<Record<ViewName, (catalog: Catalog) => Document>>;
}

/** `GET /api/tools`: the public tools with their schemas and prices, free of charge. */
export const addListTools = (
  app: FastifyInstance,
  { authentication, rateLimit, responder }: RouteHooks,
  { meter, listAt }: ListToolsParts,
): void => {
  app.get("/api/tools", {
    onRequest: authentication.require("api"),
    preHandler: rateLimit,
    handler: async (request, reply) => {
      const view = readView(request.url);
      if (typeof view !== "string") return responder.respond(request, reply, refusals.invalidEnvelope([view]));
      const catalog = await request.context.deadline.wait(meter.catalog());
      const answer = catalog === LATE ? responder.tooLate() : freeAnswer(listAt[view](catalog));
      return responder.respond(request, reply, answer);
    },
  });
};
