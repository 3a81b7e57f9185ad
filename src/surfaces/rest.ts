import { setMaxListeners } from "node:events";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Catalog, Meter, Standing, Surface } from "../accounts/meter.ts";
import type { Chain } from "../chains/chain.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { ReadStatus } from "../lib/status.ts";
import type { Tracing } from "../lib/trace.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";
import { openApp } from "./app.ts";
import { readBytes, sendAndLinger } from "./body.ts";
import { type Call, type CallParts, type ContextFor, callTool } from "./call.ts";
import { describeTool, discovery, listed } from "./describe.ts";
import { Prebuilt, perVersion } from "./documents.ts";
import { readEnvelope, valuesOf } from "./envelope.ts";
import { type Gate, openGate } from "./gate.ts";
import { guardedMeter } from "./guarded_meter.ts";
import { toJson } from "./json.ts";
import { type Mcp, openMcp } from "./mcp.ts";
import { type AllowedNames, refuseStrangers } from "./mcp_guard.ts";
import { openapi } from "./openapi.ts";
import { type Metrics, openMetrics, readiness } from "./ops.ts";
import { REST_LIMITS, type RestLimits } from "./rest_limits.ts";
import { allowOf, MCP_PATH, pathOf } from "./routes.ts";
import { tracedParts, traceRequests } from "./traced.ts";
import { answerHeaders, Transport } from "./transport.ts";

const OWN_NAMES: AllowedNames = { hosts: [], origins: [] };

export interface RestParts {
  /** The allowlist, in the order in which it is shown. */
  readonly tools: readonly AnyTool[];
  readonly meter: Meter;
  /** Every enabled network, in configuration order. */
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  readonly status: ReadStatus;
  readonly log: Log;
  readonly limits?: Partial<RestLimits>;
  /** Unix milliseconds; the system clock by default. */
  readonly now_ms?: () => number;
  /** Real answers of the tools' examples, by tool name, for the OpenAPI document. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Further names for `/mcp`; this machine's own always count. */
  readonly mcp?: AllowedNames;
  readonly tracing?: Tracing;
}

export interface Rest {
  /** @returns the address that was bound, `http://host:port`. Port 0 picks a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Stops accepting, lets running calls finish, refunds those that take too long, closes every connection. */
  close(): Promise<void>;
}

/** What an authenticated caller gets; null when nobody is left to answer. */
interface Signed {
  readonly surface: Surface;
  readonly serve: (request: FastifyRequest, caller: Caller) => Promise<Answer | null>;
}

/** The REST interface, MCP and the operations endpoints over one listening server. */
export const openRest = (parts: RestParts): Rest =>
  new RestServer(parts.tracing === undefined ? parts : { ...parts, ...tracedParts(parts, parts.tracing) });

class RestServer implements Rest {
  readonly #parts: RestParts;
  readonly #limits: RestLimits;
  readonly #meter: Meter;
  readonly #metrics: Metrics;
  readonly #transport = new Transport();
  readonly #closing = new AbortController();
  readonly #tools: ReadonlyMap<string, AnyTool>;
  readonly #mcp: Mcp;
  readonly #gate: Gate;
  readonly #app: FastifyInstance;
  readonly #documents: Readonly<Record<"discovery" | "openapi", (catalog: Catalog) => string>>;
  #is_closing = false;

  constructor(parts: RestParts) {
    this.#parts = parts;
    // Every call in flight listens.
    setMaxListeners(0, this.#closing.signal);
    this.#limits = { ...REST_LIMITS, ...parts.limits };
    this.#gate = openGate(this.#limits.calls_max);
    this.#meter = guardedMeter(parts.meter);
    this.#metrics = openMetrics(parts.status, parts.log);
    this.#tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
    const networks = parts.chains.map(({ network }) => network);
    const descriptions = parts.tools.map((tool) => describeTool(tool, networks));
    this.#documents = {
      discovery: perVersion((catalog) => toJson(discovery(listed(descriptions, catalog), catalog))),
      openapi: perVersion((catalog) => toJson(openapi(listed(descriptions, catalog), catalog.credits, parts.examples))),
    };
    this.#mcp = openMcp({
      tools: parts.tools,
      descriptions,
      meter: this.#meter,
      call: (call) => this.#gate.run(async () => callTool(call, this.#callParts())),
      standing: (caller) => this.#standing(caller),
      broken: (error, request_id) => this.#broken(error, request_id),
      log: parts.log,
    });
    this.#app = this.#build();
  }

  async listen(address: { readonly host: string; readonly port: number }): Promise<string> {
    return this.#app.listen(address);
  }

  async close(): Promise<void> {
    this.#is_closing = true;
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
    this.#transport.attach(app.server, this.#limits);
    if (this.#parts.tracing !== undefined) traceRequests(app, this.#parts.tracing);
    app.addHook("onRequest", async (request, reply) => this.#arrive(request, reply));
    app.addHook("onResponse", async (request, reply) => this.#count(request, reply));
    app.setNotFoundHandler((request, reply) => this.#send(request, reply, answers.notFound));
    app.setErrorHandler((error, request, reply) => this.#send(request, reply, this.#broken(error, request.id)));
    this.#routes(app);
    return app;
  }

  #routes(app: FastifyInstance): void {
    app.get("/healthz", (request, reply) => this.#json(request, reply, { status: 200, body: { status: "ok" } }));
    app.get("/readyz", async (request, reply) =>
      this.#json(request, reply, await readiness(this.#parts.status, this.#parts.log)),
    );
    app.get("/metrics", async (_request, reply) =>
      reply
        .header("cache-control", "no-store")
        .type(this.#metrics.content_type)
        .send(await this.#metrics.text()),
    );
    app.get("/api/tools/openapi.json", async (request, reply) =>
      this.#json(request, reply, { status: 200, text: this.#documents.openapi(await this.#meter.catalog()) }),
    );
    const list: Signed = { surface: "api", serve: (_, caller) => this.#admitted(caller, this.#list) };
    const run: Signed = { surface: "api", serve: (at, caller) => this.#admitted(caller, () => this.#run(at, caller)) };
    const speak: Signed = { surface: "mcp", serve: this.#speak };
    app.get("/api/tools", (request, reply) => this.#signed(request, reply, list));
    app.post("/api/tools/:tool_name", (request, reply) => this.#signed(request, reply, run));
    app.post(MCP_PATH, (request, reply) => this.#signed(request, reply, speak));
  }

  /** Refuses what must not reach a route, before anything else is looked at. */
  async #arrive(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    this.#transport.begin(request.raw, reply.raw);
    if (request.raw.headers.host === undefined && request.raw.httpVersion === "1.1")
      return this.#send(request, reply, answers.hostMissing);
    const allow = allowOf(pathOf(request));
    if (allow === null) return this.#send(request, reply, answers.notFound);
    if (request.method !== allow) return this.#send(request, reply, answers.methodNotAllowed(allow));
    const is_mcp = pathOf(request) === MCP_PATH;
    if (this.#is_closing && (is_mcp || request.raw.url?.startsWith("/api/")))
      return this.#send(request, reply, answers.closing);
    const refusal = is_mcp ? refuseStrangers(request.raw.rawHeaders, this.#parts.mcp ?? OWN_NAMES) : null;
    return refusal === null ? undefined : this.#send(request, reply, refusal);
  }

  /** Authentication, then what the route does; credit headers on whatever comes out. */
  async #signed(request: FastifyRequest, reply: FastifyReply, { surface, serve }: Signed): Promise<unknown> {
    const values = valuesOf(request.raw.rawHeaders, "authorization");
    const authentication = await this.#meter.authenticate(values.length === 1 ? values[0] : undefined, surface);
    if (authentication.kind === "refused")
      return this.#send(request, reply, answers.unauthorized(authentication.cause));
    const { caller } = authentication;
    const answer = await this.#unbroken(request, () => serve(request, caller));
    if (answer === null) return reply.hijack();
    const standing = answer.standing ?? (await this.#standing(caller));
    return this.#send(request, reply, { ...answer, standing }, true);
  }

  async #unbroken(request: FastifyRequest, serve: () => Promise<Answer | null>): Promise<Answer | null> {
    try {
      return await serve();
    } catch (error) {
      return this.#broken(error, request.id);
    }
  }

  async #admitted(caller: Caller, next: () => Promise<Answer | null>): Promise<Answer | null> {
    return (await this.#meter.admit(caller)) ? next() : answers.rateLimited(caller.limit_per_minute);
  }

  /** Null when the store is away: the answer then goes out without what it would tell. */
  async #standing(caller: Caller): Promise<Standing | null> {
    try {
      return await this.#meter.standing(caller);
    } catch (error) {
      this.#parts.log.warn({ error: messageOf(error) }, "standing could not be read");
      return null;
    }
  }

  readonly #list = async (): Promise<Answer> => {
    const catalog = await this.#meter.catalog();
    return { status: 200, body: new Prebuilt(this.#documents.discovery(catalog)), charged: 0, standing: null };
  };

  async #run(request: FastifyRequest, caller: Caller): Promise<Answer | null> {
    // The route's pattern has exactly this parameter.
    const { tool_name } = request.params as { readonly tool_name: string };
    const tool = this.#tools.get(tool_name);
    if (tool === undefined || !this.#meter.isPublic(tool_name)) return answers.unknownTool(tool_name);
    return this.#gate.run(async () => {
      const read = await readBytes(request.raw, this.#limits.body_bytes_max);
      if (read.kind === "gone") return null;
      if (read.kind === "too_large") return answers.tooLarge;
      const { rawHeaders } = request.raw;
      const envelope = readEnvelope(rawHeaders, read.body);
      if (envelope.kind === "unreadable") return answers.unreadable;
      if (envelope.kind === "invalid") return answers.invalidEnvelope(envelope.items);
      const { args, idempotency_key } = envelope;
      const catalog_version = valuesOf(rawHeaders, "x-credit-catalog-version").at(-1) ?? null;
      const call: Call = { tool, caller, args, idempotency_key, catalog_version, request_id: request.id };
      return callTool(call, this.#callParts());
    });
  }

  readonly #speak: Signed["serve"] = async (request, caller) => {
    const read = await readBytes(request.raw, this.#limits.body_bytes_max);
    if (read.kind === "gone") return null;
    if (read.kind === "too_large") return answers.tooLarge;
    return this.#mcp.answer({
      raw_headers: request.raw.rawHeaders,
      body: read.body,
      caller,
      request_id: request.id,
    });
  };

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

  #send(request: FastifyRequest, reply: FastifyReply, answer: Answer, signed = false): unknown {
    const body = Buffer.from(answer.body instanceof Prebuilt ? answer.body.text : toJson(answer.body));
    const headers: Record<string, string> = { ...answerHeaders(request.id), ...answer.headers };
    if (this.#is_closing) headers.connection = "close";
    if (signed && answer.charged !== null) headers["x-credits-charged"] = String(answer.charged);
    if (answer.standing !== null) {
      headers["x-credits-remaining"] = String(answer.standing.credits_remaining);
      headers["x-credit-catalog-version"] = answer.standing.catalog_version;
    }
    if (body.length === 0) delete headers["content-type"];
    if (answer.status !== 413) return reply.code(answer.status).headers(headers).send(body);
    reply.hijack();
    return sendAndLinger(request.raw, reply.raw, { status: answer.status, headers, body });
  }

  #json(request: FastifyRequest, reply: FastifyReply, content: { status: number; body?: unknown; text?: string }) {
    const text = content.text ?? toJson(content.body);
    return reply.code(content.status).headers(answerHeaders(request.id)).send(Buffer.from(text));
  }

  #count(request: FastifyRequest, reply: FastifyReply): void {
    const name = Reflect.get(Object(request.params), "tool_name");
    const tool = typeof name === "string" && this.#tools.has(name) ? name : "";
    const route = request.is404 ? "none" : (request.routeOptions.url ?? "none");
    this.#parts.log.debug({ request_id: request.id, route, tool, status: reply.raw.statusCode }, "answered");
    this.#metrics.request({ route, status: reply.raw.statusCode, tool, seconds: reply.elapsedTime / 1000 });
  }
}
