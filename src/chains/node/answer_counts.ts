/** Requests that a node answered within a second, as it may count them. */

/** A request of several calls is one request. */
export type RateUnit = "requests" | "calls";

type Counts = Record<RateUnit, number>;

const SECOND_MS = 1_000;
/** Answers are counted in tenths of a second. */
const CELL_MS = 100;
/** A refusal at less than this share of the most answers in a second before is not about this unit … */
const CONTRADICTED = 0.4;
/** … and one at more than this share may. */
const POSSIBLE = 0.8;

export class AnswerCounts {
  #cells: (Counts & { readonly cell: number })[] = [];
  #most: Counts = { requests: 0, calls: 0 };

  note(now: number, calls: number): void {
    const cell = Math.floor(now / CELL_MS);
    const last = this.#cells.at(-1);
    if (last?.cell === cell) {
      last.requests += 1;
      last.calls += calls;
    } else this.#cells.push({ cell, requests: 1, calls });
    const { requests, calls: all } = this.within(now);
    this.#most = { requests: Math.max(this.#most.requests, requests), calls: Math.max(this.#most.calls, all) };
  }

  /** In the last second. */
  within(now: number): Counts {
    const oldest = Math.floor((now - SECOND_MS) / CELL_MS);
    while ((this.#cells[0]?.cell ?? oldest) < oldest) this.#cells.shift();
    const sum: Counts = { requests: 0, calls: 0 };
    for (const { requests, calls } of this.#cells) {
      sum.requests += requests;
      sum.calls += calls;
    }
    return sum;
  }

  /** The unit that the node seems to count when it refuses a request now; `assumed` as long as nothing contradicts it. */
  unitAt(now: number, assumed: RateUnit): RateUnit {
    const other = assumed === "calls" ? "requests" : "calls";
    const recent = this.within(now);
    const is_other =
      recent[assumed] < CONTRADICTED * this.#most[assumed] && recent[other] >= POSSIBLE * this.#most[other];
    if (is_other) this.#most = recent;
    return is_other ? other : assumed;
  }
}
