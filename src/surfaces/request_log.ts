import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Chain } from "../chains/chain.ts";
import type { Log } from "../lib/log.ts";
import type { Call } from "./call.ts";
import type { TimeLeft } from "./time_left.ts";

/** What the surfaces learn of a request while it is answered. */
export interface RequestFacts {
  readonly account?: string;
  readonly tool?: string;
  /** A network of this instance, `evm` or `all`. */
  readonly network?: string;
  /** Null where it is not known whether the charge stands. */
  readonly credits?: number | null;
}

/** What a call may name in the place of one network. */
const GROUPS = ["evm", "all"];

/** Facts of requests under way. A request is known by its time, which every layer of a surface has. */
export class RequestNotes {
  readonly #facts = new WeakMap<TimeLeft, RequestFacts>();

  add(time: TimeLeft, facts: RequestFacts): void {
    this.#facts.set(time, { ...this.#facts.get(time), ...facts });
  }

  /** A tool is called; of its arguments the network alone is noted. */
  called({ time, tool, args }: Pick<Call, "time" | "tool" | "args">, chains: readonly Chain[]): void {
    const known = [...chains.map(({ network }) => network.id), ...GROUPS];
    const network = known.find((id) => id === args.network);
    this.add(time, { tool: tool.name, ...(network === undefined ? {} : { network }) });
  }

  of(time: TimeLeft): RequestFacts {
    return this.#facts.get(time) ?? {};
  }
}

/** Monitors ask for these every few seconds. */
const UNLOGGED = ["/healthz", "/readyz", "/metrics"];
/** An id that a caller may give its request: nothing that could end a line, and no room for a text. */
const CALLERS_ID = /^[\w.:/+=-]{1,128}$/;

interface RequestLogParts {
  readonly log: Log;
  readonly notes: RequestNotes;
  readonly timeOf: (request: FastifyRequest) => TimeLeft;
}

/**
 * One line at level `info` for each request when its connection is done with it: the route's pattern, never a path, a query, a
 * header or a body, so that no key and no address stands in it. Health checks and metrics have none.
 */
export const logRequests = (app: FastifyInstance, { log, notes, timeOf }: RequestLogParts): void => {
  app.addHook("onRequest", async (request, reply) => {
    const started_ms = performance.now();
    reply.raw.once("close", () => {
      const route = routeOf(request);
      if (UNLOGGED.includes(route)) return;
      const answered = { ...answerOf(reply), ms: Math.round((performance.now() - started_ms) * 10) / 10 };
      const facts = { request_id: request.id, ...callersId(request), method: request.method, route, ...answered };
      log.info({ ...facts, ...notes.of(timeOf(request)) }, "request");
    });
  });
};

/** A path that is no route of ours could hold anything. */
const routeOf = (request: FastifyRequest): string => (request.is404 ? "none" : (request.routeOptions.url ?? "none"));

/** A client that left before its answer has no status. */
const answerOf = ({ raw }: FastifyReply): { readonly status: number | null } => ({
  status: raw.headersSent ? raw.statusCode : null,
});

const callersId = ({ raw }: FastifyRequest): { readonly caller_request_id?: string } => {
  const id = raw.headers["x-request-id"];
  return typeof id === "string" && CALLERS_ID.test(id) ? { caller_request_id: id } : {};
};
