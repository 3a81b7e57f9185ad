import type { FastifyReply, FastifyRequest } from "fastify";
import { pathOf, type RouteTable } from "../http/route_table.ts";
import type { Transport } from "../http/transport.ts";
import type { Admission } from "../limits/admission.ts";
import * as refusals from "../refusals.ts";
import type { Responder } from "../responder.ts";
import type { SurfaceResponse } from "../surface_response.ts";
import type { RouteHook } from "./route_hooks.ts";

export interface ArrivalParts {
  readonly admission: Admission;
  readonly transport: Transport;
  readonly routes: RouteTable;
  readonly responder: Responder;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  /** The refusal of a request to `/mcp` from a host or a page that is not allowed. */
  readonly refuseForeign: (raw_headers: readonly string[]) => SurfaceResponse | null;
  readonly mcp_path: string;
  /** Called when the connection is done with the request. */
  readonly onDone: (request: FastifyRequest, reply: FastifyReply, started_ms: number) => void;
}

const noBody = Buffer.alloc(0);
const nothing = (): void => undefined;

/** The first hook of every request: its deadline begins, and what no route serves is refused before anything else is read. */
export const arrival =
  ({ admission, transport, routes, responder, stopping, refuseForeign, mcp_path, onDone }: ArrivalParts): RouteHook =>
  async (request, reply) => {
    const { raw } = request;
    const started_ms = performance.now();
    reply.raw.once("close", () => onDone(request, reply, started_ms));
    transport.begin(raw, reply.raw);
    const deadline = admission.arrive();
    request.context = {
      ...{ id: request.id, deadline, caller: null, body: noBody, releaseBody: nothing, call: null, credits: undefined },
    };
    if (raw.headers.host === undefined && raw.httpVersion === "1.1")
      return responder.send(request, reply, refusals.hostMissing);
    const path = pathOf(request);
    const allow = routes.allowOf(path);
    if (allow === null) return responder.send(request, reply, refusals.notFound);
    if (!allow.split(", ").includes(request.method))
      return responder.send(request, reply, refusals.methodNotAllowed(allow));
    const is_mcp = path === mcp_path;
    if (stopping.aborted && (is_mcp || raw.url?.startsWith("/api/")))
      return responder.send(request, reply, refusals.closing);
    const refusal = is_mcp ? refuseForeign(raw.rawHeaders) : null;
    return refusal === null ? undefined : responder.send(request, reply, refusal);
  };
