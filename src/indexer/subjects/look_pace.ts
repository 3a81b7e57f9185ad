/** When many addresses have a look together: each once within a time, at an even pace. */

/** Addresses of one look: common nodes accept arrays of so many calls. */
const LOOK_ADDRESSES = 100;

export class LookPace {
  readonly #follow_ms: number;
  #next_ms = Number.NEGATIVE_INFINITY;

  constructor(follow_ms: number) {
    this.#follow_ms = follow_ms;
  }

  /** The next look is due. */
  get is_time(): boolean {
    return performance.now() >= this.#next_ms;
  }

  /** The next look is due now. */
  hurry(): void {
    this.#next_ms = Number.NEGATIVE_INFINITY;
  }

  /** The first of those that are behind. As many looks within the time as all `count` addresses need, of nearly the same size. */
  next<T>(behind: readonly T[], count: number): readonly T[] {
    if (behind.length === 0) return [];
    const looks = Math.ceil(count / LOOK_ADDRESSES);
    this.#next_ms = performance.now() + this.#follow_ms / looks;
    return behind.slice(0, Math.ceil(count / looks));
  }
}
