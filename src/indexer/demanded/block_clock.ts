import type { BlockRef } from "../../chains/chain.ts";
import { AssayError } from "../../lib/errors.ts";

/** Blocks whose times are remembered; beyond, every other one is forgotten. */
const REMEMBERED_MAX = 20_000;
/** Probes of a search after which it halves the range instead of trusting an even pace. */
const PACED_PROBES = 4;

type Moment = Pick<BlockRef, "number" | "time">;

interface BlockClockOptions {
  readonly ref: (number: number, signal: AbortSignal) => Promise<BlockRef | null>;
  /** The network's first block. */
  readonly from_block: number;
}

/** A reader of the clock. */
export interface ClockUser {
  readonly signal: AbortSignal;
  /** Called for each header that is requested. */
  readonly onRequest: () => void;
}

/** Which block was the newest one before a moment, by a few headers each: blocks come at a nearly even pace. */
export class BlockClock {
  readonly #options: BlockClockOptions;
  /** Ascending. */
  #known: Moment[] = [];
  #times = new Map<number, number>();

  constructor(options: BlockClockOptions) {
    this.#options = options;
  }

  get from_block(): number {
    return this.#options.from_block;
  }

  /** Adds a block that is known anyway. */
  note({ number, time }: Moment): void {
    if (this.#times.has(number)) return;
    this.#times.set(number, time);
    this.#known.splice(
      this.#countBelow((one) => one.number < number),
      0,
      { number, time },
    );
    if (this.#known.length > REMEMBERED_MAX) this.#forgetHalf();
  }

  /** Blocks known, at most `REMEMBERED_MAX`. */
  get size(): number {
    return this.#known.length;
  }

  /**
   * The newest block before a moment (unix seconds); null if the first block is not. A block at or after that moment must be known.
   * @throws AssayError UPSTREAM_UNAVAILABLE
   */
  async lastBefore(time: number, user: ClockUser): Promise<number | null> {
    if ((await this.timeOf(this.from_block, user)) >= time) return null;
    const place = this.#countBelow((one) => one.time < time);
    let [low, high] = [this.#known[place - 1], this.#known[place]];
    if (low === undefined || high === undefined)
      throw new AssayError({ code: "BUG", message: `no block is known after ${time}` });
    for (let probes = 0; high.number - low.number > 1; probes += 1) {
      const number = between([low, high], probes < PACED_PROBES ? time : null);
      const found = { number, time: await this.timeOf(number, user) };
      if (found.time < time) low = found;
      else high = found;
    }
    return low.number;
  }

  async timeOf(number: number, { signal, onRequest }: ClockUser): Promise<number> {
    const known = this.#times.get(number);
    if (known !== undefined) return known;
    onRequest();
    const ref = await this.#options.ref(number, signal);
    if (ref === null)
      throw new AssayError({
        code: "UPSTREAM_UNAVAILABLE",
        message: `the nodes do not have block ${number}`,
        retryable: true,
      });
    this.note(ref);
    return ref.time;
  }

  /** Keeps the oldest and the newest one, and knows less between them: a search there takes a few headers more. */
  #forgetHalf(): void {
    const last = this.#known.length - 1;
    this.#known = this.#known.filter((_, i) => i % 2 === 0 || i === last);
    this.#times = new Map(this.#known.map(({ number, time }) => [number, time]));
  }

  /** How many of the first known blocks satisfy `isBelow`, as none does after one that does not. */
  #countBelow(isBelow: (one: Moment) => boolean): number {
    let [low, high] = [0, this.#known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = this.#known[middle];
      if (one !== undefined && isBelow(one)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A block between two others: where a moment would be at an even pace, or the middle. */
const between = ([low, high]: readonly [Moment, Moment], time: number | null): number => {
  const share = time === null ? 0.5 : (time - low.time) / (high.time - low.time);
  const at = low.number + Math.round(share * (high.number - low.number));
  return Math.min(high.number - 1, Math.max(low.number + 1, at));
};
