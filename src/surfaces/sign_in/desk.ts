import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Door } from "../../accounts/meter.ts";
import type { AccountsStore } from "../../accounts/open.ts";
import { rightsOf } from "../../accounts/roles.ts";
import type { Session } from "../../accounts/sessions.ts";
import { AssayError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Answer } from "../answer.ts";
import * as answers from "../answer.ts";
import { readBytes } from "../body.ts";
import type { Connections } from "../connections.ts";
import type { Held } from "../held.ts";
import { inputOf } from "../operations/input.ts";
import { asOperations, type Operation } from "../operations/operation.ts";
import { refusedBy, runOperation } from "../operations/output.ts";
import { type OperatorDesk, type OperatorState, operatorOperations } from "../operator/state.ts";
import { OPERATOR_PREFIX, pathOf } from "../routes.ts";
import { LATE, type TimeLeft } from "../time_left.ts";
import { cookieLine, cookieOf, originOf, type PagesSettings, refuseForeign, refuseUntold } from "./browser.ts";
import { operations, type SignInDesk } from "./operations.ts";

/** What pages of people who sign in need. */
export interface PeopleParts {
  readonly store: AccountsStore;
  readonly settings: PagesSettings;
  /** What operators see besides accounts. */
  readonly state: OperatorState;
  readonly log: Log;
}

interface Way {
  /** Hands an answer over. */
  readonly send: (request: FastifyRequest, reply: FastifyReply, answer: Answer) => unknown;
  readonly broken: (error: unknown, request_id: string) => Answer;
  readonly held: Held;
  /** The time that a request has, from its arrival. */
  readonly timeOf: (request: FastifyRequest) => TimeLeft;
  /** Too little is left of it for the request to be begun, or to be answered. */
  readonly tooLate: () => Answer;
  /** Of the connections, so that one that waits for a body is the first to give way. */
  readonly connections: Connections;
}

type By<D extends Door> =
  | { readonly kind: "caller"; readonly caller: Caller<D> }
  | { readonly kind: "answered"; readonly answer: Answer };

/** Requests of one account's pages in a minute; tools count by the plan. */
const PAGE_REQUESTS_PER_MINUTE = 240;

const ENDED = answers.refusal(401, "The session has ended: sign in again");
const NO_ACCOUNT = answers.refusal(403, "This user belongs to no account, and calls no tools");
const MAY_NOT_CALL = answers.refusal(403, "Your role calls no tools: an owner of the account can give you another");
const CROWDED = answers.refusal(503, "Too many users are signing in. Try again in a moment.", {
  connection: "close",
});
const NO_OPERATOR = answers.refusal(403, "Only operators may do this");

/** People who are signed in: whose a request is by its cookie, and what they ask about their sessions or as operators. */
export class People {
  readonly #parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** Who asks by a cookie of ours; null without one. What changes or costs something must show the session's token. */
  async callerOf<D extends Door>(request: FastifyRequest, door: D): Promise<By<D> | null> {
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
  serve(app: FastifyInstance, way: Way): void {
    for (const operation of Object.values(asOperations<SignInDesk>(operations)))
      this.#route(app, way, { operation, url: operation.path, serve: (...asked) => this.#signIn(operation, ...asked) });
    for (const operation of Object.values(asOperations<OperatorDesk>(operatorOperations))) {
      const url = `${OPERATOR_PREFIX}${operation.path}`;
      this.#route(app, way, { operation, url, serve: (...asked) => this.#operate(operation, ...asked) });
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

  #route(app: FastifyInstance, way: Way, { operation, url, serve }: Route): void {
    app.route({
      method: operation.method,
      url: url.replace(/\{(\w+)\}/g, ":$1"),
      handler: async (request, reply) => {
        const answer = await this.#answered({ request, reply, way, operation, serve });
        return answer === null ? reply.hijack() : way.send(request, reply, answer);
      },
    });
  }

  /** Null when the client is gone. */
  async #answered({ request, reply, way, operation, serve }: Asked): Promise<Answer | null> {
    const refusal = refuseForeign(request, this.#parts.settings);
    if (refusal !== null) return refusal;
    try {
      const body = operation.method === "GET" ? Buffer.alloc(0) : await bodyOf(request, way);
      if (body === null || !Buffer.isBuffer(body)) return body;
      return await inTime({ request, way, operation }, () => serve(request, reply, body));
    } catch (error) {
      return refusedBy(error) ?? way.broken(error, request.id);
    }
  }

  async #signIn(operation: Operation<SignInDesk>, ...[request, reply, body]: Served): Promise<Answer> {
    const { settings, store } = this.#parts;
    const secret = cookieOf(request, "session", settings);
    const session = secret === null ? null : await this.#find(secret);
    const present = secret === null || session === null ? null : { session, secret };
    // Who is not signed in has nothing that a stranger's page could use.
    const untold = present === null || operation.method === "GET" ? null : refuseUntold(request, present.secret);
    if (untold !== null && !OPENING.includes(operation.path)) return untold;
    const read = inputFrom(operation, request, body);
    if ("answer" in read) return read.answer;
    const headers: Record<string, string> = {};
    const set = (kind: "session" | "device", value: string) =>
      void reply.header("set-cookie", cookieLine(kind, value, settings));
    const desk: SignInDesk = {
      sessions: store.sessions,
      present,
      device: cookieOf(request, "device", settings),
      from: originOf(request, settings),
      operators: settings.operators,
      give(fresh) {
        set("session", fresh?.secret ?? "");
        // What a sign-out leaves: the browser has been signed in here.
        if (fresh !== null) set("device", fresh.device);
      },
      delay(seconds) {
        headers["retry-after"] = String(seconds);
      },
    };
    const answer = await refusedOr(() => runOperation(operation, desk, read.input));
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }

  async #operate(operation: Operation<OperatorDesk>, ...[request, , body]: Served): Promise<Answer> {
    const { settings, store, state, log } = this.#parts;
    if (!settings.operators) return answers.notFound;
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

type Served = readonly [request: FastifyRequest, reply: FastifyReply, body: Buffer];

interface Route {
  readonly operation: Pick<Operation<never>, "method" | "path">;
  readonly url: string;
  readonly serve: (...asked: Served) => Promise<Answer>;
}

interface Asked extends Pick<Route, "operation" | "serve"> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly way: Way;
}

/** What gives the browser a session asks for no token of the one that it has: it may be the one of somebody before. */
const OPENING: readonly string[] = [operations.begin_session.path, operations.set_up.path, operations.read_link.path];

/** Whether a request only reads what costs nothing. */
const isRead = (request: FastifyRequest, door: Door): boolean =>
  request.method === "GET" && (door === "account" || pathOf(request) === "/api/tools");

type AnyOperation = Parameters<typeof inputOf>[0];

const inputFrom = (operation: AnyOperation, { params, url, raw }: FastifyRequest, body: Buffer) =>
  // The route's pattern has named these parameters.
  inputOf(operation, params as Readonly<Record<string, string>>, { url, raw_headers: raw.rawHeaders, body });

/** Nothing that is said here is longer. */
const BODY_BYTES_MAX = 16_384;
/** Whose part of the memory is what strangers send who sign in. */
const STRANGERS = "sign-in";

/** The body; the refusal of a too large one, or of one too many; null when the client is gone. */
const bodyOf = async ({ raw }: FastifyRequest, { held, connections }: Way): Promise<Buffer | Answer | null> => {
  let bytes = 0;
  const room = (more: number): boolean => {
    if (held.isFull(STRANGERS)) return false;
    held.take(STRANGERS, more);
    bytes += more;
    return true;
  };
  const hasSent = connections.asks(raw.socket);
  try {
    const read = await readBytes(raw, { bytes_max: BODY_BYTES_MAX, room });
    if (read.kind === "gone") return null;
    if (read.kind === "crowded") return CROWDED;
    return read.kind === "body" ? read.body : answers.tooLarge;
  } finally {
    hasSent();
    held.give(STRANGERS, bytes);
  }
};

/**
 * What is begun in time is answered in time. A change is waited for however long it takes: what it gives is in its answer and
 * nowhere else. A sign-in is no such change: the browser may sign in again.
 */
const inTime = async (
  { request, way: { timeOf, tooLate }, operation: { method, path } }: Pick<Asked, "request" | "way" | "operation">,
  serve: () => Promise<Answer>,
): Promise<Answer> => {
  const time = timeOf(request);
  if (!time.mayBegin()) return tooLate();
  const may_be_left = method === "GET" || path === operations.begin_session.path;
  const answer = may_be_left ? await time.wait(serve()) : await serve();
  return answer === LATE ? tooLate() : answer;
};

const refusedOr = async (run: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await run();
  } catch (error) {
    const refusal = refusedBy(error);
    if (refusal !== null) return refusal;
    throw error;
  }
};
