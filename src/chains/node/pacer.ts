/**
 * Pace of requests to an endpoint: requests in flight, calls per request, and requests per time. Requests in flight
 * hide the node's latency; once this process is busy all the time, more of them only fill memory, so the pacer removes
 * one. A request that was too large halves the batch, one that was too slow halves the requests in flight, one that
 * came too soon lowers the rate only: smaller batches would need more requests for the same blocks.
 */
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import type { Pace } from "./endpoint_counters.ts";
import { type RateLimits, RequestRate } from "./request_rate.ts";

export interface PacerLimits extends RateLimits {
  readonly concurrency_max: number;
  readonly batch_max: number;
}

/** A request that may be sent. */
export interface Turn {
  /** On the pacer's clock. */
  readonly sent_at: number;
  /** How long the rate delayed it; null if it did not. */
  readonly rate_wait_ms: number | null;
}

interface Waiter {
  /** Calls of its request. */
  readonly calls: number;
  readonly since: number;
  is_held_back: boolean;
  readonly proceed: (turn: Turn) => void;
}

/** Share of time in which this process computes, above which it is the bottleneck. */
const BUSY = 0.9;
const START = { concurrency: 4, batch: 20 };
const PATIENCE = { first: 8, most: 4096 };
/**
 * Refusals because of the rate without an answer between them: half a minute of growing pauses, nine seconds for a
 * limit per second.
 */
const REFUSALS_MAX = 6;
/** Of waiting requests, one in this many is a background request although others are urgent. */
const BACKGROUND_EVERY = 4;

export class Pacer {
  readonly #limits: PacerLimits;
  readonly #clock: Clock;
  readonly #rate: RequestRate;
  #concurrency: number;
  #batch: number;
  #batch_max: number;
  #busy = 0;
  #streak = 0;
  #patience = PATIENCE.first;
  #urgent: Waiter[] = [];
  #background: Waiter[] = [];
  #urgent_in_a_row = 0;
  #cancelTimer: (() => void) | null = null;
  #utilization = performance.eventLoopUtilization();

  constructor(limits: PacerLimits, clock: Clock = SYSTEM_CLOCK) {
    this.#limits = limits;
    this.#clock = clock;
    this.#rate = new RequestRate(limits, clock);
    this.#concurrency = Math.min(START.concurrency, limits.concurrency_max);
    this.#batch_max = limits.batch_max;
    this.#batch = Math.min(START.batch, limits.batch_max);
  }

  /** Calls per request: where the node counts calls, no more than it allows in a second. */
  get batch(): number {
    const { counts, per_second } = this.#rate;
    return counts === "requests" || per_second === null
      ? this.#batch
      : Math.max(1, Math.min(this.#batch, Math.floor(per_second)));
  }

  get pace(): Pace {
    const { per_second, counts } = this.#rate;
    return { requests_per_second: per_second, counts, concurrency: this.#concurrency, batch: this.#batch };
  }

  /** Share of the allowed requests that are running or waiting; above 1 is a queue. */
  get load(): number {
    return (this.#busy + this.#waiting) / this.#concurrency;
  }

  /** How long the rate would delay one more request, milliseconds. */
  get rate_wait_ms(): number {
    const tokens = (sum: number, { calls }: Waiter): number => sum + this.#rate.costOf(calls);
    return this.#rate.waitMs([...this.#urgent, ...this.#background].reduce(tokens, 1));
  }

  /** How long it gets no requests, milliseconds: after a refusal, or until its daily limit has room again. */
  get pause_ms(): number {
    return this.#rate.pauseMs();
  }

  /**
   * So many refusals without an answer between that it counts as failed: it may refuse for hours, and callers must
   * learn why.
   */
  get refuses_all(): boolean {
    return this.#rate.refusals >= REFUSALS_MAX;
  }

  get #waiting(): number {
    return this.#urgent.length + this.#background.length;
  }

  /**
   * Waits for a free slot and for the rate; the caller must `release` it. Rejects with the signal's reason.
   * @param is_background lets requests that callers wait for go first
   */
  acquire(signal: AbortSignal, is_background = false, calls = 1): Promise<Turn> {
    return new Promise<Turn>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const waiter: Waiter = {
        calls,
        since: this.#clock.now(),
        is_held_back: false,
        proceed: (turn) => {
          signal.removeEventListener("abort", giveUp);
          resolve(turn);
        },
      };
      const giveUp = (): void => {
        this.#urgent = this.#urgent.filter((other) => other !== waiter);
        this.#background = this.#background.filter((other) => other !== waiter);
        if (this.#waiting === 0) this.#stopTimer();
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      (is_background ? this.#background : this.#urgent).push(waiter);
      this.#proceed();
    });
  }

  release(): void {
    this.#busy -= 1;
    this.#proceed();
  }

  /** A request of `calls` calls was answered. */
  succeeded(calls = 1): void {
    this.#rate.answered(calls);
    this.#streak += 1;
    if (this.#streak < this.#patience) return;
    this.#streak = 0;
    const now = performance.eventLoopUtilization();
    const is_busy = performance.eventLoopUtilization(now, this.#utilization).utilization > BUSY;
    this.#utilization = now;
    if (!is_busy) this.#concurrency = Math.min(this.#concurrency + 1, this.#limits.concurrency_max);
    else if (this.#concurrency > START.concurrency) this.#concurrency -= 1;
    this.#batch = Math.min(this.#batch + Math.ceil(this.#batch / 4), this.#batch_max);
  }

  /** A request of `calls` calls was too large. */
  tooLarge(calls: number): void {
    this.#beCareful();
    this.#batch = Math.max(1, Math.min(this.#batch, calls >> 1));
  }

  /** The endpoint states that a request may have `calls` calls; longer ones are not tried while the process runs. */
  takesAtMost(calls: number): void {
    this.#beCareful();
    this.#batch_max = Math.max(1, Math.min(this.#batch_max, calls));
    this.#batch = Math.min(this.#batch, this.#batch_max);
  }

  /** The endpoint has too many requests in flight. */
  tooBusy(): void {
    this.#beCareful();
    this.#concurrency = Math.max(1, this.#concurrency >> 1);
  }

  /**
   * The endpoint received too many requests.
   * @param told_ms the wait that it requests; 0 if it states none
   */
  tooOften({ sent_at }: Turn, told_ms: number, is_per_second = false): void {
    this.#rate.refused(sent_at, told_ms, is_per_second);
    this.#stopTimer();
    this.#proceed();
  }

  #beCareful(): void {
    this.#streak = 0;
    this.#patience = Math.min(this.#patience * 2, PATIENCE.most);
  }

  /** Sends the requests that may go; sets a timer for when the rate allows the next one. */
  #proceed(): void {
    while (this.#busy < this.#concurrency && this.#waiting > 0) {
      const wait_ms = this.#rate.waitMs();
      if (wait_ms > 0) {
        this.#holdBack();
        return;
      }
      const waiter = this.#next();
      if (waiter === undefined) return;
      this.#busy += 1;
      this.#rate.take(waiter.calls);
      const now = this.#clock.now();
      waiter.proceed({ sent_at: now, rate_wait_ms: waiter.is_held_back ? now - waiter.since : null });
    }
    if (this.#waiting === 0) this.#stopTimer();
  }

  #holdBack(): void {
    const wait_ms = this.#rate.noteWait();
    for (const waiter of [...this.#urgent, ...this.#background]) waiter.is_held_back = true;
    // The rate may have grown since the timer was set.
    this.#stopTimer();
    this.#cancelTimer = this.#clock.later(Math.ceil(wait_ms), () => {
      this.#cancelTimer = null;
      this.#proceed();
    });
  }

  #next(): Waiter | undefined {
    const is_background =
      this.#urgent.length === 0 || (this.#background.length > 0 && this.#urgent_in_a_row >= BACKGROUND_EVERY - 1);
    this.#urgent_in_a_row = is_background ? 0 : this.#urgent_in_a_row + 1;
    return (is_background ? this.#background : this.#urgent).shift();
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
