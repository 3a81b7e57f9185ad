import { randomUUID } from "node:crypto";
import { METHODS } from "node:http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type * as z from "zod";
import type { AccountsStore } from "../../accounts/open.ts";
import { AssayError, messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Answer } from "../answer.ts";
import * as answers from "../answer.ts";
import { readBytes, sendAndLinger } from "../body.ts";
import { type EnvelopeItem, readEnvelope, valuesOf } from "../envelope.ts";
import { toJson } from "../json.ts";
import { shared } from "../ops.ts";
import { answerHeaders, TRANSPORT_LIMITS, Transport, type TransportLimits } from "../transport.ts";
import { operatorOpenapi } from "./openapi.ts";
import { type Operation, operations } from "./operations.ts";
import { type Actor, actorOf, type OperatorToken } from "./tokens.ts";

const OPENAPI_PATH = "/operator/openapi.json";

export interface OperatorServer {
  /** @returns the address that was bound, `http://host:port`. Port 0 picks a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  close(): Promise<void>;
}

interface OperatorParts {
  readonly store: AccountsStore;
  readonly tokens: readonly OperatorToken[];
  readonly log: Log;
}

const BAD_TOKEN = answers.refusal(
  401,
  "The operator token is missing or not valid: send 'Authorization: Bearer <OPERATOR_TOKEN>'",
  { "www-authenticate": "Bearer" },
);

const MAY_ONLY_READ = answers.refusal(403, "This operator token may only read: the change was not made");

/** Few people and their programs: who opens more connections than these loses the one that waits longest. */
const LIMITS: TransportLimits = { ...TRANSPORT_LIMITS, connections_max: 256 };

/** Statuses of what the accounts refuse; anything else that they refuse is 422. */
const STATUS: Readonly<Record<string, number>> = {
  UNKNOWN_ACCOUNT: 404,
  UNKNOWN_KEY: 404,
  UNKNOWN_TOOL: 404,
  KEY_LIMIT: 409,
  KEY_REVOKED: 409,
  BAD_NAME: 422,
  BAD_PLAN: 422,
  BAD_CREDITS: 422,
  BAD_KEY: 422,
};

/** The operator API over a listener of its own. Nothing on it answers without a token. */
export const openOperatorServer = (parts: OperatorParts): OperatorServer => {
  const transport = new Transport(LIMITS);
  const app = fastify({
    http: { maxHeaderSize: LIMITS.header_bytes_max, requireHostHeader: false, connectionsCheckingInterval: 1_000 },
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler: transport.onClientError,
    frameworkErrors: (_error, request, reply) => send(request, reply, answers.notFound),
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
  app.addHook("onSend", async (request, reply) => transport.handed(reply.raw, request.raw.socket, () => undefined));
  app.setNotFoundHandler((request, reply) => send(request, reply, nowhere(request.url)));
  app.setErrorHandler((error, request, reply) => send(request, reply, refused(error, request, parts.log)));
  // Its input is parsed by its own schema before it runs.
  for (const operation of Object.values(operations))
    addRoute(app, operation as unknown as Operation, { ...parts, store, actor });
  const document = operatorOpenapi();
  app.get(OPENAPI_PATH, (request, reply) => send(request, reply, ok(document)));
  return { listen: (address) => app.listen(address), close: () => app.close() };
};

/** Each path with the methods that it answers to. */
const ROUTES = [...Object.values(operations), { path: OPENAPI_PATH, method: "GET" }].map(({ path, method }) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  method,
}));

const nowhere = (url: string): Answer => {
  const path = url.split("?", 1)[0] ?? "";
  const allow = ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return allow.length === 0 ? answers.notFound : answers.methodNotAllowed(allow.join(", "));
};

const ok = (body: unknown): Answer => ({ status: 200, body, charged: 0, standing: null });

const addRoute = (
  app: FastifyInstance,
  operation: Operation,
  { store, log, actor }: OperatorParts & { readonly actor: (authorization: string | undefined) => Actor | null },
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
      const read = await readInput(request, operation);
      if (read === null) return reply.hijack();
      if ("answer" in read) return send(request, reply, read.answer);
      const output = await operation.run({ store, admin: store.as(who.name) }, read.input);
      if (method !== "GET") log.info(facts, "operator");
      return send(request, reply, ok(operation.output.parse(output)));
    },
  });
};

type Read = { readonly input: Record<string, unknown> } | { readonly answer: Answer } | null;

/** The fields of path, query and body as one input; null when the client is gone. */
const readInput = async (request: FastifyRequest, operation: Operation): Promise<Read> => {
  // The route's pattern has named these parameters.
  const in_path = request.params as Readonly<Record<string, string>>;
  if (operation.method === "GET") return judge(operation, { ...queryOf(request.url), ...in_path }, in_path);
  const read = await readBytes(request.raw, { bytes_max: LIMITS.body_bytes_max, room: () => true });
  if (read.kind === "gone") return null;
  if (read.kind !== "body") return { answer: answers.tooLarge };
  const takes_body = Object.keys(operation.input.shape).some((name) => !(name in in_path));
  const is_bare = read.body.length === 0 && (!takes_body || operation.input.safeParse(in_path).success);
  if (is_bare) return judge(operation, { ...in_path }, in_path);
  const envelope = readEnvelope(request.raw.rawHeaders, read.body);
  if (envelope.kind === "unreadable") return { answer: answers.unreadable };
  if (envelope.kind === "invalid") return { answer: answers.invalidEnvelope(envelope.items) };
  const twice = Object.keys(envelope.args).filter((name) => name in in_path);
  const loc = twice.map((name) => ({
    type: "extra_forbidden",
    loc: ["body", name],
    msg: "Stands in the path already",
  }));
  if (loc.length > 0) return { answer: answers.invalidEnvelope(loc) };
  return judge(operation, { ...envelope.args, ...in_path }, in_path);
};

/** Whole numbers of a query are numbers; everything else is text. */
const queryOf = (url: string): Record<string, unknown> => {
  const query = new URLSearchParams(url.split("?", 2)[1] ?? "");
  return Object.fromEntries([...query].map(([name, text]) => [name, /^\d{1,15}$/.test(text) ? Number(text) : text]));
};

const judge = (
  operation: Operation,
  value: Readonly<Record<string, unknown>>,
  in_path: Readonly<Record<string, string>>,
): Read => {
  const parsed = operation.input.safeParse(value);
  if (parsed.success) return { input: parsed.data };
  const rest = operation.method === "GET" ? "query" : "body";
  return { answer: answers.invalidEnvelope(parsed.error.issues.flatMap((issue) => itemsOf(issue, rest, in_path))) };
};

const itemsOf = (
  issue: z.core.$ZodIssue,
  rest: "query" | "body",
  in_path: Readonly<Record<string, string>>,
): readonly EnvelopeItem[] => {
  const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((name) => ({ type: "extra_forbidden", loc: [rest, ...path, name], msg: "Unknown field" }));
  const where = String(path[0]) in in_path ? "path" : rest;
  return [{ type: issue.code, loc: [where, ...path], msg: issue.message }];
};

const refused = (error: unknown, request: FastifyRequest, log: Log): Answer => {
  const status = error instanceof AssayError ? STATUS[error.code] : undefined;
  if (error instanceof AssayError && status !== undefined) return answers.refusal(status, error.public);
  log.error({ request_id: request.id, error: messageOf(error) }, "operator request failed");
  return error instanceof AssayError && error.retryable ? answers.storeAway : answers.internal;
};

const send = (request: FastifyRequest, reply: FastifyReply, { status, body, headers }: Answer): unknown => {
  const bytes = Buffer.from(toJson(body));
  const all = { ...answerHeaders(request.id), ...headers };
  if (status !== 413) return reply.code(status).headers(all).send(bytes);
  reply.hijack();
  return sendAndLinger(request.raw, reply.raw, { status, headers: all, body: bytes });
};
