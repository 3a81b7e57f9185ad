import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../lib/log.ts";
import type { RequestContext } from "./request_context.ts";

/** Words that a call may use instead of one network. */
const GROUPS = ["evm", "all"];
/** Monitors request these every few seconds. */
const UNLOGGED = ["/healthz", "/readyz", "/metrics"];
/** An id that a caller may set for its request: no character that ends a line, and no room for a text. */
const CALLERS_ID = /^[\w.:/+=-]{1,128}$/;

interface RequestLogOptions {
  readonly log: Log;
  /** Ids of the enabled networks. */
  readonly networks: () => readonly string[];
}

/**
 * Returns a function that logs a request when its connection is done with it: one line at level `info`. The line contains the pattern of the
 * route, never a path, a query, a header or a body, so no key and no address is in it. Health checks and metrics have no line.
 */
export const requestLogger =
  ({ log, networks }: RequestLogOptions) =>
  (request: FastifyRequest, reply: FastifyReply, started_ms: number): void => {
    const route = routeOf(request);
    if (UNLOGGED.includes(route)) return;
    const answered = { ...answerOf(reply), ms: Math.round((performance.now() - started_ms) * 10) / 10 };
    const facts = { request_id: request.id, ...callersId(request), method: request.method, route, ...answered };
    log.info({ ...facts, ...factsOf(request.context, networks()) }, "request");
  };

/** Account, tool, network and credits, as far as they are known. Of the arguments the network alone is logged, where it is one of this instance. */
const factsOf = ({ caller, call, credits }: RequestContext, networks: readonly string[]): object => {
  const network = [...networks, ...GROUPS].find((id) => id === call?.network);
  return {
    ...(caller !== null && { account: caller.account_id }),
    ...(call !== null && { tool: call.tool }),
    ...(network !== undefined && { network }),
    ...(credits !== undefined && { credits }),
  };
};

/** A path without a route can contain any text. */
const routeOf = (request: FastifyRequest): string => (request.is404 ? "none" : (request.routeOptions.url ?? "none"));

/** A client that left before its answer has no status. */
const answerOf = ({ raw }: FastifyReply): { readonly status: number | null } => ({
  status: raw.headersSent ? raw.statusCode : null,
});

const callersId = ({ raw }: FastifyRequest): { readonly caller_request_id?: string } => {
  const id = raw.headers["x-request-id"];
  return typeof id === "string" && CALLERS_ID.test(id) ? { caller_request_id: id } : {};
};
