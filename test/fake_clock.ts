import type { Clock } from "../src/chains/node/clock.ts";

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly work: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  later(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers that have not run. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Runs all timers due within these milliseconds, in order, including timers that they start. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      // Promises that are settled go on first: they may ask for the next timer.
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.work();
    }
    this.#now = end;
  }
}
