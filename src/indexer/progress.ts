/** Blocks per second over the last samples, and the time left at that pace. The caller passes the time. */
export class Progress {
  readonly #window_ms: number;
  #samples: { at_ms: number; blocks: number }[] = [];

  constructor(window_ms = 20_000) {
    this.#window_ms = window_ms;
  }

  /** `blocks` more were written at `at_ms`. */
  add(blocks: number, at_ms: number): void {
    this.#samples.push({ at_ms, blocks });
    this.#samples = this.#samples.filter((sample) => sample.at_ms >= at_ms - this.#window_ms);
  }

  /** Null until two samples have different times. */
  blocksPerSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at_ms <= first.at_ms) return null;
    const blocks = this.#samples.slice(1).reduce((sum, sample) => sum + sample.blocks, 0);
    return (blocks * 1000) / (last.at_ms - first.at_ms);
  }
}
