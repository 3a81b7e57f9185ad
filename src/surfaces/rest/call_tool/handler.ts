import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Meter } from "../../../accounts/meter.ts";
import { type AnyTool, callPath } from "../../../tools/tool.ts";
import type { ToolCall } from "../../call/call_tool.ts";
import { callerOf } from "../../hooks/authentication.ts";
import { openPublic, openPublicTool, toolNameOf } from "../../hooks/public_tool.ts";
import type { RouteHooks } from "../../hooks/route_hooks.ts";
import { readEnvelope } from "../../http/envelope.ts";
import { exportFormat } from "../../http/export_format.ts";
import { valuesOf } from "../../http/headers.ts";
import type { LongAnswers } from "../../limits/long_answers.ts";
import * as refusals from "../../refusals.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import type { Compact } from "../../view/compact.ts";
import { readView, viewed } from "../../view/requested_view.ts";
import { type ExportParts, exportList } from "../export/answer.ts";
import { asksToKeep, type KeepParts, kept } from "./keep.ts";

interface CallToolParts {
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** Calls over time, each at its own path. */
  readonly beside: readonly AnyTool[];
  /** The compact form of each tool's answers, by name. */
  readonly compact: ReadonlyMap<string, Compact>;
  readonly meter: Meter;
  readonly call: (call: ToolCall) => Promise<SurfaceResponse>;
  readonly long: LongAnswers;
  readonly exports: ExportParts;
  readonly keep: KeepParts;
}

/** `POST /api/tools/:tool_name`: one call of a tool; and the same of each that has a path of its own. */
export const addCallTool = (app: FastifyInstance, hooks: RouteHooks, parts: CallToolParts): void => {
  const { authentication, rateLimit, readBody, responder } = hooks;
  app.post("/api/tools/:tool_name", {
    onRequest: authentication.require("api"),
    preHandler: [rateLimit, openPublicTool({ ...parts, responder }), readBody],
    handler: async (request, reply) => {
      const name = toolNameOf(request);
      const tool = parts.tools.get(name);
      const answer = tool === undefined ? refusals.unknownTool(name) : await answerTo({ request, reply }, tool, parts);
      return responder.respond(request, reply, answer);
    },
  });
  for (const tool of parts.beside) {
    app.post(callPath(tool), {
      onRequest: authentication.require("api"),
      preHandler: [rateLimit, openPublic(() => tool.name, { ...parts, has: () => true, responder }), readBody],
      handler: async (request, reply) =>
        responder.respond(request, reply, await answerTo({ request, reply }, tool, parts)),
    });
  }
};

/** Null when the answer was streamed. */
const answerTo = async (
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  tool: AnyTool,
  { compact, call, long, exports, keep }: CallToolParts,
): Promise<SurfaceResponse | null> => {
  const { rawHeaders, url = "" } = request.raw;
  const view = readView(url);
  const envelope = readEnvelope(rawHeaders, request.context.body);
  if (envelope.kind === "unreadable") return refusals.unreadable;
  const items = [...(typeof view === "string" ? [] : [view]), ...(envelope.kind === "invalid" ? envelope.items : [])];
  if (envelope.kind === "invalid" || items.length > 0) return refusals.invalidEnvelope(items);
  const { args, idempotency_key } = envelope;
  const catalog_version = valuesOf(rawHeaders, "x-credit-catalog-version").at(-1) ?? null;
  const caller = callerOf(request, "api");
  const called = { tool, caller, args, idempotency_key, catalog_version };
  const format = exportFormat(rawHeaders);
  if (format !== null) {
    const exported = await long.run(caller.account_id, () =>
      exportList({ request, reply }, { format, call: called }, exports),
    );
    return exported === "share" ? refusals.shareTaken : exported;
  }
  const given = await call({ ...called, request: request.context });
  const about = { account_id: caller.account_id, tool: tool.name, args, request_id: request.context.id };
  const answer = asksToKeep(rawHeaders) ? kept(about, given, keep) : given;
  return viewed(answer, view === "compact" ? (compact.get(tool.name) ?? null) : null);
};
