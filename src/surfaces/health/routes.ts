import type { FastifyInstance } from "fastify";
import type { Log } from "../../lib/log.ts";
import type { ReadStatus } from "../../lib/status.ts";
import type { Responder } from "../responder.ts";
import { freeAnswer } from "../surface_response.ts";
import { readiness, shared } from "./readiness.ts";

interface HealthParts {
  readonly status: ReadStatus;
  readonly log: Log;
  readonly responder: Responder;
}

/** `GET /healthz`: the process runs. `GET /readyz`: it can answer. */
export const addHealth = (app: FastifyInstance, { status, log, responder }: HealthParts): void => {
  app.get("/healthz", (request, reply) => responder.send(request, reply, freeAnswer({ status: "ok" })));
  const ready = shared(() => readiness(status, log));
  app.get("/readyz", async (request, reply) =>
    responder.send(request, reply, { ...freeAnswer(null), ...(await ready()) }),
  );
};
