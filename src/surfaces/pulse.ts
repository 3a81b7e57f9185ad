/** How often the event loop is asked how late it is. */
const BEAT_MS = 100;

/**
 * How late the event loop runs. While it is busy nobody sees what arrives, so a request that is read now may have waited as long as
 * the loop was away.
 */
export class Pulse {
  readonly #now_ms: () => number;
  #last_ms: number;
  #late_ms = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param now_ms a clock that never goes back. */
  constructor(now_ms: () => number) {
    this.#now_ms = now_ms;
    this.#last_ms = now_ms();
  }

  /** @param onBeat called ten times a second, with the milliseconds by which it comes late. */
  start(onBeat: (late_ms: number) => void): void {
    this.#last_ms = this.#now_ms();
    this.#timer = setInterval(() => onBeat(this.beat()), BEAT_MS);
    this.#timer.unref();
  }

  /** @returns by how many milliseconds this beat is late. */
  beat(): number {
    const now = this.#now_ms();
    this.#late_ms = Math.max(0, now - this.#last_ms - BEAT_MS);
    this.#last_ms = now;
    return this.#late_ms;
  }

  /**
   * The longest that what is read now can have waited unseen: the last beat's lateness, and what has passed since beyond the
   * next one. A connection is taken in one turn of the loop and read in the next, hence both.
   */
  unseen_ms(): number {
    return this.#late_ms + Math.max(0, this.#now_ms() - this.#last_ms - BEAT_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}
