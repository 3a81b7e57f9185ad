import type { FastifyInstance } from "fastify";
import { callerOf } from "../hooks/authentication.ts";
import type { RouteHooks } from "../hooks/route_hooks.ts";
import type { Mcp } from "./server.ts";

export const MCP_PATH = "/mcp";

/** `POST /mcp`: one message of the Model Context Protocol. */
export const addMcp = (app: FastifyInstance, hooks: RouteHooks, mcp: Mcp): void => {
  const { authentication, readBody, responder } = hooks;
  app.post(MCP_PATH, {
    onRequest: authentication.require("mcp"),
    preHandler: readBody,
    handler: async (request, reply) => {
      const { rawHeaders: raw_headers, url = "" } = request.raw;
      const message = { url, raw_headers, caller: callerOf(request, "mcp"), context: request.context };
      return responder.respond(request, reply, await mcp.answer(message));
    },
  });
};
