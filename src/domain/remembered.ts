/** Results of long computations, remembered while the facts that they follow from stay the same. */
import { keyOf } from "../lib/key.ts";
import { overriding } from "../lib/overriding.ts";
import type { Facts, QueryName } from "../store/facts.ts";

/** Results may contain reads of a node, which no write to the facts outdates. */
const KEPT_MS = 60_000;

/** A query of a result, with the version of its tables before it was read. */
interface StampedRead {
  readonly query: QueryName;
  readonly network: string;
  readonly stamp: string | null;
}

/** The queries of a computation. */
export interface RecordedReads {
  /** Null: some table was written meanwhile, or its version is unknown. */
  list(): readonly StampedRead[] | null;
}

/** `facts` with a record of their queries. */
export const recordStamps = (facts: Facts): { readonly facts: Facts; readonly reads: RecordedReads } => {
  const reads = new Map<string, StampedRead>();
  let is_steady = true;
  const note = async (query: QueryName, network: string): Promise<void> => {
    const stamp = await facts.stampOf(query, network);
    const key = `${query} ${network}`;
    if (stamp === null || stamp !== (reads.get(key)?.stamp ?? stamp)) is_steady = false;
    reads.set(key, { query, network, stamp });
  };
  const recorded = (inner: Facts): Facts => {
    const own: Pick<Facts, "ask" | "columns" | "withSignal"> = {
      ask: async (snapshot, query, params) => {
        await note(query, snapshot.network);
        return inner.ask(snapshot, query, params);
      },
      columns: async (snapshot, query, params) => {
        await note(query, snapshot.network);
        return inner.columns(snapshot, query, params);
      },
      withSignal: (signal) => recorded(inner.withSignal(signal)),
    };
    return overriding(inner, own);
  };
  return { facts: recorded(facts), reads: { list: () => (is_steady ? [...reads.values()] : null) } };
};

interface KeptResult<T> {
  readonly value: T;
  readonly reads: readonly StampedRead[];
  readonly weight: number;
  readonly until_ms: number;
}

/** LRU memory of results of at most `weight_max` together, each of at most a third of it. Create one per store (`Facts.own`). */
export class RememberedResults<T> {
  readonly #weight_max: number;
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptResult<T>>();
  #weight = 0;

  constructor(weight_max: number) {
    this.#weight_max = weight_max;
  }

  /** The result of this key; null when none is kept, or a table of its queries was written since. */
  async recall(facts: Pick<Facts, "stampOf">, key: unknown, now_ms = Date.now()): Promise<T | null> {
    const name = keyOf(key);
    const kept = this.#kept.get(name);
    if (kept === undefined) return null;
    const stamps = await Promise.all(kept.reads.map(({ query, network }) => facts.stampOf(query, network)));
    const is_current = now_ms < kept.until_ms && stamps.every((stamp, at) => stamp === kept.reads[at]?.stamp);
    this.#forget(name);
    if (!is_current) return null;
    this.#put(name, kept);
    return kept.value;
  }

  /** Keeps a result, unless it is too large or its facts changed meanwhile. `weight`: about its number of objects. */
  keep(key: unknown, { value, reads, weight }: RememberedResult<T>, now_ms = Date.now()): void {
    const list = reads.list();
    if (list === null || weight > this.#weight_max / 3) return;
    const name = keyOf(key);
    this.#forget(name);
    this.#put(name, { value, reads: list, weight, until_ms: now_ms + KEPT_MS });
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#weight_max) break;
      this.#forget(oldest);
    }
  }

  #put(name: string, kept: KeptResult<T>): void {
    this.#forget(name);
    this.#kept.set(name, kept);
    this.#weight += kept.weight;
  }

  #forget(name: string): void {
    this.#weight -= this.#kept.get(name)?.weight ?? 0;
    this.#kept.delete(name);
  }
}

interface RememberedResult<T> {
  readonly value: T;
  readonly reads: RecordedReads;
  readonly weight: number;
}
