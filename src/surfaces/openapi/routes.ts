import type { FastifyInstance } from "fastify";
import type { Catalog, Meter } from "../../accounts/meter.ts";
import { Document } from "../http/cached_body.ts";
import { toJson } from "../http/json.ts";
import type { Responder } from "../responder.ts";
import { ACCOUNT_OPENAPI_PATH, accountOpenapi } from "../rest/account/openapi.ts";
import { freeAnswer } from "../surface_response.ts";

interface OpenapiParts {
  readonly meter: Meter;
  /** The document of the tools at the prices of a catalog. */
  readonly toolsAt: (catalog: Catalog) => Document;
  readonly responder: Responder;
}

/** `GET /api/tools/openapi.json` and `GET /api/account/openapi.json`; neither needs a key. */
export const addOpenapi = (app: FastifyInstance, { meter, toolsAt, responder }: OpenapiParts): void => {
  app.get("/api/tools/openapi.json", async (request, reply) =>
    responder.send(request, reply, freeAnswer(toolsAt(await meter.catalog()))),
  );
  const account = new Document(toJson(accountOpenapi()));
  app.get(ACCOUNT_OPENAPI_PATH, (request, reply) => responder.send(request, reply, freeAnswer(account)));
};
