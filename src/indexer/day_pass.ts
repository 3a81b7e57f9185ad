import type { Network } from "../chains/chain.ts";
import { DERIVED_SOURCES, GUESSED_SOURCES } from "../labels/derived_labels.ts";
import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";
import type { QueryName, QueryRow } from "../store/facts.ts";
import type { FactsStore } from "../store/open.ts";
import { endingWith, type QueryValues, queryRows } from "../store/query.ts";
import { type CoveredDays, type DaySpan, wholeDays } from "./derived_days.ts";
import { partsOf } from "./known_keys.ts";

/** Days per query. */
const WINDOW_DAYS = 30;
/** Addresses per query. */
export const ADDRESSES_MAX = 500;

/** Dependencies of a pass over the days of one network. */
export interface DayPassOptions {
  readonly network: Network;
  readonly store: Pick<FactsStore, "facts" | "writer" | "engine">;
  /** Unix milliseconds, for the rows' stamps. */
  readonly now_ms: () => number;
  /** Queries shared by several passes; omitted if a pass runs alone. */
  readonly round?: Round;
}

/** Queries that the passes of one round share: the covered days, and the content of lists. */
export class Round {
  #days: Promise<CoveredDays | null> | null = null;
  #mark: Promise<string> | null = null;

  /** Begins a round. */
  begin(): void {
    this.#days = null;
    this.#mark = null;
  }

  days(read: () => Promise<CoveredDays | null>): Promise<CoveredDays | null> {
    this.#days ??= read();
    return this.#days;
  }

  mark(read: () => Promise<string>): Promise<string> {
    this.#mark ??= read();
    return this.#mark;
  }
}

/** The whole final days of a network, queried once a round. */
export const daysOf = ({ store, network, round }: DayPassOptions, signal: AbortSignal): Promise<CoveredDays | null> => {
  const read = () => wholeDays(store, network.id, signal);
  return round === undefined ? read() : round.days(read);
};

/** A few days at a time. Unix seconds, both inside. */
export interface DayWindow {
  readonly since: number;
  readonly last: number;
}

/**
 * Windows that begin at the first of these days (whole days since 1970, in order) that is in none yet, within a span.
 */
export const windowsOf = ({ until }: DaySpan, days: readonly number[]): readonly DayWindow[] => {
  const windows: DayWindow[] = [];
  for (const day of days) {
    const since = day * DAY_S;
    if (since > (windows.at(-1)?.last ?? -1))
      windows.push({ since, last: Math.min(until, since + WINDOW_DAYS * DAY_S) - 1 });
  }
  return windows;
};

/** Position of a transaction. */
export interface DayPassPosition {
  readonly block_number: number;
  readonly tx_index: number;
}

export const positionKey = ({ block_number, tx_index }: DayPassPosition): string => `${block_number}:${tx_index}`;

/** Queries the final facts of one network, until a signal. */
export class DayReader {
  readonly #parts: DayPassOptions;
  readonly #signal: AbortSignal;

  constructor(parts: DayPassOptions, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  ask<N extends QueryName>(query: N, values: QueryValues): Promise<readonly QueryRow<N>[]> {
    const { store, network } = this.#parts;
    const asked = { rules: DERIVED_SOURCES, ...values, network: network.id };
    return queryRows(endingWith(store.engine, this.#signal), query, asked);
  }

  /**
   * The days of a span that have blocks, a few at a time, oldest first: a genesis may be years before the next block.
   */
  async windows(span: DaySpan): Promise<readonly DayWindow[]> {
    const days = await this.ask("indexer/days_with_blocks", { since: span.since, last: span.until - 1 });
    return windowsOf(
      span,
      days.map(({ day }) => day),
    );
  }

  /** Digest of all lists: if it has changed, all days are judged again. */
  listedMark(): Promise<string> {
    const { round } = this.#parts;
    return round === undefined ? this.#readMark() : round.mark(() => this.#readMark());
  }

  async #readMark(): Promise<string> {
    const [mark] = await this.ask("indexer/listed_mark", {});
    return `${mark?.rows}:${mark?.mark}`;
  }

  /** The addresses that a rule may label: no list names them, and they are not of the kinds in `never`. */
  async free(addresses: readonly Hex[], never: readonly ("token" | "contract")[]): Promise<readonly Hex[]> {
    const taken = new Set<Hex>();
    for (const part of partsOf(addresses, ADDRESSES_MAX)) {
      const asked = { addresses: part, rules: GUESSED_SOURCES };
      for (const { address, is_listed, is_token, is_contract } of await this.ask("indexer/named_among", asked)) {
        const is_never =
          (never.includes("token") && is_token === 1) || (never.includes("contract") && is_contract === 1);
        if (is_listed === 1 || is_never) taken.add(address);
      }
    }
    return addresses.filter((address) => !taken.has(address));
  }

  /** The addresses that no list names and that are accounts: neither contracts nor tokens. */
  unnamed(addresses: readonly Hex[]): Promise<readonly Hex[]> {
    return this.free(addresses, ["token", "contract"]);
  }

  /** Hashes of transactions, by `positionKey`. */
  async hashes(places: readonly DayPassPosition[]): Promise<ReadonlyMap<string, Hex>> {
    const found = new Map<string, Hex>();
    for (const part of partsOf(places, ADDRESSES_MAX)) {
      const asked = {
        blocks: part.map(({ block_number }) => block_number),
        indexes: part.map(({ tx_index }) => tx_index),
      };
      for (const row of await this.ask("indexer/deposit_hashes", asked)) found.set(positionKey(row), row.tx_hash);
    }
    return found;
  }
}
