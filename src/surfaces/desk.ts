import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import type { Caller, Catalog, CreditStatus, Door, Meter, Surface } from "../accounts/meter.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { HolderDesk } from "./account/operations.ts";
import { mustHaveRight, type OwnOperation } from "./account/rights.ts";
import { watchOperations } from "./account/watch_operations.ts";
import type { Admission, Shed } from "./admission.ts";
import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";
import { type Call, type CallParts, callTool } from "./call.ts";
import type { GivenAnswers } from "./charts/given.ts";
import { drawGiven, readWish } from "./charts/picture.ts";
import type { Document } from "./documents.ts";
import { readEnvelope, valuesOf } from "./envelope.ts";
import type { Mcp } from "./mcp.ts";
import { inputOf } from "./operations/input.ts";
import { refusedBy, runOperation } from "./operations/output.ts";
import type { RequestNotes } from "./request_log.ts";
import type { People } from "./sign_in/desk.ts";
import { LATE, type TimeLeft } from "./time_left.ts";
import type { Transport } from "./transport.ts";
import { readView, viewed } from "./view/asked.ts";
import type { Compact } from "./view/compact.ts";
import type { WatchStreams } from "./watch_stream.ts";
import { withBody } from "./with_body.ts";
import { type Letter, letterOf, type Sender } from "./written.ts";

export interface DeskParts {
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** Their compact forms, by name. */
  readonly compact: ReadonlyMap<string, Compact>;
  readonly meter: Meter;
  readonly store: HolderDesk["store"];
  /** Who asks by the cookie of a session instead of a key; null where nobody can sign in. */
  readonly people: Pick<People, "callerOf"> | null;
  /** What was just answered, to be drawn. */
  readonly given: GivenAnswers;
  readonly watch: HolderDesk["watch"];
  readonly streams: WatchStreams;
  readonly admission: Admission;
  readonly transport: Transport;
  readonly body_bytes_max: number;
  readonly discovery: (catalog: Catalog) => Document;
  readonly callParts: () => CallParts;
  /** Hands an answer over; what waits of it for its client is held for the account. */
  readonly post: (to: Sender, letter: Letter, account_id: string) => unknown;
  /** The answer to a throw, which is logged. */
  readonly broken: (error: unknown, request_id: string) => Answer;
  readonly shed: (why: Shed) => void;
  readonly notes: RequestNotes;
  readonly log: Log;
}

/** A request of a caller who is known. */
interface Asked<D extends Door = Surface> {
  readonly request: FastifyRequest;
  readonly caller: Caller<D>;
  readonly time: TimeLeft;
}

/** What a caller gets; null when nobody is left to answer. */
type Serve<D extends Door = Surface> = (asked: Asked<D>) => Promise<Answer | null>;

/** How long after its deadline a request still waits for what its headers tell. */
const STANDING_BEYOND_MS = 1_500;

/** Where callers are served who have a key: each request in its time, its body before its slot. */
export class Desk {
  readonly #parts: DeskParts;
  /** What accounts have left, while it is being read. */
  readonly #standings = new Map<string, Promise<CreditStatus | null>>();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** `GET /api/tools` */
  list(to: Sender, time: TimeLeft): Promise<unknown> {
    return this.#signed(to, time, ["api", (asked) => this.#admitted(asked, this.#list)]);
  }

  /** `POST /api/tools/:tool_name` */
  run(to: Sender, time: TimeLeft): Promise<unknown> {
    return this.#signed(to, time, ["api", (asked) => this.#admitted(asked, this.#run)]);
  }

  /** `GET /api/charts/:tool_name` */
  draw(to: Sender, time: TimeLeft): Promise<unknown> {
    return this.#signed(to, time, ["api", (asked) => this.#admitted(asked, this.#draw)]);
  }

  /** `POST /mcp`, by which tools are called as they are over REST. */
  speak(to: Sender, time: TimeLeft, mcp: Mcp): Promise<unknown> {
    return this.#signed(to, time, ["mcp", (asked) => this.#speak(asked, mcp)]);
  }

  /** An operation on the caller's own account. */
  keep(to: Sender, time: TimeLeft, named: OwnOperation): Promise<unknown> {
    return this.#signed(to, time, ["account", (asked) => this.#admitted(asked, (one) => this.#keep(one, named))]);
  }

  /** `GET /api/watch/events` */
  stream(to: Sender, time: TimeLeft): Promise<unknown> {
    return this.#signed(to, time, ["account", (asked) => this.#admitted(asked, (one) => this.#stream(one, to))]);
  }

  /** The one way to a slot, for every surface. */
  readonly call = async (call: Call): Promise<Answer> => {
    const [{ account_id }, parts] = [call.caller, this.#parts.callParts()];
    this.#parts.notes.called(call, parts.chains);
    const answer = await this.#parts.admission.gate.run(account_id, () => callTool(call, parts));
    return this.#parts.given.note({ ...call, tool: call.tool.name, account_id }, answer);
  };

  /**
   * Null when the store is away or too slow: the answer then goes out without what it would tell. Who asks while the same is
   * being read gets that: a refusal must not cost the store as much as a call.
   */
  readonly standing = async (caller: Caller<Door>, time: TimeLeft): Promise<CreditStatus | null> => {
    const { account_id } = caller;
    const reading = this.#standings.get(account_id) ?? this.#readStanding(caller);
    this.#standings.set(account_id, reading);
    const standing = await time.wait(reading, STANDING_BEYOND_MS);
    return standing === LATE ? null : standing;
  };

  async #readStanding(caller: Caller<Door>): Promise<CreditStatus | null> {
    try {
      return await this.#parts.meter.standing(caller);
    } catch (error) {
      this.#parts.log.warn({ error: messageOf(error) }, "standing could not be read");
      return null;
    } finally {
      this.#standings.delete(caller.account_id);
    }
  }

  /** Authentication, then what the route does; credit headers on whatever comes out. */
  async #signed<D extends Door>(to: Sender, time: TimeLeft, [door, serve]: readonly [D, Serve<D>]): Promise<unknown> {
    const { request, reply } = to;
    // It waited unseen until too little of its time was left: the sooner it is refused the less the others wait.
    if (!time.mayBegin()) return this.#refuse(to, time, this.#tooLate());
    const authentication = await time.wait(this.#whoAsks(request, door));
    if (authentication === LATE) return this.#refuse(to, time, this.#tooLate());
    if (authentication.kind === "refused") return this.#refuse(to, time, answers.unauthorized(authentication.cause));
    if (authentication.kind === "answered") return this.#refuse(to, time, authentication.answer);
    const { caller } = authentication;
    this.#parts.notes.add(time, { account: caller.account_id });
    const answer = await this.#unbroken(request.id, () => serve({ request, caller, time }));
    if (answer === null) return reply.hijack();
    const standing = answer.standing ?? (await this.standing(caller, time));
    return this.#answer(to, { ...answer, standing }, { caller, time });
  }

  /** Whoever sends a key is asked for nothing else. */
  async #whoAsks<D extends Door>(request: FastifyRequest, door: D) {
    const { people, meter } = this.#parts;
    const values = valuesOf(request.raw.rawHeaders, "authorization");
    const signed_in = values.length === 0 ? await people?.callerOf(request, door) : null;
    return signed_in ?? meter.authenticate(values.length === 1 ? values[0] : undefined, door);
  }

  async #refuse(to: Sender, time: TimeLeft, answer: Answer): Promise<unknown> {
    await this.#pace(answer, time);
    return this.#parts.post(to, letterOf(answer, to.request.id, false), "");
  }

  /** What was charged goes out in time, or is given back: between the last look at the time and the writing nothing waits. */
  async #answer(to: Sender, answer: Answer, { caller, time }: Omit<Asked<Door>, "request">): Promise<unknown> {
    const { id } = to.request;
    await this.#pace(answer, time);
    const letter = letterOf(answer, id, true);
    const late = answer.retract !== undefined && !time.mayWrite() ? await this.#unbroken(id, answer.retract) : null;
    this.#parts.notes.add(time, { credits: (late ?? answer).charged });
    return this.#parts.post(to, late === null ? letter : letterOf(late, id, true), caller.account_id);
  }

  /** Keeps a refusal back while the event loop is late. */
  async #pace({ status }: Answer, time: TimeLeft): Promise<void> {
    const pace_ms = status < 400 ? 0 : this.#parts.admission.pace_ms(time);
    if (pace_ms > 0) await sleep(pace_ms);
  }

  async #unbroken<A extends Answer | null>(request_id: string, serve: () => Promise<A>): Promise<A | Answer> {
    try {
      return await serve();
    } catch (error) {
      return this.#parts.broken(error, request_id);
    }
  }

  async #admitted<D extends Door>(asked: Asked<D>, next: Serve<D>): Promise<Answer | null> {
    const { caller, time } = asked;
    const admitted = await time.wait(this.#parts.meter.admit(caller));
    if (admitted === LATE) return this.#tooLate();
    return admitted ? next(asked) : answers.rateLimited(caller.limit_per_minute);
  }

  #tooLate(): Answer {
    this.#parts.shed("deadline");
    return answers.tooLate;
  }

  readonly #list = async ({ time }: Asked): Promise<Answer> => {
    const catalog = await time.wait(this.#parts.meter.catalog());
    if (catalog === LATE) return this.#tooLate();
    return { status: 200, body: this.#parts.discovery(catalog), charged: 0, standing: null };
  };

  readonly #run = async (asked: Asked): Promise<Answer | null> => {
    const { request, caller, time } = asked;
    // The route's pattern has exactly this parameter.
    const { tool_name } = request.params as { readonly tool_name: string };
    const tool = this.#parts.tools.get(tool_name);
    if (tool === undefined || !this.#parts.meter.isPublic(tool_name)) return answers.unknownTool(tool_name);
    return this.#withBody(asked, async (body) => {
      const { rawHeaders } = request.raw;
      const view = readView(request.raw.url ?? "");
      const envelope = readEnvelope(rawHeaders, body);
      if (envelope.kind === "unreadable") return answers.unreadable;
      const items = [
        ...(typeof view === "string" ? [] : [view]),
        ...(envelope.kind === "invalid" ? envelope.items : []),
      ];
      if (envelope.kind === "invalid" || items.length > 0) return answers.invalidEnvelope(items);
      const { args, idempotency_key } = envelope;
      const catalog_version = valuesOf(rawHeaders, "x-credit-catalog-version").at(-1) ?? null;
      const call = { tool, caller, args, idempotency_key, catalog_version, request_id: request.id, time };
      const compact = view === "compact" ? (this.#parts.compact.get(tool_name) ?? null) : null;
      return viewed(await this.call(call), compact);
    });
  };

  readonly #draw = async ({ request, caller }: Asked): Promise<Answer> => {
    // The route's pattern has exactly this parameter.
    const { tool_name: tool } = request.params as { readonly tool_name: string };
    if (!this.#parts.tools.has(tool) || !this.#parts.meter.isPublic(tool)) return answers.unknownTool(tool);
    const wish = readWish(request.raw.url ?? "");
    if (!("request_id" in wish)) return answers.invalidEnvelope(wish);
    return drawGiven(this.#parts.given, { account_id: caller.account_id, tool }, wish);
  };

  async #keep(asked: Asked<"account">, { id, operation }: OwnOperation): Promise<Answer | null> {
    const { request, caller, time } = asked;
    const { store, watch } = this.#parts;
    const { url, raw } = request;
    // The route's pattern has named these parameters.
    const in_path = request.params as Readonly<Record<string, string>>;
    const run = async (body: Buffer): Promise<Answer> => {
      const read = inputOf(operation, in_path, { url, raw_headers: raw.rawHeaders, body });
      if ("answer" in read) return read.answer;
      try {
        // Where nothing is watched, every caller is told that.
        if (watch !== null || !(id in watchOperations)) mustHaveRight(caller, id);
        const running = runOperation(operation, { store, caller, watch }, read.input);
        // A change is waited for however long it takes: what it made is in its answer and nowhere else.
        const answer = operation.method === "GET" ? await time.wait(running) : await running;
        return answer === LATE ? this.#tooLate() : answer;
      } catch (error) {
        const refusal = refusedBy(error);
        if (refusal !== null) return refusal;
        throw error;
      }
    };
    return operation.method === "GET" ? run(Buffer.alloc(0)) : this.#withBody(asked, run);
  }

  async #stream({ request, caller }: Asked<"account">, { reply }: Sender): Promise<Answer | null> {
    const { store, watch, streams } = this.#parts;
    const { rawHeaders, url = "" } = request.raw;
    const after = new URLSearchParams(url.split("?", 2)[1] ?? "").get("after");
    const last = valuesOf(rawHeaders, "last-event-id").at(-1) ?? after;
    const desk = { store, caller, watch };
    const again = async () => {
      const who = await this.#whoAsks(request, "account");
      return who.kind === "caller" ? who.caller : null;
    };
    try {
      return await streams.begin({ desk, again, last, request_id: request.id, response: reply.raw });
    } catch (error) {
      const refusal = refusedBy(error);
      if (refusal !== null) return refusal;
      throw error;
    }
  }

  #speak(asked: Asked, mcp: Mcp): Promise<Answer | null> {
    const { request, caller, time } = asked;
    const { rawHeaders: raw_headers } = request.raw;
    return this.#withBody(asked, (body) => mcp.answer({ raw_headers, body, caller, request_id: request.id, time }));
  }

  async #withBody({ request, caller }: Asked<Door>, next: (body: Buffer) => Promise<Answer>): Promise<Answer | null> {
    return withBody({ raw: request.raw, account_id: caller.account_id, parts: this.#parts }, next);
  }
}
