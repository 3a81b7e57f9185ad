import type { FastifyInstance } from "fastify";
import type { Catalog, Meter } from "../../../accounts/meter.ts";
import type { RouteHooks } from "../../hooks/route_hooks.ts";
import type { Document } from "../../http/cached_body.ts";
import { LATE } from "../../limits/deadline.ts";
import { freeAnswer } from "../../surface_response.ts";

interface ListToolsParts {
  readonly meter: Meter;
  /** The list at the prices of a catalog. */
  readonly listAt: (catalog: Catalog) => Document;
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
      const catalog = await request.context.deadline.wait(meter.catalog());
      return responder.respond(request, reply, catalog === LATE ? responder.tooLate() : freeAnswer(listAt(catalog)));
    },
  });
};
