import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import type { HourPrice } from "./quotes.ts";

export interface TokenHour {
  readonly token: Hex;
  /** First second of the hour. */
  readonly hour: number;
}

/** The price of a token for one hour. */
export interface Price extends Omit<HourPrice, "volume_usd"> {
  readonly hour: number;
  /** Unix seconds from which it holds, where the hour contains the token's first pool, which the node reported. Omitted: all of the hour. */
  readonly since?: number;
}

export type StoredHours = QueryRow<"prices/range">;

export type TokenPrices = ReadonlyMap<string, Price>;

/** Key of a pair in `TokenPrices`. */
export const priceKey = (token: Hex, hour: number): string => `${token}:${hour}`;

/** Limit of cached moments: the newest block of each network and some earlier ones. */
const MOMENTS_MAX = 64;
/** Limit of cached pairs per moment; beyond it the moment starts over. */
const PAIRS_MAX = 50_000;

/** Running or finished computations, by pair. One computation serves many pairs. */
type PendingPrices = Map<string, Promise<TokenPrices>>;

/**
 * Everything that prices depend on: the block with its history, the start of the tail and the number of its
 * reorganisations (neither matters for a final block), and the range of stored prices.
 */
export const momentOf = (snapshot: Snapshot, stored: StoredHours | null): string => {
  const { network, block, from_block, final_block, tail_drops } = snapshot;
  const tail = block.number <= final_block ? "final" : `${final_block}:${tail_drops}`;
  const range = stored === null ? "none" : Object.values(stored).join(":");
  return `${network} ${block.hash} ${from_block} ${tail} ${range}`;
};

/** Missing prices on demand. */
interface LackingPrices {
  readonly unpriced: boolean;
  readonly unread: boolean;
}

/** Prices at a block never change: each is computed once, also for concurrent callers. */
export class PriceCache {
  /** Least recently used first. */
  readonly #moments = new Map<string, PendingPrices>();
  readonly #lacking = new WeakMap<Snapshot, LackingPrices>();
  readonly #ranges = new WeakMap<Snapshot, Promise<StoredHours | null>>();

  /** Notes that a run has met hours without a price (`unpriced`), and hours whose prices a node did not tell (`unread`). */
  noteLacking(snapshot: Snapshot, { unpriced, unread }: LackingPrices): void {
    const known = this.lackingAt(snapshot);
    this.#lacking.set(snapshot, { unpriced: known.unpriced || unpriced, unread: known.unread || unread });
  }

  lackingAt(snapshot: Snapshot): LackingPrices {
    return this.#lacking.get(snapshot) ?? { unpriced: false, unread: false };
  }

  /** Range of the stored prices, queried once per snapshot. */
  range(snapshot: Snapshot, ask: () => Promise<StoredHours | null>): Promise<StoredHours | null> {
    const known = this.#ranges.get(snapshot);
    if (known !== undefined) return known;
    const range = ask();
    this.#ranges.set(snapshot, range);
    // Its awaiters see the failure; the next call queries again.
    range.catch(() => this.#ranges.delete(snapshot));
    return range;
  }

  /** Prices of `wanted`; missing ones come from `compute`. A pair without a price is absent. */
  async read(
    moment: string,
    wanted: readonly TokenHour[],
    compute: (missing: readonly TokenHour[]) => Promise<TokenPrices>,
  ): Promise<TokenPrices> {
    const known = this.#open(moment);
    const missing = wanted.filter(({ token, hour }) => !known.has(priceKey(token, hour)));
    const own = missing.length === 0 ? null : this.#start(known, missing, compute);
    const found = new Map<string, Price>();
    const lost: TokenHour[] = [];
    const take = (prices: TokenPrices, pairs: readonly TokenHour[]): void => {
      for (const { token, hour } of pairs) {
        const price = prices.get(priceKey(token, hour));
        if (price !== undefined) found.set(priceKey(token, hour), price);
      }
    };
    for (const [work, pairs] of byWork(known, wanted)) {
      try {
        take(await work, pairs);
      } catch (error) {
        // Another caller's computation may have ended with its deadline, which is no failure of this one.
        if (work === own) throw error;
        lost.push(...pairs);
      }
    }
    if (lost.length > 0) take(await compute(lost), lost);
    return found;
  }

  #open(moment: string): PendingPrices {
    const known = this.#moments.get(moment);
    const open: PendingPrices = known === undefined || known.size > PAIRS_MAX ? new Map() : known;
    this.#moments.delete(moment);
    this.#moments.set(moment, open);
    const [oldest] = this.#moments.keys();
    if (this.#moments.size > MOMENTS_MAX && oldest !== undefined) this.#moments.delete(oldest);
    return open;
  }

  #start(
    known: PendingPrices,
    missing: readonly TokenHour[],
    compute: (missing: readonly TokenHour[]) => Promise<TokenPrices>,
  ) {
    const work = compute(missing);
    const keys = missing.map(({ token, hour }) => priceKey(token, hour));
    for (const key of keys) known.set(key, work);
    work.catch(() => {
      for (const key of keys) if (known.get(key) === work) known.delete(key);
    });
    return work;
  }
}

const byWork = (
  known: PendingPrices,
  wanted: readonly TokenHour[],
): ReadonlyMap<Promise<TokenPrices>, readonly TokenHour[]> => {
  const groups = new Map<Promise<TokenPrices>, TokenHour[]>();
  for (const pair of wanted) {
    const work = known.get(priceKey(pair.token, pair.hour));
    if (work === undefined) continue;
    const group = groups.get(work) ?? [];
    group.push(pair);
    groups.set(work, group);
  }
  return groups;
};
