import type { Engine } from "../engine.ts";
import type { QueryName, QueryRow } from "../facts.ts";
import { type QueryValues, queryRows } from "../query.ts";
import { type AsOf, CACHED_QUERIES, type CacheDefinition } from "./cached_queries.ts";
import { type ElementBatch, elementBatch, elementName, narrowed } from "./element_batch.ts";
import type { RowCache } from "./row_cache.ts";
import { inOrder } from "./rows_in_order.ts";
import type { WriteStamp } from "./write_stamps.ts";

/** Longer lists rarely repeat and would evict everything else. */
const ELEMENTS_MAX = 10_000;

/** Ends that no snapshot has reached. */
const OPEN = { to_block: Number.MAX_SAFE_INTEGER, block_time: 2 ** 32 - 1 } as const;

type CacheEngine = Pick<Engine, "query">;

interface CachedQuery<N extends QueryName> {
  readonly query: N;
  readonly entry: CacheDefinition<N>;
  readonly values: QueryValues;
  readonly page: ElementBatch;
}

/** Rows by the element that they belong to. */
type RowsByElement<N extends QueryName> = Map<string, readonly QueryRow<N>[]>;

/**
 * Rarely changing facts, cached element by element: an element is read once until something is written to
 * a table that it was read from. An answer is one that the engine could have given since the last look at what was written
 * (`Looks`), and every snapshot begins with a look: so nothing that was acknowledged before a call is missing in it.
 */
export class FactsCache {
  readonly #ground: WriteStamp;
  readonly #shelf: RowCache;

  constructor(ground: WriteStamp, shelf: RowCache) {
    this.#ground = ground;
    this.#shelf = shelf;
  }

  /** Like `queryRows`, cached for the queries in the entries. */
  async ask<N extends QueryName>(engine: CacheEngine, query: N, values: QueryValues): Promise<readonly QueryRow<N>[]> {
    const entry: CacheDefinition<N> | undefined = CACHED_QUERIES[query];
    const stamp = this.#ground.stamp(query, values);
    if (entry === undefined || stamp === null) return queryRows(engine, query, values);
    const page = elementBatch(query, entry, values);
    if (page.elements.size > ELEMENTS_MAX) return queryRows(engine, query, values);
    const question = { query, entry, values, page };
    const found = await this.#read(engine, question, `${stamp} ${page.ground}`);
    const seen = await seenAt(engine, question, found);
    return inOrder(entry, [...seen.values()]);
  }

  /** Rows of every element, later ones too. */
  async #read<N extends QueryName>(
    engine: CacheEngine,
    question: CachedQuery<N>,
    stamp: string,
  ): Promise<RowsByElement<N>> {
    const { query, entry, values, page } = question;
    const found: RowsByElement<N> = new Map();
    const missing: string[] = [];
    for (const name of page.elements.keys()) {
      const kept = this.#shelf.take(page.prefix + name, stamp);
      // This prefix has only rows of this query.
      if (kept === null) missing.push(name);
      else found.set(name, kept as readonly QueryRow<N>[]);
    }
    if (missing.length === 0) return found;
    const open = entry.as_of === null ? values : { ...values, [entry.as_of.bound]: OPEN[entry.as_of.bound] };
    const rows = await queryRows(engine, query, narrowed(entry, open, positionsOf(page, missing)));
    for (const [name, own] of byElement(question, rows, missing)) {
      this.#shelf.put(page.prefix + name, stamp, own);
      found.set(name, own);
    }
    return found;
  }
}

const positionsOf = ({ elements }: ElementBatch, names: readonly string[]): readonly number[] =>
  names.map((name) => elements.get(name) ?? 0);

/** Rows by element, none for an element without rows. */
const byElement = <N extends QueryName>(
  { query, entry }: CachedQuery<N>,
  rows: readonly QueryRow<N>[],
  names: readonly string[],
): RowsByElement<N> => {
  for (const row of rows) Object.freeze(row); // many answers are made of it
  if (entry.lists.length === 0) return new Map(names.map((name) => [name, rows]));
  const found = new Map(names.map((name): [string, QueryRow<N>[]] => [name, []]));
  for (const row of rows) {
    const own = new Set(entry.owners.map((columns) => elementName(columns.map((column) => row[column]))));
    if (![...own].some((name) => found.has(name)))
      throw new RangeError(`${query}: a row of ${[...own].join(", ")}, which was not requested`);
    for (const name of own) found.get(name)?.push(row);
  }
  return found;
};

const isLater = <N extends QueryName>(row: QueryRow<N>, { column }: AsOf<N>, bound: number): boolean => {
  const at: unknown = row[column];
  return typeof at === "number" && at > bound;
};

/** Rows that are visible at the bound. */
const seenAt = async <N extends QueryName>(
  engine: CacheEngine,
  { query, entry, values, page }: CachedQuery<N>,
  found: RowsByElement<N>,
): Promise<RowsByElement<N>> => {
  const { as_of } = entry;
  if (as_of === null) return found;
  const bound = Number(values[as_of.bound]);
  const seen: RowsByElement<N> = new Map();
  const doubtful: string[] = [];
  for (const [name, rows] of found) {
    if (!rows.some((row) => isLater(row, as_of, bound))) seen.set(name, rows);
    else if (as_of.later === "doubtful") doubtful.push(name);
    else
      seen.set(
        name,
        rows.filter((row) => !isLater(row, as_of, bound)),
      );
  }
  if (doubtful.length > 0)
    seen.set(doubtful.join(), await queryRows(engine, query, narrowed(entry, values, positionsOf(page, doubtful))));
  return seen;
};
