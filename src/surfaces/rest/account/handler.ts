import type { FastifyInstance, FastifyRequest } from "fastify";
import { callerOf } from "../../hooks/authentication.ts";
import type { RouteHooks } from "../../hooks/route_hooks.ts";
import { LATE } from "../../limits/deadline.ts";
import { inputOf } from "../../operations/input.ts";
import { asOperations } from "../../operations/operation.ts";
import { refusedBy, runOperation } from "../../operations/output.ts";
import type { Responder } from "../../responder.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import { type AccountContext, operations } from "./operations.ts";
import { mustHaveRight, type OwnOperation } from "./rights.ts";
import { watchOperations } from "./watch_operations.ts";

interface AccountParts extends Pick<AccountContext, "store" | "watch" | "followed" | "search" | "market"> {
  readonly responder: Responder;
}

/** The routes of the operations on the caller's own account. */
export const addAccount = (
  app: FastifyInstance,
  { authentication, rateLimit, readBody, readLongBody, responder }: RouteHooks,
  parts: Pick<AccountContext, "store" | "watch" | "followed" | "search" | "market">,
): void => {
  for (const [name, operation] of Object.entries(asOperations<AccountContext>(operations))) {
    const id = name as keyof typeof operations; // they are its keys
    app.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ":$1"),
      onRequest: authentication.require("account"),
      preHandler:
        operation.method === "GET"
          ? rateLimit
          : [rateLimit, operation.takes_long_body === true ? readLongBody : readBody],
      handler: async (request, reply) =>
        responder.respond(request, reply, await answerTo(request, { id, operation }, { ...parts, responder })),
    });
  }
};

const answerTo = async (
  request: FastifyRequest,
  { id, operation }: OwnOperation,
  { responder, ...parts }: AccountParts,
): Promise<SurfaceResponse> => {
  const { url, raw, context } = request;
  const caller = callerOf(request, "account");
  // The route's pattern has named these parameters.
  const in_path = request.params as Readonly<Record<string, string>>;
  const read = inputOf(operation, in_path, { url, raw_headers: raw.rawHeaders, body: context.body });
  if ("answer" in read) return read.answer;
  try {
    // Without watching, every caller gets the refusal that says so.
    if (parts.watch !== null || !(id in watchOperations)) mustHaveRight(caller, id);
    const running = runOperation(operation, { ...parts, caller }, read.input);
    // The result of a change is in its answer and nowhere else, so it is awaited without a limit.
    const answer = operation.method === "GET" ? await context.deadline.wait(running) : await running;
    return answer === LATE ? responder.tooLate() : answer;
  } catch (error) {
    const refusal = refusedBy(error);
    if (refusal !== null) return refusal;
    throw error;
  }
};
