import { createHash } from "node:crypto";
import { keyOf } from "../../lib/key.ts";
import type { Engine } from "../engine.ts";
import type { QueryColumns, QueryName, QueryRow } from "../facts.ts";
import { type QueryValues, queryColumns, queryRows } from "../query.ts";
import type { RowCache } from "./row_cache.ts";
import type { WriteStamp } from "./write_stamps.ts";

/** Longer parameters (thousands of tokens and hours) are keyed by their hash, to save memory. */
const KEY_CHARACTERS_MAX = 1_024;

const shortOf = (key: string): string =>
  key.length <= KEY_CHARACTERS_MAX ? key : createHash("sha256").update(key).digest("base64");

/**
 * Cached rows of facts that every new block may change. Callers that request a wallet's profile and then its profit and loss, or a
 * popular token, repeat many queries at the same block. Rows are reused for the same query with the same parameters, which
 * include the snapshot's blocks, until a write to one of its tables.
 */
export class Recent {
  readonly #ground: WriteStamp;
  readonly #shelf: RowCache;

  constructor(ground: WriteStamp, shelf: RowCache) {
    this.#ground = ground;
    this.#shelf = shelf;
  }

  /** Like `queryRows`. */
  ask<N extends QueryName>(
    engine: Pick<Engine, "query">,
    query: N,
    values: QueryValues,
  ): Promise<readonly QueryRow<N>[]> {
    const ask = async (): Promise<readonly QueryRow<N>[]> => {
      const rows = await queryRows(engine, query, values);
      for (const row of rows) Object.freeze(row); // many answers are made of it
      return Object.freeze(rows);
    };
    // This name has only rows of this query.
    return this.#kept("rows", { query, values }, ask) as Promise<readonly QueryRow<N>[]>;
  }

  /** Like `queryColumns`. */
  async columns<N extends QueryName>(
    engine: Pick<Engine, "native">,
    query: N,
    values: QueryValues,
  ): Promise<QueryColumns<N>> {
    const ask = async (): Promise<readonly [QueryColumns<N>]> => [await queryColumns(engine, query, values)];
    const [columns] = await this.#kept("columns", { query, values }, ask);
    return columns;
  }

  async #kept<T extends readonly object[]>(
    form: string,
    { query, values }: { readonly query: QueryName; readonly values: QueryValues },
    ask: () => Promise<T>,
  ): Promise<T> {
    const stamp = this.#ground.stamp(query, values);
    if (stamp === null) return ask();
    const key = `${form} ${query} ${shortOf(keyOf(values))}`;
    const kept = this.#shelf.take(key, stamp);
    // The value of this key is the result of `ask`.
    if (kept !== null) return kept as T;
    const rows = await ask();
    this.#shelf.put(key, stamp, rows);
    return rows;
  }
}
