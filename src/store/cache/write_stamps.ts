import type { QueryName } from "../facts.ts";
import { QUERIES } from "../queries.gen.ts";
import type { QueryValues } from "../query.ts";
import { questionText } from "../question_text.ts";
import { FED_BY } from "../tables.gen.ts";
import { tablesRead } from "../tables_read.ts";
import type { WriteObserver } from "../write_observer.ts";

/**
 * Returns the tables that a query depends on. A view's rows count as writes to the table that feeds it (embedded/write_count.ts). The
 * engine completes an interrupted deletion by itself, only of blocks and only before their segment is done: the segment's `done`
 * row invalidates rows read meanwhile.
 */
const tablesUnder = (query: QueryName): readonly string[] => {
  const tables = tablesRead(questionText(query));
  const fed = tables.flatMap((table) => FED_BY[table] ?? []);
  const of_blocks = ["to_block", "rest_to"].some((name) => name in QUERIES[query].params);
  return [...new Set([...tables, ...fed, ...(of_blocks ? ["segments"] : [])])];
};

/** Version of an answer's inputs: how often its tables had been written at the last look. */
export class WriteStamp {
  readonly #looks: WriteObserver;
  readonly #tables = new Map<QueryName, readonly string[]>();

  constructor(looks: WriteObserver) {
    this.#looks = looks;
  }

  /** Stays the same as long as nothing is written that the answer may follow from; null before the first look. */
  stamp(query: QueryName, { network }: QueryValues): string | null {
    const writes = this.#looks.latest();
    if (writes === null) return null;
    const tables = this.#tables.get(query) ?? tablesUnder(query);
    this.#tables.set(query, tables);
    const is_of_network = "network" in QUERIES[query].params;
    return writes.of(tables, is_of_network && typeof network === "string" ? network : null);
  }
}
