/** The client's clock; tests replace it. */
export interface Timing {
  readonly now_ms: () => number;
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal | null) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export const systemTiming: Timing = {
  now_ms: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
  random: () => Math.random(),
};

const WINDOW_MS = 60_000;
/** The service counts arrivals, the client departures; requests may arrive closer together than they left. */
const MARGIN_MS = 500;

/** How many calls run at once, and how many start in any minute. */
export class Pace {
  readonly #timing: Timing;
  readonly #waiting: (() => void)[] = [];
  readonly #started_ms: number[] = [];
  #free: number;
  #calls_per_minute: number | null;

  constructor(limits: { readonly concurrency: number; readonly calls_per_minute: number | null }, timing: Timing) {
    this.#free = limits.concurrency;
    this.#calls_per_minute = limits.calls_per_minute;
    this.#timing = timing;
  }

  /** Adopts the key's limit from a refusal, unless the caller set one. */
  learn(calls_per_minute: number): void {
    if (this.#calls_per_minute === null && calls_per_minute > 0) this.#calls_per_minute = calls_per_minute;
  }

  /** Runs `work` once fewer than `concurrency` calls are running. */
  async inTurn<T>(work: () => Promise<T>, signal: AbortSignal | null): Promise<T> {
    await this.#place(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** Milliseconds until one more request may start; 0 = now, and it counts as started. */
  start(): number {
    const now = this.#timing.now_ms();
    while ((this.#started_ms[0] ?? now) <= now - WINDOW_MS - MARGIN_MS) this.#started_ms.shift();
    const most = this.#calls_per_minute;
    const oldest = most === null ? undefined : this.#started_ms[this.#started_ms.length - most];
    if (oldest !== undefined) return oldest + WINDOW_MS + MARGIN_MS - now;
    this.#started_ms.push(now);
    return 0;
  }

  async #place(signal: AbortSignal | null): Promise<void> {
    if (signal?.aborted) throw signal.reason;
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
