import { availableParallelism } from "node:os";
import { PARALLEL_MAX } from "./parallel.ts";

/** Heavy statements each occupy a processor: run about as many as there are processors, and never fill all places. */
const HEAVY_MAX = Math.min(PARALLEL_MAX - 4, Math.max(4, availableParallelism()));
/** So many quick ones in a row go before a heavy one that waits. */
const QUICK_FIRST_MAX = 16;

interface QueueLimits {
  readonly all_max: number;
  readonly heavy_max: number;
}

/**
 * Queue of statements: quick ones before heavy ones, each in order of arrival. Heavy ones leave places free, so
 * that a question of some milliseconds does not wait for those of seconds.
 */
export class QueryQueue {
  readonly #places: QueueLimits;
  readonly #quick: (() => void)[] = [];
  readonly #heavy: (() => void)[] = [];
  #running = 0;
  #running_heavy = 0;
  /** Quick ones that went before the first heavy one that waits. */
  #passed = 0;

  constructor(places: QueueLimits = { all_max: PARALLEL_MAX, heavy_max: HEAVY_MAX }) {
    this.#places = places;
  }

  get running(): number {
    return this.#running;
  }

  /** Resolves when it is the statement's turn. Every enter needs a leave. */
  enter(is_heavy: boolean): Promise<void> {
    return new Promise((resolve) => {
      (is_heavy ? this.#heavy : this.#quick).push(resolve);
      this.#next();
    });
  }

  leave(is_heavy: boolean): void {
    this.#running -= 1;
    this.#running_heavy -= Number(is_heavy);
    this.#next();
  }

  #next(): void {
    while (this.#running < this.#places.all_max) {
      const may_heavy = this.#heavy.length > 0 && this.#running_heavy < this.#places.heavy_max;
      const is_heavy = may_heavy && (this.#quick.length === 0 || this.#passed >= QUICK_FIRST_MAX);
      const next = (is_heavy ? this.#heavy : this.#quick).shift();
      if (next === undefined) return;
      this.#passed = is_heavy || this.#heavy.length === 0 ? 0 : this.#passed + 1;
      this.#running += 1;
      this.#running_heavy += Number(is_heavy);
      next();
    }
  }
}
