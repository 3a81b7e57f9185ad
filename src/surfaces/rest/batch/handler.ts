import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Meter } from "../../../accounts/meter.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import { type BatchCall, callBatch } from "../../call/call_batch.ts";
import type { SharedCallParts } from "../../call/shared_blocks.ts";
import { callerOf } from "../../hooks/authentication.ts";
import { openPublicTool, toolNameOf } from "../../hooks/public_tool.ts";
import type { RouteHooks } from "../../hooks/route_hooks.ts";
import { readEnvelope } from "../../http/envelope.ts";
import { exportFormat } from "../../http/export_format.ts";
import { valuesOf } from "../../http/headers.ts";
import type { Deadline } from "../../limits/deadline.ts";
import type { LongAnswers } from "../../limits/long_answers.ts";
import * as refusals from "../../refusals.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import type { Compact } from "../../view/compact.ts";
import { readView } from "../../view/requested_view.ts";
import { type DrawItem, drawIn } from "./answers.ts";
import { collected } from "./collected.ts";
import { readItems } from "./envelope.ts";
import { streamed } from "./streamed.ts";

export interface BatchParts extends SharedCallParts {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly compact: ReadonlyMap<string, Compact>;
  readonly meter: Meter;
  readonly long: LongAnswers;
  /** The deadline of a call that begins now. */
  readonly arrive: () => Deadline;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

const BATCH_PATH = "/api/tools/:tool_name/batch";

/** `POST /api/tools/:tool_name/batch`: one tool for many argument objects, as of one block per network. */
export const addBatch = (app: FastifyInstance, hooks: RouteHooks, parts: BatchParts): void => {
  const { authentication, rateLimit, readBody, responder } = hooks;
  app.post(BATCH_PATH, {
    onRequest: authentication.require("api"),
    preHandler: [rateLimit, openPublicTool({ ...parts, responder }), readBody],
    handler: async (request, reply) => {
      const { account_id } = callerOf(request, "api");
      const answer = await parts.long.run(account_id, () => answerTo(request, reply, parts));
      return responder.respond(request, reply, answer === "share" ? refusals.shareTaken : answer);
    },
  });
};

interface ReadBatch {
  readonly batch: Omit<BatchCall, "deadlineOf" | "ends">;
  readonly draw: DrawItem;
}

/** The batch of a request, or its refusal. */
const readBatch = (
  { raw: { rawHeaders, url = "" }, context, id }: FastifyRequest,
  tool: AnyTool,
  { caller, compact }: { readonly caller: Caller; readonly compact: Compact | null },
): ReadBatch | SurfaceResponse => {
  const view = readView(url);
  const envelope = readEnvelope(rawHeaders, context.body);
  if (envelope.kind === "unreadable") return refusals.unreadable;
  const read = envelope.kind === "read" ? readItems(envelope) : { kind: "invalid" as const, faults: envelope.items };
  const faults = [...(typeof view === "string" ? [] : [view]), ...(read.kind === "invalid" ? read.faults : [])];
  if (envelope.kind === "invalid" || read.kind === "invalid" || faults.length > 0)
    return refusals.invalidEnvelope(faults);
  const catalog_version = valuesOf(rawHeaders, "x-credit-catalog-version").at(-1) ?? null;
  const { idempotency_key } = envelope;
  const batch = { tool, caller, items: read.items, idempotency_key, catalog_version, request_id: id };
  return { batch, draw: drawIn(view === "compact" ? compact : null) };
};

/** Null when the answer was streamed. */
const answerTo = async (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: BatchParts,
): Promise<SurfaceResponse | null> => {
  const name = toolNameOf(request);
  const tool = parts.tools.get(name);
  if (tool === undefined) return refusals.unknownTool(name);
  const caller = callerOf(request, "api");
  const read = readBatch(request, tool, { caller, compact: parts.compact.get(name) ?? null });
  if ("status" in read) return read;
  const { batch, draw } = read;
  request.context.call = { tool: name, network: null };
  if (exportFormat(request.raw.rawHeaders) !== "ndjson") {
    const deadlineOf = () => request.context.deadline;
    return collected(name, { items: callBatch({ ...batch, deadlineOf, ends: parts.stopping }, parts), draw });
  }
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const ends = AbortSignal.any([gone.signal, parts.stopping]);
  const items = callBatch({ ...batch, deadlineOf: parts.arrive, ends }, parts);
  request.context.credits = await streamed({ response: reply.raw, request_id: request.id, ends }, { items, draw });
  return null;
};
