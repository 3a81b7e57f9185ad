import { setMaxListeners } from "node:events";
import type { FastifyInstance } from "fastify";
import { guardedMeter } from "../accounts/guarded_meter.ts";
import type { Catalog } from "../accounts/meter.ts";
import type { AnyTool } from "../tools/tool.ts";
import { type CallParts, openToolCalls } from "./call/call_tool.ts";
import { addDocs } from "./docs_site/routes.ts";
import { addHealth } from "./health/routes.ts";
import { arrival } from "./hooks/arrival.ts";
import { Authentication } from "./hooks/authentication.ts";
import { LONG_BODY_BYTES_MAX, openBodyReader } from "./hooks/body.ts";
import { openRateLimit } from "./hooks/rate_limit.ts";
import type { RouteHooks } from "./hooks/route_hooks.ts";
import { openApp } from "./http/app.ts";
import { Document } from "./http/cached_body.ts";
import { toJson } from "./http/json.ts";
import { RouteTable } from "./http/route_table.ts";
import { Transport } from "./http/transport.ts";
import { type Admission, openAdmission } from "./limits/admission.ts";
import { LongAnswers } from "./limits/long_answers.ts";
import { REQUEST_LIMITS, type RequestLimits } from "./limits/request_limits.ts";
import { addMcp, MCP_PATH } from "./mcp/handler.ts";
import { type AllowedHosts, refuseForeignHost } from "./mcp/host_guard.ts";
import { openMcp } from "./mcp/server.ts";
import { EMPTY_CACHE } from "./metrics/capacity_metrics.ts";
import { type Metrics, openMetrics } from "./metrics/metrics.ts";
import { addMetrics, countRequests } from "./metrics/routes.ts";
import { compactDiscovery, type Description, describedOn, discovery, listed } from "./openapi/describe_tool.ts";
import { perVersion } from "./openapi/per_version.ts";
import { addOpenapi } from "./openapi/routes.ts";
import { openapi } from "./openapi/tools_document.ts";
import { addPortal } from "./portal/routes.ts";
import * as refusals from "./refusals.ts";
import { requestLogger } from "./request_log.ts";
import { Responder } from "./responder.ts";
import { addAccount } from "./rest/account/handler.ts";
import { addBatch } from "./rest/batch/handler.ts";
import { addCallTool } from "./rest/call_tool/handler.ts";
import { addCharts } from "./rest/charts/handler.ts";
import { openRecentAnswers } from "./rest/charts/recent_answers.ts";
import { addListTools } from "./rest/list_tools/handler.ts";
import { SignIn } from "./rest/sign_in/routes.ts";
import { addWatchEvents } from "./rest/watch_events/handler.ts";
import { WatchStreams } from "./rest/watch_events/stream.ts";
import type { ServerParts } from "./server_parts.ts";
import { traceParts, traceRequests } from "./tracing.ts";
import { compactOf } from "./view/compact.ts";

const THIS_MACHINE: AllowedHosts = { hosts: [], origins: [] };

export interface PublicServer {
  /** @returns the address that was bound, `http://host:port`. Port 0 picks a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Stops accepting, lets running calls finish, refunds calls that take too long, closes every connection. */
  close(): Promise<void>;
}

/** REST, MCP, the portal, the documentation and the operations endpoints on one listener. */
export const openPublicServer = (parts: ServerParts): PublicServer =>
  new Server(parts.tracing === undefined ? parts : { ...parts, ...traceParts(parts, parts.tracing) });

const limitsOf = (parts: ServerParts): RequestLimits => {
  const limits = { ...REQUEST_LIMITS, ...parts.limits };
  // A body that arrives after the deadline is of no use.
  return { ...limits, request_timeout_ms: Math.min(limits.request_timeout_ms, limits.deadline_ms) };
};

const compactForms = (tools: readonly AnyTool[], descriptions: readonly Description[]) =>
  new Map(tools.map((tool, at) => [tool.name, compactOf(tool, descriptions[at]?.output_schema ?? {})]));

class Server implements PublicServer {
  readonly #limits: RequestLimits;
  readonly #admission: Admission;
  readonly #transport: Transport;
  readonly #metrics: Metrics;
  readonly #responder: Responder;
  /** Aborted when the server can wait no longer: running calls are refunded. */
  readonly #closing = new AbortController();
  /** Aborted when the server stops: streams end, new requests are refused. */
  readonly #stopping = new AbortController();
  readonly #app: FastifyInstance;

  constructor(given: ServerParts) {
    const parts = { ...given, meter: guardedMeter(given.meter) };
    // Every running call listens to these signals.
    setMaxListeners(0, this.#closing.signal, this.#stopping.signal);
    this.#limits = limitsOf(parts);
    this.#transport = new Transport(this.#limits);
    const onShed = this.#onShed;
    this.#admission = openAdmission(this.#limits, onShed);
    this.#metrics = this.#openMetrics(parts);
    const [admission, transport, stopping] = [this.#admission, this.#transport, this.#stopping.signal];
    this.#responder = new Responder({ meter: parts.meter, admission, transport, onShed, stopping, log: parts.log });
    this.#app = this.#openApp(parts);
  }

  async listen(address: { readonly host: string; readonly port: number }): Promise<string> {
    const url = await this.#app.listen({ ...address, backlog: this.#limits.connections_max });
    this.#admission.start();
    return url;
  }

  async close(): Promise<void> {
    this.#admission.stop();
    this.#stopping.abort();
    const closed = this.#app.close();
    const patience = setTimeout(() => this.#closing.abort(), this.#limits.closing_grace_ms);
    const force = setTimeout(() => this.#app.server.closeAllConnections(), this.#limits.closing_grace_ms + 2_000);
    await closed;
    clearTimeout(patience);
    clearTimeout(force);
  }

  readonly #onShed: Parameters<typeof openAdmission>[1] = (why) => this.#metrics.shed(why);

  #openMetrics({ status, log, now_ms = Date.now, book = EMPTY_CACHE, kept = {}, ...parts }: ServerParts): Metrics {
    const { slots, memory } = this.#admission;
    const { connections } = this.#transport;
    const capacity = { slots, memory, connections, book, kept, watch: parts.watch_standing ?? null };
    return openMetrics({ status, log, now_ms, capacity, version: "unknown", ...parts.metrics });
  }

  #openApp(parts: ServerParts): FastifyInstance {
    const responder = this.#responder;
    const app = openApp(this.#limits, {
      clientErrorHandler: this.#transport.onClientError,
      frameworkErrors: (_error, request, reply) => responder.send(request, reply, refusals.notFound),
    });
    app.decorateRequest("context");
    this.#transport.attach(app.server);
    if (parts.tracing !== undefined) traceRequests(app, parts.tracing);
    const networks = () => parts.chains.map(({ network }) => network.id);
    const routes = new RouteTable();
    routes.collect(app);
    const onRequest = arrival({
      admission: this.#admission,
      transport: this.#transport,
      routes,
      responder,
      stopping: this.#stopping.signal,
      refuseForeign: (raw_headers) => refuseForeignHost(raw_headers, parts.mcp ?? THIS_MACHINE),
      mcp_path: MCP_PATH,
      onDone: parts.request_log === false ? () => undefined : requestLogger({ log: parts.log, networks }),
    });
    app.addHook("onRequest", onRequest);
    app.setNotFoundHandler((request, reply) => responder.send(request, reply, refusals.notFound));
    app.setErrorHandler(responder.fail);
    this.#addRoutes(app, parts);
    return app;
  }

  #addRoutes(app: FastifyInstance, parts: ServerParts): void {
    const responder = this.#responder;
    const { status, log, store, watch = null, followed = null, search = null, market = null } = parts;
    const networks = () => parts.chains.map(({ network }) => network);
    countRequests(app, this.#metrics, new Set(parts.tools.map(({ name }) => name)));
    addHealth(app, { status, log, responder });
    addMetrics(app, this.#metrics);
    addDocs(app, parts.docs ?? null, responder);
    if (parts.portal !== undefined) addPortal(app, { folder: parts.portal, networks, responder });
    const sign_in = parts.sign_in === undefined ? null : new SignIn(parts.sign_in);
    const hooks = this.#hooks(parts, sign_in);
    addAccount(app, hooks, { store, watch, followed, search, market });
    const { memory } = this.#admission;
    sign_in?.addRoutes(app, { responder, memory, connections: this.#transport.connections });
    const streams = new WatchStreams({ closing: this.#stopping.signal });
    addWatchEvents(app, hooks, { store, watch, streams });
    this.#addTools(app, hooks, parts);
  }

  #hooks({ meter }: ServerParts, sessions: SignIn | null): RouteHooks {
    const responder = this.#responder;
    const body = { admission: this.#admission, transport: this.#transport, responder, onShed: this.#onShed };
    return {
      authentication: new Authentication({ meter, sessions, responder }),
      rateLimit: openRateLimit({ meter, responder }),
      readBody: openBodyReader({ ...body, bytes_max: this.#limits.body_bytes_max }),
      readLongBody: openBodyReader({
        ...body,
        bytes_max: Math.max(LONG_BODY_BYTES_MAX, this.#limits.body_bytes_max),
      }),
      responder,
    };
  }

  /** Tools over REST and MCP, and their descriptions. */
  #addTools(app: FastifyInstance, hooks: RouteHooks, parts: ServerParts): void {
    const responder = this.#responder;
    const { meter, log, status, cast = [], beside = [], now_ms = Date.now } = parts;
    const tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
    const networks = () => parts.chains.map(({ network }) => network);
    const described = describedOn(parts.tools, networks);
    const callable = [...parts.tools, ...beside];
    const describedAll = describedOn(callable, networks);
    const documentOf = (of: typeof described, build: (all: readonly Description[], catalog: Catalog) => unknown) =>
      perVersion(of, (catalog, all) => new Document(toJson(build(listed(all, catalog), catalog))));
    addOpenapi(app, {
      meter,
      toolsAt: documentOf(describedAll, (all, { credits }) => openapi(all, credits, parts.examples)),
      responder,
    });
    const listAt = {
      full: documentOf(described, discovery),
      compact: documentOf(describedAll, compactDiscovery),
    };
    addListTools(app, hooks, { meter, listAt });
    const recent = openRecentAnswers(now_ms);
    addCharts(app, hooks, { tools, meter, recent });
    const compact = compactForms(callable, describedAll());
    const remember: CallParts["remember"] = (call, answer) => recent.note(call, answer);
    const call_parts = this.#callParts(parts, remember);
    const call = openToolCalls(call_parts);
    const long = new LongAnswers();
    const shared = { call: call_parts, failure: responder.failure };
    const time = { stopping: this.#stopping.signal, arrive: this.#admission.arrive };
    const exports = { ...shared, ...time, described: describedAll };
    const keep = { answers: parts.store.answers, log };
    addCallTool(app, hooks, { tools, beside, compact, meter, call, exports, long, keep });
    addBatch(app, hooks, { ...shared, ...time, tools, compact, meter, long });
    const library = { networks, status, cast };
    const { creditStatus, failure } = responder;
    const answers = { compact, described, call, creditStatus, failure };
    addMcp(app, hooks, openMcp({ ...answers, tools: parts.tools, meter, library, search: parts.search ?? null, log }));
  }

  #callParts({ meter, chains, contextFor, log, now_ms = Date.now }: ServerParts, remember: CallParts["remember"]) {
    return {
      ...{ meter, chains, contextFor, log, now_ms, remember },
      slots: this.#admission.slots,
      deadline_ms: this.#limits.deadline_ms,
      closing: this.#closing.signal,
      observe: this.#metrics.call,
      onLate: () => this.#metrics.shed("deadline"),
    };
  }
}
