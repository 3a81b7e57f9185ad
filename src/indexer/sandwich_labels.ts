import { DERIVED, DERIVED_CONFIDENCE } from "../labels/derived_labels.ts";
import { endingWith, queryRows } from "../store/query.ts";
import { type DayPassOptions, daysOf } from "./day_pass.ts";
import { type CoveredDays, type DerivedLabel, hasGrown, writeDerived } from "./derived_days.ts";

const SANDWICH_SOURCE = DERIVED.sandwiches;

/** Sandwiches on one day that make a bot. */
const SANDWICHES_MIN = 3;

/** Labels accounts that trade around others' trades again and again, day by day of final blocks. */
export class SandwichLabels {
  readonly #parts: DayPassOptions;
  #ground: CoveredDays | null = null;
  /** First second of the next day to process, unix seconds. */
  #next_day = 0;

  constructor(parts: DayPassOptions) {
    this.#parts = parts;
  }

  async update(signal: AbortSignal): Promise<void> {
    const { store, network, now_ms } = this.#parts;
    const days = await daysOf(this.#parts, signal);
    if (days === null) return;
    const is_anew = this.#ground === null || hasGrown(this.#ground, days);
    const span = { since: is_anew ? days.since : this.#next_day, until: days.until };
    if (span.since >= span.until) return;
    const asked = { network: network.id, since: span.since, last: span.until - 1 };
    const rows = await queryRows(endingWith(store.engine, signal), "indexer/sandwiches", asked);
    // Oldest day first: the first day counts.
    const first = new Map<string, DerivedLabel>();
    for (const { trader, day, sandwiches, tx_hash } of rows) {
      if (sandwiches < SANDWICHES_MIN || first.has(trader)) continue;
      const evidence = `0x${tx_hash}`;
      first.set(trader, { address: trader, label: "Sandwich trader", category: "mev_bot", entity: "", day, evidence });
    }
    const place = {
      store,
      network: network.id,
      source: SANDWICH_SOURCE,
      confidence: DERIVED_CONFIDENCE.sandwiches,
      now_ms: now_ms(),
    };
    const known = is_anew ? new Set<string>() : await this.#known(signal);
    const found = [...first.values()].filter(({ address }) => !known.has(address));
    await writeDerived(place, found, { is_whole: is_anew, signal });
    if (is_anew) this.#ground = days;
    this.#next_day = span.until;
  }

  /** A bot keeps the day on which it was found first. */
  async #known(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { store, network } = this.#parts;
    const asked = { network: network.id, source: SANDWICH_SOURCE };
    const rows = await queryRows(endingWith(store.engine, signal), "indexer/derived_labels", asked);
    return new Set(rows.map(({ address }) => address));
  }
}
