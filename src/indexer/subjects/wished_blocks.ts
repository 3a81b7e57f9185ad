/** Blocks that calls about single transactions wait for, on a network that is read on demand. */
import { DAY_S } from "../../lib/time.ts";
import { readWishedBlocks } from "../../store/subjects/records.ts";
import type { SubjectOptions } from "./subject_history.ts";

/** The longest rest of a block that no node serves. */
const REST_MAX_MS = 60_000;

interface Rest {
  readonly failures: number;
  /** When the next attempt is due, monotonic milliseconds. */
  readonly until: number;
}

type WishedBlocksOptions = Pick<SubjectOptions, "engine" | "chain" | "from_block" | "now_ms" | "log">;

export class WishedBlocks {
  readonly #parts: WishedBlocksOptions;
  readonly #resting = new Map<number, Rest>();
  #given: readonly number[] = [];
  /** A batch failed: one of its blocks may be to blame. */
  #is_single = false;

  constructor(parts: WishedBlocksOptions) {
    this.#parts = parts;
  }

  /** The next blocks to read together, `most` at most, ascending. A call waits no longer than a day. */
  async next(final: number, most: number): Promise<readonly number[]> {
    const { engine, chain, from_block, now_ms } = this.#parts;
    const asked_since = Math.floor(now_ms() / 1_000) - DAY_S;
    const wished = await readWishedBlocks(engine, chain.network.id, { asked_since, which: "open" });
    const now = performance.now();
    const open = wished.filter((block) => block >= from_block && block <= final);
    const due = open.filter((block) => (this.#resting.get(block)?.until ?? 0) <= now);
    if (open.length === 0) this.#is_single = false;
    for (const block of this.#resting.keys()) if (!open.includes(block)) this.#resting.delete(block);
    this.#given = due.slice(0, this.#is_single ? 1 : most);
    return this.#given;
  }

  /** The blocks that were given last could not be read. */
  async failed(error: unknown): Promise<void> {
    const { chain, log } = this.#parts;
    const [block, ...more] = this.#given;
    this.#is_single = true;
    log.warn(
      { network: chain.network.id, blocks: this.#given, err: error },
      "reading single blocks waits and tries again",
    );
    if (block === undefined || more.length > 0) return;
    const failures = (this.#resting.get(block)?.failures ?? 0) + 1;
    const wait = Math.min(REST_MAX_MS, 500 * 2 ** Math.min(10, failures));
    this.#resting.set(block, { failures, until: performance.now() + wait });
  }
}
