import { weightOf } from "./weight.ts";

/** How often what was wanted was there, and what it takes. */
export interface RowCacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

/** Largest share of the cache for one key; larger values are not cached. */
const PART_MAX = 1 / 16;
/** The map's own share of each key. */
const ENTRY_BYTES = 96;
/** No row takes less: very many need not be weighed. */
const ROW_BYTES_MIN = 32;

type CachedRows = readonly object[];

interface CacheEntry {
  /** Version of the rows' inputs. */
  readonly stamp: string;
  readonly rows: CachedRows;
  readonly bytes: number;
}

/** LRU cache of rows by key, of at most `bytes_max` bytes. */
export class RowCache implements RowCacheFigures {
  readonly #bytes_max: number;
  /** Least recently wanted first. */
  readonly #kept = new Map<string, CacheEntry>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(bytes_max: number) {
    this.#bytes_max = bytes_max;
  }

  get bytes(): number {
    return this.#bytes;
  }
  get hits(): number {
    return this.#hits;
  }
  get misses(): number {
    return this.#misses;
  }

  /** Null where nothing is kept, or what is kept follows from something else. */
  take(key: string, stamp: string): CachedRows | null {
    const kept = this.#kept.get(key);
    if (kept?.stamp !== stamp) {
      this.#misses += 1;
      return null;
    }
    this.#hits += 1;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.rows;
  }

  put(key: string, stamp: string, rows: CachedRows): void {
    this.#remove(key);
    const one_max = this.#bytes_max * PART_MAX;
    if (rows.length * ROW_BYTES_MIN > one_max) return;
    const bytes = ENTRY_BYTES + weightOf(key) + rows.reduce((sum, row) => sum + 8 + weightOf(row), 0);
    if (bytes > one_max) return;
    this.#kept.set(key, { stamp, rows, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytes_max) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
