/** How often the lag is measured. */
const INTERVAL_MS = 100;

/** How late the event loop runs. A busy loop sees no arrivals, so a request that is read now may have waited as long as the loop was busy. */
export class EventLoopLag {
  readonly #now_ms: () => number;
  #last_ms: number;
  #lag_ms = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param now_ms a clock that never goes back. */
  constructor(now_ms: () => number) {
    this.#now_ms = now_ms;
    this.#last_ms = now_ms();
  }

  /** @param onMeasured called ten times a second with the lag in milliseconds. */
  start(onMeasured: (lag_ms: number) => void): void {
    this.#last_ms = this.#now_ms();
    this.#timer = setInterval(() => onMeasured(this.measure()), INTERVAL_MS);
    this.#timer.unref();
  }

  /** @returns by how many milliseconds this measurement is late. */
  measure(): number {
    const now = this.#now_ms();
    this.#lag_ms = Math.max(0, now - this.#last_ms - INTERVAL_MS);
    this.#last_ms = now;
    return this.#lag_ms;
  }

  /**
   * The longest time that a request which is read now can have waited unseen: the lag of the last measurement, and the time that the next
   * one is overdue. The loop accepts a connection in one turn and reads it in the next, hence both.
   */
  unseen_ms(): number {
    return this.#lag_ms + Math.max(0, this.#now_ms() - this.#last_ms - INTERVAL_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}
