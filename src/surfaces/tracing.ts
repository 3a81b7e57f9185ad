import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Meter } from "../accounts/meter.ts";
import type { RequestTracer, SpanFacts, TraceStep } from "../lib/trace.ts";
import type { Facts } from "../store/facts.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { ContextFor } from "./call/call_tool.ts";
import { pathOf } from "./http/route_table.ts";

/** The parts of the server whose work traces show. */
interface TracedParts {
  readonly tools: readonly AnyTool[];
  readonly beside?: readonly AnyTool[];
  readonly meter: Meter;
  readonly contextFor: ContextFor;
}

/** The same parts; charges, runs, settlements and queries are steps of their request. */
export const traceParts = (
  { tools, beside = [], meter, contextFor }: TracedParts,
  tracing: RequestTracer,
): TracedParts => ({
  tools: tools.map((tool) => tracedTool(tool, tracing)),
  beside: beside.map((tool) => tracedTool(tool, tracing)),
  meter: tracedMeter(meter, tracing),
  contextFor: (tool, signal, about) => {
    const context = contextFor(tool, signal, about);
    return { ...context, facts: tracedFacts(context.facts, tracing) };
  },
});

/** A span for each request to the interface, `/mcp` included, from its headers to the end of its answer. */
export const traceRequests = (app: FastifyInstance, tracing: RequestTracer): void => {
  app.addHook("onRequest", (request, reply, next) => {
    const span = isTraced(request) ? tracing.request(nameOf(request), traceparentOf(request)) : null;
    if (span === null) return next();
    span.note({ "http.request.method": request.method, "assay.request_id": request.id, ...routeOf(request) });
    const { raw } = reply;
    raw.once("close", () => {
      span.note(raw.headersSent ? { "http.response.status_code": raw.statusCode } : { "assay.unanswered": true });
      span.end();
    });
    return span.within(next);
  });
};

const isTraced = (request: FastifyRequest): boolean => /^\/(?:api|mcp)(?:\/|$)/.test(pathOf(request));

/** The pattern of the route: an unknown path could contain any text. */
const routeOf = (request: FastifyRequest): { readonly "http.route"?: string } =>
  request.is404 || request.routeOptions.url === undefined ? {} : { "http.route": request.routeOptions.url };

const nameOf = (request: FastifyRequest): string => [request.method, ...Object.values(routeOf(request))].join(" ");

const traceparentOf = ({ raw }: FastifyRequest): string | undefined => {
  const { traceparent } = raw.headers;
  return typeof traceparent === "string" ? traceparent : undefined;
};

const inner = (name: string, facts: SpanFacts): TraceStep => ({ name, kind: "internal", facts });

const tracedMeter = (meter: Meter, tracing: RequestTracer): Meter => ({
  authenticate: (authorization, surface) => meter.authenticate(authorization, surface),
  admit: (caller) => meter.admit(caller),
  catalog: () => meter.catalog(),
  isPublic: (tool) => meter.isPublic(tool),
  standing: (caller) => meter.standing(caller),
  charge: (request) => {
    const facts = { "assay.tool": request.tool, "assay.surface": request.caller.surface };
    return tracing.step(inner("charge", facts), async (span) => {
      const result = await meter.charge(request);
      span.note({ "assay.charge": result.kind, ...(result.kind === "charged" && { "assay.credits": result.credits }) });
      return result;
    });
  },
  settle: (charge_id, outcome, reason) =>
    tracing.step(inner("settle", { "assay.settled": outcome }), async (span) => {
      const standing = await meter.settle(charge_id, outcome, reason);
      span.note({ "assay.lease_lost": standing === null, ...(reason !== null && { "assay.refund_reason": reason }) });
      return standing;
    }),
  retract: (charge_id, reason) =>
    tracing.step(inner("retract", { "assay.refund_reason": reason }), () => meter.retract(charge_id, reason)),
});

const tracedTool = (tool: AnyTool, tracing: RequestTracer): AnyTool => ({
  ...tool,
  run: (input, context) =>
    tracing.step(inner(`tool ${tool.name}`, { "assay.tool": tool.name }), async (span) => {
      const outcome = await tool.run(input, context);
      span.note({
        "assay.outcome": outcome.kind,
        ...(outcome.kind === "error" && { "assay.error_code": outcome.code }),
      });
      return outcome;
    }),
});

/** `facts` whose queries are steps by the query's name. The steps contain no arguments. */
const tracedFacts = (facts: Facts, tracing: RequestTracer): Facts => {
  const ask = <T>(question: string, network: string, work: () => Promise<T>): Promise<T> => {
    const facts = { "db.system.name": "clickhouse", "db.operation.name": question, "assay.network": network };
    return tracing.step({ name: `facts ${question}`, kind: "client", facts }, work);
  };
  return {
    snapshot: (network, as_of_block) => ask("snapshot", network, () => facts.snapshot(network, as_of_block)),
    isCurrent: (snapshot) => ask("is_current", snapshot.network, () => facts.isCurrent(snapshot)),
    hold: (snapshot, block) => ask("hold", snapshot.network, () => facts.hold(snapshot, block)),
    ask: (snapshot, query, params) => ask(query, snapshot.network, () => facts.ask(snapshot, query, params)),
    columns: (snapshot, query, params) => ask(query, snapshot.network, () => facts.columns(snapshot, query, params)),
    walletBalances: (snapshot, wallet) =>
      ask("wallet_balances", snapshot.network, () => facts.walletBalances(snapshot, wallet)),
    tokenHolders: (snapshot, tokens, limit) =>
      ask("token_holders", snapshot.network, () => facts.tokenHolders(snapshot, tokens, limit)),
    holderCounts: (snapshot, tokens) =>
      ask("holder_counts", snapshot.network, () => facts.holderCounts(snapshot, tokens)),
    balanceOf: (snapshot, pairs) => ask("balances_of", snapshot.network, () => facts.balanceOf(snapshot, pairs)),
    lists: (query) => facts.lists(query),
    stampOf: (query, network) => facts.stampOf(query, network),
    withSignal: (signal) => tracedFacts(facts.withSignal(signal), tracing),
    own: (kind) => facts.own(kind),
  };
};
