import { setMaxListeners } from "node:events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Catalog, Meter } from "../accounts/meter.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { AnyTool } from "../tools/tool.ts";
import { ACCOUNT_OPENAPI_PATH, accountOpenapi } from "./account/openapi.ts";
import { operations as accountOperations, type HolderDesk } from "./account/operations.ts";
import { type Admission, openAdmission } from "./admission.ts";
import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";
import { openApp } from "./app.ts";
import type { CallParts } from "./call.ts";
import { openGiven } from "./charts/given.ts";
import { CHARTS_PATH } from "./charts/picture.ts";
import { type Description, describedOn, discovery, listed } from "./describe.ts";
import { Desk } from "./desk.ts";
import { serveDocs } from "./docs_site/serve.ts";
import { Document, perVersion } from "./documents.ts";
import { guardedMeter } from "./guarded_meter.ts";
import { toJson } from "./json.ts";
import { type Mcp, openMcp } from "./mcp.ts";
import { type AllowedNames, refuseStrangers } from "./mcp_guard.ts";
import { type Metrics, openMetrics } from "./metrics/metrics.ts";
import { NO_BOOK } from "./metrics/room_metrics.ts";
import { openapi } from "./openapi.ts";
import { asOperations } from "./operations/operation.ts";
import { readiness, shared } from "./ops.ts";
import { servePortal } from "./portal/serve.ts";
import { logRequests, RequestNotes } from "./request_log.ts";
import { REST_LIMITS, type RestLimits } from "./rest_limits.ts";
import type { RestParts } from "./rest_parts.ts";
import { allowOf, MCP_PATH, pathOf } from "./routes.ts";
import { People } from "./sign_in/desk.ts";
import type { TimeLeft } from "./time_left.ts";
import { tracedParts, traceRequests } from "./traced.ts";
import { Transport } from "./transport.ts";
import { compactOf } from "./view/compact.ts";
import { STREAM_PATH, WatchStreams } from "./watch_stream.ts";
import { type Letter, letterOf, post, type Sender } from "./written.ts";

const remembered = ({ book = NO_BOOK, kept = {}, watch_standing = null }: RestParts) => ({
  ...{ book, kept, watch: watch_standing },
});

const OWN_NAMES: AllowedNames = { hosts: [], origins: [] };

export interface Rest {
  /** @returns the address that was bound, `http://host:port`. Port 0 picks a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Stops accepting, lets running calls finish, refunds those that take too long, closes every connection. */
  close(): Promise<void>;
}

/** What is told to everybody. */
const OPEN: Answer = { status: 200, body: null, charged: 0, standing: null };

/** The REST interface, MCP and the operations endpoints over one listening server. */
export const openRest = (parts: RestParts): Rest =>
  new RestServer(parts.tracing === undefined ? parts : { ...parts, ...tracedParts(parts, parts.tracing) });

const compactForms = (tools: readonly AnyTool[], descriptions: readonly Description[]) =>
  new Map(tools.map((tool, at) => [tool.name, compactOf(tool, descriptions[at]?.output_schema ?? {})]));

class RestServer implements Rest {
  readonly #parts: RestParts;
  readonly #limits: RestLimits;
  readonly #meter: Meter;
  readonly #metrics: Metrics;
  readonly #transport: Transport;
  readonly #admission: Admission;
  /** When each request under way has to be answered. */
  readonly #times = new WeakMap<FastifyRequest, TimeLeft>();
  readonly #notes = new RequestNotes();
  readonly #closing = new AbortController();
  readonly #streams_end = new AbortController();
  readonly #tools: ReadonlyMap<string, AnyTool>;
  readonly #people: People | null;
  readonly #desk: Desk;
  readonly #mcp: Mcp;
  readonly #app: FastifyInstance;
  readonly #openapi: (catalog: Catalog) => Document;
  #is_closing = false;

  constructor(parts: RestParts) {
    this.#parts = parts;
    // Every call in flight listens.
    setMaxListeners(0, this.#closing.signal, this.#streams_end.signal);
    const limits = { ...REST_LIMITS, ...parts.limits };
    // A body that comes later than the deadline helps nobody.
    this.#limits = { ...limits, request_timeout_ms: Math.min(limits.request_timeout_ms, limits.deadline_ms) };
    this.#transport = new Transport(this.#limits);
    this.#admission = openAdmission(this.#limits, (why) => this.#metrics.shed(why));
    this.#meter = guardedMeter(parts.meter);
    const { gate, held } = this.#admission;
    const room = { gate, held, connections: this.#transport.connections, ...remembered(parts) };
    const { status, log, now_ms = Date.now } = parts;
    this.#metrics = openMetrics({ status, log, now_ms, room, version: "unknown", ...parts.metrics });
    this.#tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
    const networks = () => parts.chains.map(({ network }) => network);
    const described = describedOn(parts.tools, networks);
    const documentOf = (build: (all: readonly Description[], catalog: Catalog) => unknown) =>
      perVersion(described, (catalog, all) => new Document(toJson(build(listed(all, catalog), catalog))));
    this.#openapi = documentOf((all, { credits }) => openapi(all, credits, parts.examples));
    const compact = compactForms(parts.tools, described());
    this.#people = parts.people === undefined ? null : new People(parts.people);
    this.#desk = new Desk({
      tools: this.#tools,
      compact,
      meter: this.#meter,
      store: parts.store,
      people: this.#people,
      given: openGiven(parts.now_ms ?? Date.now),
      watch: parts.watch ?? null,
      streams: new WatchStreams({ closing: this.#streams_end.signal }),
      admission: this.#admission,
      transport: this.#transport,
      body_bytes_max: this.#limits.body_bytes_max,
      discovery: documentOf(discovery),
      callParts: () => this.#callParts(),
      post: (...letter) => this.#post(...letter),
      broken: (error, request_id) => this.#broken(error, request_id),
      shed: (why) => this.#metrics.shed(why),
      notes: this.#notes,
      log: parts.log,
    });
    this.#mcp = openMcp({
      tools: parts.tools,
      compact,
      described,
      meter: this.#meter,
      call: this.#desk.call,
      standing: this.#desk.standing,
      library: { networks, status: parts.status, cast: parts.cast ?? [] },
      broken: (error, request_id) => this.#broken(error, request_id),
      log: parts.log,
    });
    this.#app = this.#build();
  }

  async listen(address: { readonly host: string; readonly port: number }): Promise<string> {
    const url = await this.#app.listen({ ...address, backlog: this.#limits.connections_max });
    this.#admission.start();
    return url;
  }

  async close(): Promise<void> {
    this.#is_closing = true;
    this.#admission.stop();
    this.#streams_end.abort();
    const closed = this.#app.close();
    const patience = setTimeout(() => this.#closing.abort(), this.#limits.closing_grace_ms);
    const force = setTimeout(() => this.#app.server.closeAllConnections(), this.#limits.closing_grace_ms + 2_000);
    await closed;
    clearTimeout(patience);
    clearTimeout(force);
  }

  #build(): FastifyInstance {
    const app = openApp(this.#limits, {
      clientErrorHandler: this.#transport.onClientError,
      frameworkErrors: (_error, request, reply) => this.#send(request, reply, answers.notFound),
    });
    this.#transport.attach(app.server);
    if (this.#parts.tracing !== undefined) traceRequests(app, this.#parts.tracing);
    if (this.#parts.request_log !== false)
      logRequests(app, { log: this.#parts.log, notes: this.#notes, timeOf: (request) => this.#timeOf(request) });
    app.addHook("onRequest", async (request, reply) => this.#arrive(request, reply));
    app.addHook("onResponse", async (request, reply) => this.#count(request, reply));
    app.setNotFoundHandler((request, reply) => this.#send(request, reply, answers.notFound));
    app.setErrorHandler((error, request, reply) => this.#send(request, reply, this.#broken(error, request.id)));
    this.#routes(app);
    return app;
  }

  #routes(app: FastifyInstance): void {
    app.get("/healthz", (request, reply) => this.#send(request, reply, { ...OPEN, body: { status: "ok" } }));
    const ready = shared(() => readiness(this.#parts.status, this.#parts.log));
    app.get("/readyz", async (request, reply) => this.#send(request, reply, { ...OPEN, ...(await ready()) }));
    app.get("/metrics", async (_request, reply) =>
      reply
        .header("cache-control", "no-store")
        .type(this.#metrics.content_type)
        .send(await this.#metrics.text()),
    );
    app.get("/api/tools/openapi.json", async (request, reply) =>
      this.#send(request, reply, { ...OPEN, body: this.#openapi(await this.#meter.catalog()) }),
    );
    serveDocs(app, this.#parts.docs ?? null, (request, reply, answer) => this.#send(request, reply, answer));
    servePortal(app, {
      folder: this.#parts.portal ?? null,
      networks: () => this.#parts.chains.map(({ network }) => network),
      send: (request, reply, answer) => this.#send(request, reply, answer),
    });
    const account = new Document(toJson(accountOpenapi()));
    app.get(ACCOUNT_OPENAPI_PATH, (request, reply) => this.#send(request, reply, { ...OPEN, body: account }));
    for (const [name, operation] of Object.entries(asOperations<HolderDesk>(accountOperations))) {
      const id = name as keyof typeof accountOperations; // they are its keys
      app.route({
        method: operation.method,
        url: operation.path.replace(/\{(\w+)\}/g, ":$1"),
        handler: (request, reply) => this.#desk.keep({ request, reply }, this.#timeOf(request), { id, operation }),
      });
    }
    this.#people?.serve(app, {
      send: (request, reply, answer) => this.#send(request, reply, answer),
      broken: (error, request_id) => this.#broken(error, request_id),
      held: this.#admission.held,
      connections: this.#transport.connections,
      timeOf: (request) => this.#timeOf(request),
      tooLate: () => {
        this.#metrics.shed("deadline");
        return answers.tooLate;
      },
    });
    app.get(STREAM_PATH, (request, reply) => this.#desk.stream({ request, reply }, this.#timeOf(request)));
    app.get("/api/tools", (request, reply) => this.#desk.list({ request, reply }, this.#timeOf(request)));
    app.get(`${CHARTS_PATH}/:tool_name`, (request, reply) =>
      this.#desk.draw({ request, reply }, this.#timeOf(request)),
    );
    app.post("/api/tools/:tool_name", (request, reply) => this.#desk.run({ request, reply }, this.#timeOf(request)));
    app.post(MCP_PATH, (request, reply) => this.#desk.speak({ request, reply }, this.#timeOf(request), this.#mcp));
  }

  #timeOf(request: FastifyRequest): TimeLeft {
    return this.#times.get(request) ?? this.#admission.arrive();
  }

  /** Refuses what must not reach a route, before anything else is looked at. */
  async #arrive(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    this.#transport.begin(request.raw, reply.raw);
    this.#times.set(request, this.#admission.arrive());
    if (request.raw.headers.host === undefined && request.raw.httpVersion === "1.1")
      return this.#send(request, reply, answers.hostMissing);
    const allow = allowOf(pathOf(request), this.#parts.portal !== undefined);
    if (allow === null) return this.#send(request, reply, answers.notFound);
    if (!allow.split(", ").includes(request.method)) return this.#send(request, reply, answers.methodNotAllowed(allow));
    const is_mcp = pathOf(request) === MCP_PATH;
    if (this.#is_closing && (is_mcp || request.raw.url?.startsWith("/api/")))
      return this.#send(request, reply, answers.closing);
    const refusal = is_mcp ? refuseStrangers(request.raw.rawHeaders, this.#parts.mcp ?? OWN_NAMES) : null;
    return refusal === null ? undefined : this.#send(request, reply, refusal);
  }

  #callParts(): CallParts {
    const { chains, contextFor, log } = this.#parts;
    return {
      meter: this.#meter,
      chains,
      contextFor,
      log,
      now_ms: this.#parts.now_ms ?? Date.now,
      deadline_ms: this.#limits.deadline_ms,
      closing: this.#closing.signal,
      observe: this.#metrics.call,
      onLate: () => this.#metrics.shed("deadline"),
    };
  }

  #broken(error: unknown, request_id: string): Answer {
    const facts = { request_id, error: messageOf(error) };
    const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : undefined;
    this.#parts.log.error(
      { ...facts, cause, stack: error instanceof Error ? error.stack : undefined },
      "request failed",
    );
    return error instanceof AssayError && error.retryable ? answers.storeAway : answers.internal;
  }

  /** To somebody unknown, or who need not be known. */
  #send(request: FastifyRequest, reply: FastifyReply, answer: Answer): unknown {
    return this.#post({ request, reply }, letterOf(answer, request.id, false), "");
  }

  #post(to: Sender, letter: Letter, account_id: string): unknown {
    const headers = this.#is_closing ? { ...letter.headers, connection: "close" } : letter.headers;
    const holds = (bytes: number) => this.#admission.held.take(account_id, bytes);
    return post(to, { ...letter, headers }, { transport: this.#transport, holds });
  }

  #count(request: FastifyRequest, reply: FastifyReply): void {
    const name = Reflect.get(Object(request.params), "tool_name");
    const tool = typeof name === "string" && this.#tools.has(name) ? name : "";
    const route = request.is404 ? "none" : (request.routeOptions.url ?? "none");
    this.#metrics.request({ route, status: reply.raw.statusCode, tool, seconds: reply.elapsedTime / 1000 });
  }
}
