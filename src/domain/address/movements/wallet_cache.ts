import type { Hex } from "../../../lib/bytes.ts";
import type { Snapshot } from "../../../store/facts.ts";

/** A cached part of the final blocks of a wallet's history from `since` (unix seconds) on. */
interface WalletCacheEntry {
  readonly since: number;
}

/** Statistics of the cache, with its approximate bytes. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

interface CacheBounds<T> {
  /** Approximate bytes; they may grow while the part is cached. */
  readonly sizeOf: (part: T) => number;
  /** Larger parts are not cached. */
  readonly one_max: number;
  readonly all_max: number;
  /** Whether the cached part stays when a new one arrives; never by default. */
  readonly stays?: (held: T, next: T) => boolean;
}

/** Backfilled history or other kinds of facts are another history. */
const nameOf = ({ network, generation, from_block, coverage, rewrites }: Snapshot, wallet: Hex): string =>
  `${network} ${generation} ${wallet} ${from_block} ${coverage.traces} ${coverage.gaps.join(" ")} ${rewrites ?? 0}`;

/**
 * Cache of wallet data in this process only. Data of final blocks is not affected by reorganisations or promotions: its
 * users read the later blocks themselves. Other data contains its base, and is found by it (`findWhere`).
 */
export class WalletCache<T extends WalletCacheEntry> implements CacheFigures {
  hits = 0;
  misses = 0;
  /** Least recently used first. */
  readonly #held = new Map<string, T>();
  readonly #bounds: CacheBounds<T>;

  constructor(bounds: CacheBounds<T>) {
    this.#bounds = bounds;
  }

  /** The cached part that covers the time from `since` on, at any block of the snapshot; null without one. */
  find(snapshot: Snapshot, wallet: Hex, since: number): T | null {
    return this.findWhere(snapshot, wallet, (kept) => kept.since <= since);
  }

  /** The cached part of a wallet if it fits; null without one. */
  findWhere(snapshot: Snapshot, wallet: Hex, fits: (kept: T) => boolean): T | null {
    const name = nameOf(snapshot, wallet);
    const kept = this.#held.get(name);
    if (kept === undefined || !fits(kept)) {
      this.misses += 1;
      return null;
    }
    this.hits += 1;
    this.#held.delete(name);
    this.#held.set(name, kept);
    return kept;
  }

  /** The cached part of a wallet, without counting a hit or miss. */
  peek(snapshot: Snapshot, wallet: Hex): T | null {
    return this.#held.get(nameOf(snapshot, wallet)) ?? null;
  }

  /** Replaces the cached part of the wallet. */
  keep(snapshot: Snapshot, wallet: Hex, part: T): void {
    const name = nameOf(snapshot, wallet);
    const held = this.#held.get(name);
    const { sizeOf, one_max, all_max, stays } = this.#bounds;
    if (held !== undefined && stays?.(held, part) === true) return;
    this.#held.delete(name);
    if (sizeOf(part) > one_max) return;
    this.#held.set(name, part);
    let size = this.bytes;
    for (const [oldest, one] of this.#held) {
      if (size <= all_max) break;
      this.#held.delete(oldest);
      size -= sizeOf(one);
    }
  }

  get bytes(): number {
    return [...this.#held.values()].reduce((sum, one) => sum + this.#bounds.sizeOf(one), 0);
  }
}
