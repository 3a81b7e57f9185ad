import { randomUUID } from "node:crypto";
import { METHODS } from "node:http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Caller, Meter } from "../accounts/meter.ts";
import type { Chain } from "../chains/chain.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { ReadStatus } from "../lib/status.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";
import { readBytes, sendAndLinger } from "./body.ts";
import { type CallParts, type ContextFor, callTool } from "./call.ts";
import { describeTool, discovery } from "./describe.ts";
import { type Document, Prebuilt, perVersion } from "./documents.ts";
import { readEnvelope, valuesOf } from "./envelope.ts";
import { guardedMeter } from "./guarded_meter.ts";
import { toJson } from "./json.ts";
import { openapi } from "./openapi.ts";
import { type Metrics, openMetrics, readiness } from "./ops.ts";
import { answerHeaders, TRANSPORT_LIMITS, Transport, type TransportLimits } from "./transport.ts";

export interface RestLimits extends TransportLimits {
  /** A run that takes longer is answered with `status:error` TIMEOUT. */
  readonly deadline_ms: number;
  /** Tool calls of all keys at one time; one more gets a quick 503. */
  readonly calls_max: number;
  /** How long stopping waits for running calls before it refunds them. */
  readonly closing_grace_ms: number;
}

const REST_LIMITS: RestLimits = {
  ...TRANSPORT_LIMITS,
  deadline_ms: 30_000,
  calls_max: 64,
  closing_grace_ms: 10_000,
};

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
}

export interface Rest {
  /** @returns the address that was bound, `http://host:port`. Port 0 picks a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Stops accepting, lets running calls finish, refunds those that take too long, closes every connection. */
  close(): Promise<void>;
}

type Signed = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<Answer | null>;

/** Which methods a path answers to; null when there is no such path. */
const allowOf = (url: string): string | null => {
  const path = url.replace(/^https?:\/\/[^/]*/i, "").split("?", 1)[0] ?? "";
  if (["/api/tools", "/api/tools/openapi.json", "/healthz", "/readyz", "/metrics"].includes(path)) return "GET";
  return /^\/api\/tools\/[^/]+$/.test(path) ? "POST" : null;
};

/** The REST interface and the operations endpoints over one listening server. */
export const openRest = (parts: RestParts): Rest => new RestServer(parts);

class RestServer implements Rest {
  readonly #parts: RestParts;
  readonly #limits: RestLimits;
  readonly #meter: Meter;
  readonly #metrics: Metrics;
  readonly #transport = new Transport();
  readonly #closing = new AbortController();
  readonly #tools: ReadonlyMap<string, AnyTool>;
  readonly #app: FastifyInstance;
  readonly #documents: { readonly discovery: Document; readonly openapi: Document };
  #is_closing = false;
  #calls = 0;

  constructor(parts: RestParts) {
    this.#parts = parts;
    this.#limits = { ...REST_LIMITS, ...parts.limits };
    this.#meter = guardedMeter(parts.meter);
    this.#metrics = openMetrics(parts.status, parts.log);
    this.#tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
    const networks = parts.chains.map(({ network }) => network);
    const descriptions = parts.tools.map((tool) => describeTool(tool, networks));
    this.#documents = {
      discovery: perVersion((catalog) => discovery(descriptions, catalog)),
      openapi: perVersion((catalog) => openapi(descriptions, catalog.credits, parts.examples)),
    };
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
    const { header_bytes_max, deadline_ms } = this.#limits;
    const app = fastify({
      http: { maxHeaderSize: header_bytes_max, requireHostHeader: false, connectionsCheckingInterval: 1_000 },
      // Longer than any run: only a client that does not read is cut off by it.
      connectionTimeout: deadline_ms + 30_000,
      genReqId: () => randomUUID(),
      requestIdHeader: false,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      forceCloseConnections: "idle",
      routerOptions: { maxParamLength: header_bytes_max },
      clientErrorHandler: this.#transport.onClientError,
      frameworkErrors: (_error, request, reply) => this.#send(request, reply, answers.notFound),
    });
    // Bodies are read by the route itself, after authentication; fastify must not touch them, whatever the method.
    for (const method of METHODS)
      if (method !== "CONNECT") app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
    this.#transport.attach(app.server, this.#limits);
    app.addHook("onRequest", async (request, reply) => this.#arrive(request, reply));
    app.addHook("onResponse", async (request, reply) => this.#count(request, reply));
    app.setNotFoundHandler((request, reply) => this.#send(request, reply, answers.notFound));
    app.setErrorHandler((error, request, reply) => this.#send(request, reply, this.#broken(error, request)));
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
    app.get("/api/tools", (request, reply) => this.#signed(request, reply, this.#list));
    app.post("/api/tools/:tool_name", (request, reply) => this.#signed(request, reply, this.#run));
  }

  /** Refuses what must not reach a route, before anything else is looked at. */
  async #arrive(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    this.#transport.begin(request.raw, reply.raw);
    if (request.raw.headers.host === undefined && request.raw.httpVersion === "1.1")
      return this.#send(request, reply, answers.hostMissing);
    const allow = allowOf(request.raw.url ?? "");
    if (allow === null) return this.#send(request, reply, answers.notFound);
    if (request.method !== allow) return this.#send(request, reply, answers.methodNotAllowed(allow));
    if (this.#is_closing && request.raw.url?.startsWith("/api/")) return this.#send(request, reply, answers.closing);
    return undefined;
  }

  /** Authentication, then the rate limit of the key, then `next`; credit headers on whatever comes out. */
  async #signed(request: FastifyRequest, reply: FastifyReply, next: Signed): Promise<unknown> {
    const values = valuesOf(request.raw.rawHeaders, "authorization");
    const authentication = await this.#meter.authenticate(values.length === 1 ? values[0] : undefined, "api");
    if (authentication.kind === "refused")
      return this.#send(request, reply, answers.unauthorized(authentication.cause));
    const { caller } = authentication;
    const answer = await this.#admitted(request, reply, { caller, next });
    if (answer === null) return reply.hijack();
    const standing = answer.standing ?? (await this.#standing(caller));
    return this.#send(request, reply, { ...answer, standing }, true);
  }

  async #admitted(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, next }: { readonly caller: Caller; readonly next: Signed },
  ): Promise<Answer | null> {
    try {
      if (!(await this.#meter.admit(caller))) return answers.rateLimited(caller.limit_per_minute);
      return await next(request, reply, caller);
    } catch (error) {
      return this.#broken(error, request);
    }
  }

  /** Null when the store is away: the answer then goes out without what it would tell. */
  async #standing(caller: Caller) {
    try {
      return await this.#meter.standing(caller);
    } catch (error) {
      this.#parts.log.warn({ error: messageOf(error) }, "standing could not be read");
      return null;
    }
  }

  readonly #list: Signed = async () => {
    const catalog = await this.#meter.catalog();
    return { status: 200, body: new Prebuilt(this.#documents.discovery(catalog)), charged: 0, standing: null };
  };

  readonly #run: Signed = async (request, _reply, caller) => {
    // The route's pattern has exactly this parameter.
    const { tool_name } = request.params as { readonly tool_name: string };
    const tool = this.#tools.get(tool_name);
    if (tool === undefined) return answers.unknownTool(tool_name);
    if (this.#calls >= this.#limits.calls_max) return answers.overloaded;
    this.#calls += 1;
    try {
      const read = await readBytes(request.raw, this.#limits.body_bytes_max);
      if (read.kind === "gone") return null;
      if (read.kind === "too_large") return answers.tooLarge;
      const envelope = readEnvelope(request.raw.rawHeaders, read.body);
      if (envelope.kind === "unreadable") return answers.unreadable;
      if (envelope.kind === "invalid") return answers.invalidEnvelope(envelope.items);
      const { args, idempotency_key } = envelope;
      const catalog_version = valuesOf(request.raw.rawHeaders, "x-credit-catalog-version").at(-1) ?? null;
      const call = { tool, caller, args, idempotency_key, catalog_version, request_id: request.id };
      return await callTool(call, this.#callParts());
    } finally {
      this.#calls -= 1;
    }
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

  #broken(error: unknown, request: FastifyRequest): Answer {
    const facts = { request_id: request.id, error: messageOf(error) };
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
    if (signed) headers["x-credits-charged"] = String(answer.charged);
    if (answer.standing !== null) {
      headers["x-credits-remaining"] = String(answer.standing.credits_remaining);
      headers["x-credit-catalog-version"] = answer.standing.catalog_version;
    }
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
