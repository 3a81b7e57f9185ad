import type { FastifyReply, FastifyRequest } from "fastify";
import type { ToolCall } from "../../call/call_tool.ts";
import { callsAtOneBlock, type SharedCallParts } from "../../call/shared_blocks.ts";
import type { ExportFormat } from "../../http/export_format.ts";
import { partedKeyFaults, partKey } from "../../http/idempotency_key.ts";
import type { Deadline } from "../../limits/deadline.ts";
import type { Description } from "../../openapi/describe_tool.ts";
import * as refusals from "../../refusals.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import { columnsOf } from "./columns.ts";
import { type ExportPage, pagesFrom } from "./pages.ts";
import { exportedList, withLargestPages } from "./request.ts";
import { streamPages } from "./streamed.ts";

export interface ExportParts extends SharedCallParts {
  /** The deadline of a page that begins now. */
  readonly arrive: () => Deadline;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  readonly described: () => readonly Description[];
}

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly call: Omit<ToolCall, "request">;
}

/**
 * Answers a call with the rows of one list, of all pages as of one block, in CSV or as lines of JSON. Each page is a charged call.
 * @returns the first page's own answer where it has no data; null when rows were streamed.
 */
export const exportList = async (
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { format, call }: ExportRequest,
  parts: ExportParts,
): Promise<SurfaceResponse | null> => {
  const description = parts.described().find(({ name }) => name === call.tool.name);
  if (description === undefined) return refusals.unknownTool(call.tool.name);
  const found = exportedList(request.raw.url ?? "", call.tool, description);
  const faults = [...("list" in found ? [] : [found]), ...partedKeyFaults(call.idempotency_key)];
  if (!("list" in found) || faults.length > 0) return refusals.invalidEnvelope(faults);
  const { list, is_paged } = found;
  const pages = pagesOf(request.id, { call, description, is_paged }, parts);
  const first = await pages.next();
  // A walk has a first page.
  const page = first.value as ExportPage;
  request.context.call = { tool: call.tool.name, network: call.args.network };
  if (page.data === null) return page.answer;
  const columns = columnsOf(description.output_schema, list);
  const stream = { response: reply.raw, request_id: request.id, stopping: parts.stopping };
  const source = { first: { ...page, data: page.data }, rest: pages };
  request.context.credits = await streamPages(stream, { format, list, columns }, source);
  return null;
};

interface PagedCall extends Pick<ExportRequest, "call"> {
  readonly description: Description;
  readonly is_paged: boolean;
}

const pagesOf = (
  request_id: string,
  { call, description, is_paged }: PagedCall,
  parts: ExportParts,
): AsyncGenerator<ExportPage> => {
  const callTool = callsAtOneBlock(parts);
  const { args, idempotency_key, ...same } = call;
  // Input schemas of cards are objects with properties.
  const inputs = new Set(Object.keys(description.input_schema.properties as object));
  return pagesFrom(is_paged ? withLargestPages(args, description) : args, {
    inputs,
    is_paged,
    call: (page_args, page) => {
      const key = partKey(idempotency_key, page);
      const request = { id: `${request_id}.${page}`, deadline: parts.arrive(), call: null };
      return callTool({ ...same, args: page_args, idempotency_key: key, request });
    },
  });
};
