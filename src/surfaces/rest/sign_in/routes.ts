import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, CallerSurface } from "../../../accounts/meter.ts";
import type { AccountsStore } from "../../../accounts/open.ts";
import { rightsOf } from "../../../accounts/roles.ts";
import type { Session } from "../../../accounts/sessions.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import { LONG_BODY_BYTES_MAX } from "../../hooks/body.ts";
import { pathOf } from "../../http/route_table.ts";
import { LATE } from "../../limits/deadline.ts";
import { inputOf } from "../../operations/input.ts";
import { asOperations, type Operation } from "../../operations/operation.ts";
import { refusedBy, runOperation } from "../../operations/output.ts";
import { type OperatorContext, type OperatorState, operatorOperations } from "../../operator/state.ts";
import * as refusals from "../../refusals.ts";
import { retryAfter } from "../../retry_after.ts";
import { refusal, type SurfaceResponse } from "../../surface_response.ts";
import { AssistantClients, type ReadDocument } from "../assistants/clients.ts";
import { challengeAt } from "../assistants/metadata.ts";
import type { AssistantDesk } from "../assistants/operations.ts";
import { addAssistants } from "../assistants/routes.ts";
import {
  cookieLine,
  cookieOf,
  originOf,
  ownOrigin,
  type PagesSettings,
  refuseForeign,
  refuseUntold,
} from "./browser.ts";
import { operations, type SignInContext } from "./operations.ts";
import { type StrangerParts, strangerBody } from "./stranger_body.ts";

/** The parts that sign-in needs. */
export interface SignInParts {
  readonly store: AccountsStore;
  readonly settings: PagesSettings;
  /** State that operators see besides accounts. */
  readonly state: OperatorState;
  readonly log: Log;
  /** Reads the document of a program that is known by one; null = none is read. */
  readonly readDocument?: ReadDocument | null;
}

/** Prefix of the operators' operations on the public server: there, operators who are signed in may use them where the settings allow it. */
const OPERATOR_PREFIX = "/api";

type By<D extends CallerSurface> =
  | { readonly kind: "caller"; readonly caller: Caller<D> }
  | { readonly kind: "answered"; readonly answer: SurfaceResponse };

/** Requests of one account's pages in a minute; tools count by the plan. */
const PAGE_REQUESTS_PER_MINUTE = 240;

const ENDED = refusal(401, "The session has ended: sign in again");
const NO_ACCOUNT = refusal(403, "This user belongs to no account, and calls no tools");
const MAY_NOT_CALL = refusal(403, "Your role calls no tools: an owner of the account can give you another");
const NO_OPERATOR = refusal(403, "Only operators may do this");

/** Users who sign in on pages: finds the caller of a session cookie, and serves the routes about sessions and those of operators. */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #clients: AssistantClients;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#clients = new AssistantClients(parts.store.assistants.clients, parts.readDocument ?? null);
  }

  /** `WWW-Authenticate` of a 401 of `/mcp`, which shows a program the way to sign in; null where it cannot. */
  challengeOf({ raw }: FastifyRequest, has_token: boolean): string | null {
    const { settings } = this.#parts;
    const origin = settings.assistants.enabled ? ownOrigin(raw.rawHeaders, settings) : null;
    return origin === null ? null : challengeAt(origin, has_token);
  }

  /** The caller by a session cookie; null without one. A request that changes or costs something must show the session's token. */
  async callerOf<D extends CallerSurface>(request: FastifyRequest, door: D): Promise<By<D> | null> {
    const { settings } = this.#parts;
    const secret = cookieOf(request, "session", settings);
    // Other programs speak the protocol of assistants by keys alone.
    if (secret === null || door === "mcp") return null;
    const refusal = refuseForeign(request, settings) ?? (isRead(request, door) ? null : refuseUntold(request, secret));
    if (refusal !== null) return { kind: "answered", answer: refusal };
    const session = await this.#find(secret);
    if (session === null) return { kind: "answered", answer: ENDED };
    const { account_id, plan_id } = session;
    if (account_id === null || plan_id === null) return { kind: "answered", answer: NO_ACCOUNT };
    const { user_id: key_id, calls_per_minute, role } = session;
    const limit_per_minute = door === "account" ? PAGE_REQUESTS_PER_MINUTE : calls_per_minute;
    const scopes = rightsOf(role);
    // The list of tools costs nothing, and the page shows it to every user.
    if (door === "api" && !scopes.includes("api:call") && !isRead(request, door))
      return { kind: "answered", answer: MAY_NOT_CALL };
    return { kind: "caller", caller: { key_id, account_id, plan_id, surface: door, scopes, limit_per_minute } };
  }

  /** The routes about sessions, and those of operators where they are allowed. */
  addRoutes(app: FastifyInstance, parts: StrangerParts): void {
    const { settings, store, readDocument = null } = this.#parts;
    if (settings.assistants.enabled) addAssistants(app, { ...parts, settings, book: store.assistants, readDocument });
    for (const operation of Object.values(asOperations<SignInContext>(operations)))
      this.#route(app, parts, {
        operation,
        url: operation.path,
        serve: (...asked) => this.#signIn(operation, ...asked),
      });
    for (const operation of Object.values(asOperations<OperatorContext>(operatorOperations))) {
      const url = `${OPERATOR_PREFIX}${operation.path}`;
      this.#route(app, parts, { operation, url, serve: (...asked) => this.#operate(operation, ...asked) });
    }
  }

  /** @throws AssayError ACCOUNTS_UNAVAILABLE (retryable) */
  async #find(secret: string): Promise<Session | null> {
    try {
      return await this.#parts.store.sessions.find(secret);
    } catch (cause) {
      throw new AssayError({ code: "ACCOUNTS_UNAVAILABLE", message: "accounts store failed", retryable: true, cause });
    }
  }

  #route(app: FastifyInstance, parts: StrangerParts, { operation, url, serve }: Route): void {
    app.route({
      method: operation.method,
      url: url.replace(/\{(\w+)\}/g, ":$1"),
      handler: async (request, reply) => {
        const answer = await this.#answered({ request, reply, parts, operation, serve });
        return answer === null ? reply.hijack() : parts.responder.send(request, reply, answer);
      },
    });
  }

  /** Null when the client is gone. */
  async #answered({ request, reply, parts, operation, serve }: SignInRequest): Promise<SurfaceResponse | null> {
    const refusal = refuseForeign(request, this.#parts.settings);
    if (refusal !== null) return refusal;
    try {
      const body = operation.method === "GET" ? Buffer.alloc(0) : await this.#body(request, parts, operation);
      if (body === null || !Buffer.isBuffer(body)) return body;
      return await inTime({ request, parts, operation }, () => serve(request, reply, body));
    } catch (error) {
      return refusedBy(error) ?? parts.responder.failure(error, request.id);
    }
  }

  /** Only a signed-in operator may send a long body. */
  async #body(
    request: FastifyRequest,
    parts: StrangerParts,
    { takes_long_body = false }: SignInRequest["operation"],
  ): Promise<Buffer | SurfaceResponse | null> {
    const { settings } = this.#parts;
    const secret = takes_long_body && settings.operators ? cookieOf(request, "session", settings) : null;
    const session = secret === null ? null : await this.#find(secret);
    return strangerBody(request, parts, session?.is_operator === true ? LONG_BODY_BYTES_MAX : undefined);
  }

  async #signIn(
    operation: Operation<SignInContext>,
    ...[request, reply, body]: RouteArguments
  ): Promise<SurfaceResponse> {
    const { settings, store } = this.#parts;
    const secret = cookieOf(request, "session", settings);
    const session = secret === null ? null : await this.#find(secret);
    const present = secret === null || session === null ? null : { session, secret };
    // A user who is not signed in has nothing that a stranger's page could use.
    const untold = present === null || operation.method === "GET" ? null : refuseUntold(request, present.secret);
    if (untold !== null && !OPENING.includes(operation.path)) return untold;
    const read = inputFrom(operation, request, body);
    if ("answer" in read) return read.answer;
    const headers: Record<string, string> = {};
    const set = (kind: "session" | "device", value: string) =>
      void reply.header("set-cookie", cookieLine(kind, value, settings));
    const context: SignInContext = {
      sessions: store.sessions,
      present,
      device: cookieOf(request, "device", settings),
      from: originOf(request, settings),
      operators: settings.operators,
      assistants: this.#assistantDesk(request),
      give(fresh) {
        set("session", fresh?.secret ?? "");
        // A sign-out keeps this cookie: it shows that the browser was signed in here.
        if (fresh !== null) set("device", fresh.device);
      },
      delay(seconds) {
        Object.assign(headers, retryAfter(seconds));
      },
    };
    const answer = await refusedOr(() => runOperation(operation, context, read.input));
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }

  #assistantDesk({ raw }: FastifyRequest): AssistantDesk | null {
    const { settings, store } = this.#parts;
    const origin = settings.assistants.enabled ? ownOrigin(raw.rawHeaders, settings) : null;
    return origin === null
      ? null
      : { accounts: store.accounts, book: store.assistants, clients: this.#clients, origin };
  }

  async #operate(
    operation: Operation<OperatorContext>,
    ...[request, , body]: RouteArguments
  ): Promise<SurfaceResponse> {
    const { settings, store, state, log } = this.#parts;
    if (!settings.operators) return refusals.notFound;
    const secret = cookieOf(request, "session", settings);
    const session = secret === null ? null : await this.#find(secret);
    if (secret === null || session === null) return ENDED;
    if (!session.is_operator) return NO_OPERATOR;
    const untold = operation.method === "GET" ? null : refuseUntold(request, secret);
    if (untold !== null) return untold;
    const read = inputFrom(operation, request, body);
    if ("answer" in read) return read.answer;
    const actor = `user:${session.user_id}`;
    const answer = await runOperation(operation, { store, state, admin: store.as(actor) }, read.input);
    const facts = { request_id: request.id, actor, method: operation.method, path: pathOf(request) };
    if (operation.method !== "GET") log.info(facts, "operator");
    return answer;
  }
}

type RouteArguments = readonly [request: FastifyRequest, reply: FastifyReply, body: Buffer];

interface Route {
  readonly operation: Pick<Operation<never>, "method" | "path" | "takes_long_body">;
  readonly url: string;
  readonly serve: (...asked: RouteArguments) => Promise<SurfaceResponse>;
}

interface SignInRequest extends Pick<Route, "operation" | "serve"> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly parts: StrangerParts;
}

/** Requests that open a session need no token of the present one: it may belong to the previous user of the browser. */
const OPENING: readonly string[] = [operations.begin_session.path, operations.set_up.path, operations.read_link.path];

/** Whether a request only reads what costs nothing. */
const isRead = (request: FastifyRequest, door: CallerSurface): boolean =>
  request.method === "GET" && (door === "account" || pathOf(request) === "/api/tools");

type AnyOperation = Parameters<typeof inputOf>[0];

const inputFrom = (operation: AnyOperation, { params, url, raw }: FastifyRequest, body: Buffer) =>
  // The route's pattern has named these parameters.
  inputOf(operation, params as Readonly<Record<string, string>>, { url, raw_headers: raw.rawHeaders, body });

/**
 * Answers in time, or refuses to begin. The result of a change is in its answer and nowhere else, so it is awaited without a limit; a sign-in
 * is no such change, as the browser may sign in again.
 */
const inTime = async (
  {
    request,
    parts: { responder },
    operation: { method, path },
  }: Pick<SignInRequest, "request" | "parts" | "operation">,
  serve: () => Promise<SurfaceResponse>,
): Promise<SurfaceResponse> => {
  const { deadline } = request.context;
  if (!deadline.mayBegin()) return responder.tooLate();
  const may_be_left = method === "GET" || path === operations.begin_session.path;
  const answer = may_be_left ? await deadline.wait(serve()) : await serve();
  return answer === LATE ? responder.tooLate() : answer;
};

const refusedOr = async (run: () => Promise<SurfaceResponse>): Promise<SurfaceResponse> => {
  try {
    return await run();
  } catch (error) {
    const refusal = refusedBy(error);
    if (refusal !== null) return refusal;
    throw error;
  }
};
