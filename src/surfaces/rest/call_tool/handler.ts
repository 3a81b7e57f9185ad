import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Meter } from "../../../accounts/meter.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import type { ToolCall } from "../../call/call_tool.ts";
import { callerOf } from "../../hooks/authentication.ts";
import type { RouteHook, RouteHooks } from "../../hooks/route_hooks.ts";
import { readEnvelope } from "../../http/envelope.ts";
import { valuesOf } from "../../http/headers.ts";
import * as refusals from "../../refusals.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import type { Compact } from "../../view/compact.ts";
import { readView, viewed } from "../../view/requested_view.ts";

interface CallToolParts {
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** The compact form of each tool's answers, by name. */
  readonly compact: ReadonlyMap<string, Compact>;
  readonly meter: Meter;
  readonly call: (call: ToolCall) => Promise<SurfaceResponse>;
}

/** `POST /api/tools/:tool_name`: one call of a tool. */
export const addCallTool = (app: FastifyInstance, hooks: RouteHooks, parts: CallToolParts): void => {
  const { authentication, rateLimit, readBody, responder } = hooks;
  const mustBePublic: RouteHook = async (request, reply) => {
    const name = toolNameOf(request);
    if (parts.tools.has(name) && parts.meter.isPublic(name)) return undefined;
    return responder.respond(request, reply, refusals.unknownTool(name));
  };
  app.post("/api/tools/:tool_name", {
    onRequest: authentication.require("api"),
    preHandler: [rateLimit, mustBePublic, readBody],
    handler: async (request, reply) => responder.respond(request, reply, await answerTo(request, parts)),
  });
};

// The route's pattern has exactly this parameter.
const toolNameOf = ({ params }: FastifyRequest): string => (params as { readonly tool_name: string }).tool_name;

const answerTo = async (request: FastifyRequest, { tools, compact, call }: CallToolParts): Promise<SurfaceResponse> => {
  const { rawHeaders, url = "" } = request.raw;
  const name = toolNameOf(request);
  const tool = tools.get(name);
  if (tool === undefined) return refusals.unknownTool(name);
  const view = readView(url);
  const envelope = readEnvelope(rawHeaders, request.context.body);
  if (envelope.kind === "unreadable") return refusals.unreadable;
  const items = [...(typeof view === "string" ? [] : [view]), ...(envelope.kind === "invalid" ? envelope.items : [])];
  if (envelope.kind === "invalid" || items.length > 0) return refusals.invalidEnvelope(items);
  const { args, idempotency_key } = envelope;
  const catalog_version = valuesOf(rawHeaders, "x-credit-catalog-version").at(-1) ?? null;
  const caller = callerOf(request, "api");
  const answer = await call({ tool, caller, args, idempotency_key, catalog_version, request: request.context });
  return viewed(answer, view === "compact" ? (compact.get(name) ?? null) : null);
};
