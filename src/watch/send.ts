/** Sends due webhooks: signed, through the guarded HTTP client, retried until accepted or expired. */
import type { Delivery, DeliveryOutcome, WatchDeliveries } from "../accounts/watch/deliveries.ts";
import { messageOf } from "../lib/errors.ts";
import { FairShare, RateBudget } from "../lib/fair_share.ts";
import type { Log } from "../lib/log.ts";
import type { Web } from "../web/web.ts";
import { Breakers } from "./breaker.ts";
import { signatureHeaders } from "./sign.ts";

/** Slots for deliveries in flight: one reserved per account, and some shared. */
const SLOTS = { shared: 32, per_account: 4, accounts: 512 };
/** Slots for attempts at receivers that keep failing: one per account, few in total. */
const PROBE_SLOTS = { shared: 0, per_account: 1, accounts: 8 };
/** Timeout of such a receiver. */
const PROBE_MS = 3_000;
/** Pause before retrying an attempt that found no free slot. */
const PROBE_AGAIN_MS = 1_000;
const BREAKER_FAILURES = 3;
const BREAKER_PAUSE_MAX_MS = 60_000;
const MINUTE_MS = 60_000;
/** Status with which a receiver ends its rule. */
const GONE = 410;
const TOO_MANY = 429;
const SERVER_FAULT = 500;

export interface SenderOptions {
  readonly deliveries: WatchDeliveries;
  /** The guarded HTTP client; null when nothing may be sent. */
  readonly web: Web | null;
  readonly now_ms: () => number;
  /** Random number in [0, 1). */
  readonly random: () => number;
  /** Maximum attempts of one account per minute. */
  readonly per_minute: number;
  /** Pause before the second attempt, and the maximum pause. */
  readonly retry_first_ms: number;
  readonly retry_most_ms: number;
  /** Counted from the first attempt. */
  readonly horizon_ms: number;
  readonly log: Log;
  /** Called with the outcome of each attempt. */
  readonly count: (ending: DeliveryOutcome["kind"]) => void;
  /** Called between steps; tests kill the process there. */
  readonly step?: (name: "sent" | "noted") => void;
}

type WebhookResponse = Awaited<ReturnType<Web["fetch"]>>;

interface PendingDelivery {
  readonly account_id: string;
  readonly ends: Promise<void>;
}

/** An attempt with its slot. */
interface DeliveryAttempt {
  readonly delivery: Delivery;
  /** Account and origin. */
  readonly receiver: string;
  /** Whether it probes a receiver that keeps failing. */
  readonly is_probe: boolean;
}

export class Sender {
  readonly #parts: SenderOptions;
  /** By rule: one delivery at a time, in order. */
  readonly #flying = new Map<string, PendingDelivery>();
  readonly #places = new FairShare(SLOTS);
  readonly #probes = new FairShare(PROBE_SLOTS);
  readonly #budget: RateBudget;
  readonly #breakers: Breakers;

  constructor(parts: SenderOptions) {
    this.#parts = parts;
    this.#budget = new RateBudget({ times: parts.per_minute, window_ms: MINUTE_MS });
    this.#breakers = new Breakers({
      failures: BREAKER_FAILURES,
      first_ms: parts.retry_first_ms,
      most_ms: Math.min(BREAKER_PAUSE_MAX_MS, parts.retry_most_ms),
    });
  }

  /** Starts due deliveries, account by account in turn. @returns the number started or postponed. */
  async round(signal: AbortSignal): Promise<number> {
    const { deliveries, web } = this.#parts;
    if (web === null) return 0;
    let moved = 0;
    for (const account_id of this.#places.inTurn(await deliveries.accounts()))
      if (!signal.aborted) moved += await this.#serve(account_id, web, signal);
    return moved;
  }

  async #serve(account_id: string, web: Web, signal: AbortSignal): Promise<number> {
    const { deliveries, now_ms } = this.#parts;
    const room = Math.min(this.#places.room(account_id), this.#budget.left(account_id, now_ms()));
    if (room === 0) return 0;
    const busy_rules = [...this.#flying].flatMap(([rule, flight]) => (flight.account_id === account_id ? [rule] : []));
    let moved = 0;
    for (const delivery of await deliveries.due({ account_id, limit: room, busy_rules })) {
      if (signal.aborted) break;
      const attempt = await this.#attemptOf(delivery);
      if (attempt !== null) this.#begin(attempt, web, signal);
      moved += 1;
    }
    return moved;
  }

  /** Takes a slot for a delivery; null when its queue was postponed. */
  async #attemptOf(delivery: Delivery): Promise<DeliveryAttempt | null> {
    const { deliveries, now_ms } = this.#parts;
    const { account_id, rule_id, url } = delivery;
    const receiver = `${account_id} ${originOf(url)}`;
    const circuit = this.#breakers.look(receiver, now_ms());
    const is_probe = circuit.kind === "half_open";
    if (circuit.kind !== "open" && (is_probe ? this.#probes : this.#places).take(account_id)) {
      if (is_probe) this.#breakers.probe(receiver);
      this.#budget.spend(account_id, now_ms());
      return { delivery, receiver, is_probe };
    }
    await deliveries.hold(rule_id, circuit.kind === "open" ? circuit.until : now_ms() + PROBE_AGAIN_MS);
    return null;
  }

  /** Resolves when all started deliveries have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#flying.values()].map(({ ends }) => ends));
  }

  #begin(attempt: DeliveryAttempt, web: Web, signal: AbortSignal): void {
    const { account_id, rule_id } = attempt.delivery;
    const ends = this.#deliver(attempt, web, signal)
      .catch((error: unknown) => {
        this.#breakers.abandon(attempt.receiver);
        // Its outcome was not stored, so it is sent again under the same id, by which receivers deduplicate.
        if (!signal.aborted)
          this.#parts.log.warn({ rule: rule_id, error: messageOf(error) }, "could not store a webhook's outcome");
      })
      .finally(() => {
        this.#flying.delete(rule_id);
        (attempt.is_probe ? this.#probes : this.#places).free(account_id);
      });
    this.#flying.set(rule_id, { account_id, ends });
  }

  async #deliver(attempt: DeliveryAttempt, web: Web, signal: AbortSignal): Promise<void> {
    const { deliveries, count, step } = this.#parts;
    const { delivery } = attempt;
    const answer = await this.#ask(attempt, web, signal);
    step?.("sent");
    this.#noteReceiver(attempt, answer);
    const ending = this.#endingOf(delivery, answer);
    await deliveries.note(delivery, ending);
    step?.("noted");
    count(ending.kind);
  }

  async #ask({ delivery, is_probe }: DeliveryAttempt, web: Web, signal: AbortSignal): Promise<WebhookResponse> {
    const { event_id: id, body, secrets, url } = delivery;
    const headers = signatureHeaders({ id, body, secrets, time: Math.floor(this.#parts.now_ms() / 1000) });
    const late = is_probe ? AbortSignal.timeout(PROBE_MS) : null;
    // Uses its own signal: hundreds of concurrent attempts would all add listeners to the process's signal.
    const ends = AbortSignal.any(late === null ? [signal] : [signal, late]);
    try {
      return await web.fetch({ url, method: "POST", body, headers, signal: ends });
    } catch (error) {
      if (signal.aborted || late?.aborted !== true) throw error;
      return { kind: "unreachable", reason: `It did not answer within ${PROBE_MS / 1000} seconds.`, redirects: [] };
    }
  }

  /** A receiver that does not answer, or answers with a server error, counts as failing. */
  #noteReceiver({ receiver }: DeliveryAttempt, answer: WebhookResponse): void {
    const fails = answer.kind !== "answer" || answer.status >= SERVER_FAULT || answer.status === TOO_MANY;
    if (fails) this.#breakers.fail(receiver, this.#parts.now_ms());
    else this.#breakers.succeed(receiver);
  }

  #endingOf(delivery: Delivery, answer: WebhookResponse): DeliveryOutcome {
    if (answer.kind !== "answer") return this.#again(delivery, { status: null, fault: answer.reason });
    const { status } = answer;
    if (status >= 200 && status < 300) return { kind: "delivered", status };
    if (status === GONE) return { kind: "gone", status, fault: "The receiver answered 410 Gone" };
    return this.#again(delivery, { status, fault: `The receiver answered ${status}.` });
  }

  /** Exponential backoff with jitter, so that deliveries that failed together are not retried together. */
  #again(
    { attempts, first_at }: Delivery,
    said: { readonly status: number | null; readonly fault: string },
  ): DeliveryOutcome {
    const { now_ms, random, retry_first_ms, retry_most_ms, horizon_ms } = this.#parts;
    const pause_ms = Math.min(retry_first_ms * 2 ** attempts, retry_most_ms) * (0.5 + random());
    const next_at = Math.round(now_ms() + pause_ms);
    return next_at > first_at + horizon_ms ? { kind: "dead", ...said } : { kind: "again", ...said, next_at };
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
