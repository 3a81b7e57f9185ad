/** The searches of a network that is read on demand: which run, and which begins next. */
import type { BlockRef } from "../../chains/chain.ts";
import { pause } from "../../lib/pause.ts";
import type { IndexRunOptions } from "../retries.ts";
import { dueIn } from "./due.ts";
import { FollowedLooks } from "./followed_looks.ts";
import type { SubjectHistory } from "./subject_history.ts";

/** Searches at the same time: a small address does not wait for a large one. */
const SEARCHES_MAX = 4;

export class Searches {
  readonly #histories: () => readonly SubjectHistory[];
  readonly #looks: FollowedLooks;
  #to: BlockRef | null = null;

  constructor(parts: ConstructorParameters<typeof FollowedLooks>[0], histories: () => readonly SubjectHistory[]) {
    this.#histories = histories;
    this.#looks = new FollowedLooks(parts);
  }

  /** Searches, and looks at followed addresses. */
  get running(): readonly Promise<void>[] {
    return [...this.#searching, ...(this.#looks.running === null ? [] : [this.#looks.running])];
  }

  /** Looks for news up to this block, and begins searches; the next ones begin when these end. */
  begin(to: BlockRef, { once, signal }: IndexRunOptions): void {
    this.#to = to;
    this.#looks.look(this.#histories(), to, { is_hurried: once, signal });
    this.#next(signal);
  }

  /** Until one of them has ended, or so long. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    await Promise.race([...this.running, pause(ms, AbortSignal.any([signal, stop.signal]))]);
    stop.abort();
  }

  get #searching(): readonly Promise<void>[] {
    return this.#histories().flatMap(({ search }) => search ?? []);
  }

  #next(signal: AbortSignal): void {
    const to = this.#to;
    if (to === null || signal.aborted) return;
    let free = SEARCHES_MAX - this.#searching.length;
    if (free <= 0) return;
    for (const history of dueIn(this.#histories())) {
      const search = history.begin(to, signal);
      if (search === null) continue;
      // It rejects while the store is away: then the next round begins others.
      search.then(
        () => this.#next(signal),
        () => undefined,
      );
      free -= 1;
      if (free === 0) return;
    }
  }
}
