/**
 * How an endpoint is asked: requests in flight, calls per request, and requests with time. Requests in flight hide the
 * node's latency; once this process is busy all the time, more of them only fill memory, so one is taken back. A request that
 * was too large halves the batch, one that was too slow halves what is in flight, one that came too soon lowers the rate alone:
 * smaller batches would need more requests for the same blocks.
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
  /** How long the rate held it back; null when it did not. */
  readonly rate_wait_ms: number | null;
}

interface Waiter {
  readonly since: number;
  is_held_back: boolean;
  readonly proceed: (turn: Turn) => void;
}

/** Share of time in which this process computes, above which it is the bottleneck. */
const BUSY = 0.9;
const START = { concurrency: 4, batch: 20 };
const PATIENCE = { first: 8, most: 4096 };
/** Refusals because of the rate, with growing pauses and no answer between them: half a minute of them, unless the node says how long. */
const REFUSALS_MAX = 6;
/** Of requests that wait, one of so many is of the background although others are urgent. */
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

  /** Calls per request. */
  get batch(): number {
    return this.#batch;
  }

  get pace(): Pace {
    return { requests_per_second: this.#rate.per_second, concurrency: this.#concurrency, batch: this.#batch };
  }

  /** Share of the allowed requests that are running or waiting; above 1 is a queue. */
  get load(): number {
    return (this.#busy + this.#waiting) / this.#concurrency;
  }

  /** How long the rate would hold back one more request, milliseconds. */
  get rate_wait_ms(): number {
    return this.#rate.waitMs(this.#waiting + 1);
  }

  /** How long it is left alone, milliseconds: after a refusal, or until its day has requests again. */
  get pause_ms(): number {
    return this.#rate.pauseMs();
  }

  /** It refused so often without an answer between that it has failed: it may refuse for hours, and readers must learn why. */
  get refuses_all(): boolean {
    return this.#rate.refusals >= REFUSALS_MAX;
  }

  get #waiting(): number {
    return this.#urgent.length + this.#background.length;
  }

  /**
   * Waits for a free place and for the rate; the caller must `release` it. Rejects with the signal's reason.
   * @param is_background lets requests that callers wait for go first
   */
  acquire(signal: AbortSignal, is_background = false): Promise<Turn> {
    return new Promise<Turn>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const waiter: Waiter = {
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

  succeeded(): void {
    this.#rate.answered();
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

  /** The endpoint says that a request may have `calls` calls: no more are tried while the process runs. */
  takesAtMost(calls: number): void {
    this.#beCareful();
    this.#batch_max = Math.max(1, Math.min(this.#batch_max, calls));
    this.#batch = Math.min(this.#batch, this.#batch_max);
  }

  /** It does too much at once. */
  tooBusy(): void {
    this.#beCareful();
    this.#concurrency = Math.max(1, this.#concurrency >> 1);
  }

  /** It was asked too often. @param told_ms how long it wants to be left alone; 0 when it does not say */
  tooOften({ sent_at }: Turn, told_ms: number, is_per_second = false): void {
    this.#rate.refused(sent_at, told_ms, is_per_second);
    this.#stopTimer();
    this.#proceed();
  }

  #beCareful(): void {
    this.#streak = 0;
    this.#patience = Math.min(this.#patience * 2, PATIENCE.most);
  }

  /** Lets requests go that may; for the others it looks again when the rate lets the next one go. */
  #proceed(): void {
    while (this.#busy < this.#concurrency && this.#waiting > 0) {
      const wait_ms = this.#rate.waitMs();
      if (wait_ms > 0) {
        this.#holdBack(wait_ms);
        return;
      }
      const waiter = this.#next();
      if (waiter === undefined) return;
      this.#busy += 1;
      this.#rate.take();
      const now = this.#clock.now();
      waiter.proceed({ sent_at: now, rate_wait_ms: waiter.is_held_back ? now - waiter.since : null });
    }
    if (this.#waiting === 0) this.#stopTimer();
  }

  #holdBack(wait_ms: number): void {
    this.#rate.noteWait();
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
