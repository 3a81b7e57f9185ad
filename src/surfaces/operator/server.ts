import { randomUUID } from "node:crypto";
import { METHODS } from "node:http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { AccountsStore } from "../../accounts/open.ts";
import { AssayError, messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { shared } from "../health/readiness.ts";
import { LONG_BODY_BYTES_MAX } from "../hooks/body.ts";
import { readBytes, sendAndLinger } from "../http/body.ts";
import { Prebuilt } from "../http/cached_body.ts";
import type { Connections } from "../http/connections.ts";
import { valuesOf } from "../http/headers.ts";
import { toJson } from "../http/json.ts";
import { answerHeaders, TRANSPORT_LIMITS, Transport, type TransportLimits } from "../http/transport.ts";
import { inputOf } from "../operations/input.ts";
import { asOperations, type Operation } from "../operations/operation.ts";
import { refusedBy, runOperation } from "../operations/output.ts";
import * as refusals from "../refusals.ts";
import { freeAnswer, refusal, type SurfaceResponse } from "../surface_response.ts";
import { operatorOpenapi } from "./openapi.ts";
import { type OperatorContext, type OperatorState, operatorOperations } from "./state.ts";
import { actorOf, type OperatorActor, type OperatorToken } from "./tokens.ts";

const OPENAPI_PATH = "/operator/openapi.json";

export interface OperatorServer {
  /** @returns the address that was bound, `http://host:port`. Port 0 picks a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  close(): Promise<void>;
}

interface OperatorServerOptions {
  readonly store: AccountsStore;
  readonly state: OperatorState;
  readonly tokens: readonly OperatorToken[];
  readonly log: Log;
}

const BAD_TOKEN = refusal(
  401,
  "The operator token is missing or not valid: send 'Authorization: Bearer <OPERATOR_TOKEN>'",
  { "www-authenticate": "Bearer" },
);

const MAY_ONLY_READ = refusal(403, "This operator token may only read: the change was not made");

/** Few people and their programs: who opens more connections than these loses the one that waits longest. */
const LIMITS: TransportLimits = { ...TRANSPORT_LIMITS, connections_max: 256 };

/** The operator API over a listener of its own. Nothing on it answers without a token. */
export const openOperatorServer = (parts: OperatorServerOptions): OperatorServer => {
  const transport = new Transport(LIMITS);
  const app = fastify({
    http: { maxHeaderSize: LIMITS.header_bytes_max, requireHostHeader: false, connectionsCheckingInterval: 1_000 },
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler: transport.onClientError,
    frameworkErrors: (_error, request, reply) => send(request, reply, refusals.notFound),
  });
  transport.attach(app.server);
  app.removeAllContentTypeParsers();
  // Bodies are read after the token was checked; fastify must not touch them.
  for (const method of METHODS)
    if (method !== "CONNECT") app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  const actor = actorOf(parts.tokens);
  // It reads the whole ledger: however many ask, it runs once at a time.
  const store = {
    ...parts.store,
    ledger: { verify: shared(() => parts.store.ledger.verify()) },
    witnesses: shared(() => parts.store.witnesses()),
  };
  app.addHook("onRequest", async (request, reply) => {
    transport.begin(request.raw, reply.raw);
    const values = valuesOf(request.raw.rawHeaders, "authorization");
    if (values.length !== 1 || actor(values[0]) === null) return send(request, reply, BAD_TOKEN);
    return undefined;
  });
  app.addHook("onSend", async (request, reply) => transport.sent(reply.raw, request.raw.socket, () => undefined));
  app.setNotFoundHandler((request, reply) => send(request, reply, nowhere(request.url)));
  app.setErrorHandler((error, request, reply) => send(request, reply, refused(error, request, parts.log)));
  for (const operation of Object.values(asOperations<OperatorContext>(operatorOperations)))
    addRoute(app, operation, { ...parts, store, actor, connections: transport.connections });
  const document = operatorOpenapi();
  app.get(OPENAPI_PATH, (request, reply) => send(request, reply, freeAnswer(document)));
  return { listen: (address) => app.listen(address), close: () => app.close() };
};

/** Each path with the methods that it answers to. */
const ROUTES = [...Object.values(operatorOperations), { path: OPENAPI_PATH, method: "GET" }].map(
  ({ path, method }) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    method,
  }),
);

const nowhere = (url: string): SurfaceResponse => {
  const path = url.split("?", 1)[0] ?? "";
  const allow = ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return allow.length === 0 ? refusals.notFound : refusals.methodNotAllowed(allow.join(", "));
};

interface RouteOptions extends Pick<OperatorServerOptions, "store" | "state" | "log"> {
  readonly actor: (authorization: string | undefined) => OperatorActor | null;
  readonly connections: Connections;
}

const addRoute = (
  app: FastifyInstance,
  operation: Operation<OperatorContext>,
  { store, state, log, actor, connections }: RouteOptions,
): void => {
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ":$1"),
    handler: async (request, reply) => {
      const who = actor(request.raw.headers.authorization);
      if (who === null) return send(request, reply, BAD_TOKEN);
      const { method } = operation;
      const facts = { request_id: request.id, actor: who.name, method, path: request.url };
      if (method !== "GET" && !who.may_change) {
        log.warn(facts, "an operator token that may only read asked for a change");
        return send(request, reply, MAY_ONLY_READ);
      }
      const read = await readInput(request, operation, connections);
      if (read === null) return reply.hijack();
      if ("answer" in read) return send(request, reply, read.answer);
      const answer = await runOperation(operation, { store, state, admin: store.as(who.name) }, read.input);
      if (method !== "GET") log.info(facts, "operator");
      return send(request, reply, answer);
    },
  });
};

type OperatorInput = ReturnType<typeof inputOf> | null;

/** The fields of path, query and body as one input; null when the client is gone. */
const readInput = async (
  request: FastifyRequest,
  operation: Operation<OperatorContext>,
  connections: Connections,
): Promise<OperatorInput> => {
  // The route's pattern has named these parameters.
  const in_path = request.params as Readonly<Record<string, string>>;
  const { url, raw } = request;
  const sent = { url, raw_headers: raw.rawHeaders, body: Buffer.alloc(0) };
  if (operation.method === "GET") return inputOf(operation, in_path, sent);
  const hasArrived = connections.awaitBody(raw.socket);
  const bytes_max = operation.takes_long_body === true ? LONG_BODY_BYTES_MAX : LIMITS.body_bytes_max;
  const read = await readBytes(raw, { bytes_max, room: () => true });
  hasArrived();
  if (read.kind === "gone") return null;
  if (read.kind !== "body") return { answer: refusals.tooLarge };
  return inputOf(operation, in_path, { ...sent, body: read.body });
};

const refused = (error: unknown, request: FastifyRequest, log: Log): SurfaceResponse => {
  const refusal = refusedBy(error);
  if (refusal !== null) return refusal;
  log.error({ request_id: request.id, error: messageOf(error) }, "operator request failed");
  return error instanceof AssayError && error.retryable ? refusals.storeAway : refusals.internal;
};

const send = (request: FastifyRequest, reply: FastifyReply, { status, body, headers }: SurfaceResponse): unknown => {
  const bytes = body instanceof Prebuilt ? body.bytes : Buffer.from(toJson(body));
  const all = { ...answerHeaders(request.id), ...headers };
  if (status !== 413) return reply.code(status).headers(all).send(bytes);
  reply.hijack();
  return sendAndLinger(request.raw, reply.raw, { status, headers: all, body: bytes });
};
