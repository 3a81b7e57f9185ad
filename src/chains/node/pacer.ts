/**
 * How much an endpoint is asked at once: requests in flight and calls per request. Halved when it refuses, grown one
 * step after a run of successes; each refusal makes the next attempt to grow wait twice as long. Requests in flight hide
 * the node's latency; once this process is busy all the time, more of them only fill memory, so one is taken back.
 */
export interface PacerLimits {
  readonly concurrency_max: number;
  readonly batch_max: number;
}

/** Share of time in which this process computes, above which it is the bottleneck. */
const BUSY = 0.9;
const START = { concurrency: 4, batch: 20 };
const PATIENCE = { first: 8, most: 4096 };

export class Pacer {
  readonly #limits: PacerLimits;
  #concurrency: number;
  #batch: number;
  #busy = 0;
  #streak = 0;
  #patience = PATIENCE.first;
  #waiting: (() => void)[] = [];
  #clock = performance.eventLoopUtilization();

  constructor(limits: PacerLimits) {
    this.#limits = limits;
    this.#concurrency = Math.min(START.concurrency, limits.concurrency_max);
    this.#batch = Math.min(START.batch, limits.batch_max);
  }

  /** Calls per request. */
  get batch(): number {
    return this.#batch;
  }

  get concurrency(): number {
    return this.#concurrency;
  }

  /** Share of the allowed requests that are running or waiting; above 1 is a queue. */
  get load(): number {
    return (this.#busy + this.#waiting.length) / this.#concurrency;
  }

  /** Waits for a free place; the caller must `release` it. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < this.#concurrency) {
      this.#busy += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const proceed = (): void => {
        signal.removeEventListener("abort", giveUp);
        this.#busy += 1;
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== proceed);
        reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(proceed);
    });
  }

  release(): void {
    this.#busy -= 1;
    while (this.#busy < this.#concurrency) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
  }

  succeeded(): void {
    this.#streak += 1;
    if (this.#streak < this.#patience) return;
    this.#streak = 0;
    const now = performance.eventLoopUtilization();
    const is_busy = performance.eventLoopUtilization(now, this.#clock).utilization > BUSY;
    this.#clock = now;
    if (!is_busy) this.#concurrency = Math.min(this.#concurrency + 1, this.#limits.concurrency_max);
    else if (this.#concurrency > START.concurrency) this.#concurrency -= 1;
    this.#batch = Math.min(this.#batch + Math.ceil(this.#batch / 4), this.#limits.batch_max);
  }

  /** The endpoint refused a request of `batch` calls. */
  refused(reason: "size" | "rate", batch: number): void {
    this.#streak = 0;
    this.#patience = Math.min(this.#patience * 2, PATIENCE.most);
    if (reason === "size" || this.#concurrency === 1) this.#batch = Math.max(1, Math.min(this.#batch, batch >> 1));
    if (reason === "rate") this.#concurrency = Math.max(1, this.#concurrency >> 1);
  }
}
