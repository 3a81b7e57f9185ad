import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, CallerSurface, CreditStatus, Meter } from "../accounts/meter.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Transport } from "./http/transport.ts";
import { type HttpResponse, responseOf, writeResponse } from "./http_response.ts";
import type { Admission, ShedReason } from "./limits/admission.ts";
import { type Deadline, LATE } from "./limits/deadline.ts";
import * as refusals from "./refusals.ts";
import type { SurfaceResponse } from "./surface_response.ts";

interface ResponderParts {
  readonly meter: Meter;
  readonly admission: Admission;
  readonly transport: Transport;
  readonly onShed: (why: ShedReason) => void;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** How long after its deadline a request still waits for the figures of its credit headers. */
const CREDITS_BEYOND_MS = 1_500;

/** Sends answers: with the credits of the caller where there is one, in time, or refunded. */
export class Responder {
  readonly #parts: ResponderParts;
  /** Credits of accounts that are being read. */
  readonly #reading = new Map<string, Promise<CreditStatus | null>>();

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /** Sends an answer without credit headers: the caller is not known, or the answer is the same for all. */
  readonly send = (request: FastifyRequest, reply: FastifyReply, answer: SurfaceResponse): unknown =>
    this.#write({ request, reply }, responseOf(answer, request.id, false), "");

  /** Refuses a request whose caller is not known. */
  async refuse(request: FastifyRequest, reply: FastifyReply, answer: SurfaceResponse): Promise<unknown> {
    await this.#pace(answer, request.context.deadline);
    return this.send(request, reply, answer);
  }

  /**
   * Answers an authenticated caller. A charged answer is sent in time or refunded: nothing waits between the last check of the deadline and
   * the write.
   * @param answer null when the client is gone, or was answered already.
   */
  async respond(request: FastifyRequest, reply: FastifyReply, answer: SurfaceResponse | null): Promise<unknown> {
    const { id, context } = request;
    const { caller, deadline } = context;
    context.releaseBody();
    if (answer === null) return reply.hijack();
    if (caller === null) return this.send(request, reply, answer);
    const credit_status = answer.credit_status ?? (await this.creditStatus(caller, deadline));
    await this.#pace(answer, deadline);
    const response = responseOf({ ...answer, credit_status }, id, true);
    const late = answer.retract !== undefined && !deadline.mayWrite() ? await this.#retract(answer.retract, id) : null;
    context.credits = (late ?? answer).charged;
    const sent = late === null ? response : responseOf(late, id, true);
    return this.#write({ request, reply }, sent, caller.account_id);
  }

  /** The refusal of a request that has too little time left. */
  tooLate(): SurfaceResponse {
    this.#parts.onShed("deadline");
    return refusals.tooLate;
  }

  /** The answer to an error, which is logged. */
  readonly failure = (error: unknown, request_id: string): SurfaceResponse => {
    const facts = { request_id, error: messageOf(error) };
    const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : undefined;
    this.#parts.log.error(
      { ...facts, cause, stack: error instanceof Error ? error.stack : undefined },
      "request failed",
    );
    return error instanceof AssayError && error.retryable ? refusals.storeAway : refusals.internal;
  };

  /** The error handler of the app. */
  readonly fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown =>
    this.respond(request, reply, this.failure(error, request.id));

  /**
   * The credits that the account has left; null when the store is away or too slow. Requests of one account share a read that is under way: a
   * refusal must not cost the store as much as a call.
   */
  readonly creditStatus = async (caller: Caller<CallerSurface>, deadline: Deadline): Promise<CreditStatus | null> => {
    const { account_id } = caller;
    const reading = this.#reading.get(account_id) ?? this.#readCredits(caller);
    this.#reading.set(account_id, reading);
    const credit_status = await deadline.wait(reading, CREDITS_BEYOND_MS);
    return credit_status === LATE ? null : credit_status;
  };

  async #readCredits(caller: Caller<CallerSurface>): Promise<CreditStatus | null> {
    try {
      return await this.#parts.meter.standing(caller);
    } catch (error) {
      this.#parts.log.warn({ error: messageOf(error) }, "the credits of an account could not be read");
      return null;
    } finally {
      this.#reading.delete(caller.account_id);
    }
  }

  async #retract(retract: () => Promise<SurfaceResponse>, request_id: string): Promise<SurfaceResponse> {
    try {
      return await retract();
    } catch (error) {
      return this.failure(error, request_id);
    }
  }

  /** Delays a refusal while the event loop is late. */
  async #pace({ status }: SurfaceResponse, deadline: Deadline): Promise<void> {
    const pace_ms = status < 400 ? 0 : this.#parts.admission.pace_ms(deadline);
    if (pace_ms > 0) await sleep(pace_ms);
  }

  #write(
    exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    response: HttpResponse,
    account_id: string,
  ): unknown {
    const { admission, transport, stopping } = this.#parts;
    const headers = stopping.aborted ? { ...response.headers, connection: "close" } : response.headers;
    const onWaiting = (bytes: number) => admission.memory.take(account_id, bytes);
    return writeResponse(exchange, { ...response, headers }, { transport, onWaiting });
  }
}
