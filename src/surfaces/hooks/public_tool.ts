import type { FastifyRequest } from "fastify";
import type { Meter } from "../../accounts/meter.ts";
import type { AnyTool } from "../../tools/tool.ts";
import * as refusals from "../refusals.ts";
import type { Responder } from "../responder.ts";
import type { RouteHook } from "./route_hooks.ts";

interface PublicParts {
  readonly meter: Meter;
  readonly responder: Responder;
}

interface PublicToolParts extends PublicParts {
  readonly tools: ReadonlyMap<string, AnyTool>;
}

/** The tool that a route with the parameter `tool_name` names. */
export const toolNameOf = ({ params }: FastifyRequest): string =>
  // The pattern of such a route has this parameter.
  (params as { readonly tool_name: string }).tool_name;

/** The hook that answers 404 for a tool that does not exist or is not public. */
export const openPublicTool = ({ tools, ...parts }: PublicToolParts): RouteHook =>
  openPublic(toolNameOf, { ...parts, has: (name) => tools.has(name) });

/** The same of the tool that a request means. */
export const openPublic =
  (
    nameOf: (request: FastifyRequest) => string,
    { has, meter, responder }: PublicParts & { readonly has: (name: string) => boolean },
  ): RouteHook =>
  async (request, reply) => {
    const name = nameOf(request);
    if (has(name) && meter.isPublic(name)) return undefined;
    return responder.respond(request, reply, refusals.unknownTool(name));
  };
