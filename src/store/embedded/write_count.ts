import { randomUUID } from "node:crypto";
import { isRead } from "./protocol.ts";

/** Statements that change one table, which they name first. */
const OF_ONE_TABLE =
  /^(?:\s+|--[^\n]*\n)*(?:INSERT\s+INTO\s+(?:TABLE\s+)?|ALTER\s+TABLE\s+|DELETE\s+FROM\s+|(?:CREATE|DROP|TRUNCATE|OPTIMIZE)\s+TABLE\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?)(?!FUNCTION\b|TABLE\b)(?:`?\w+`?\.)?`?(\w+)\b`?(?!\s*[,.])/i;
/** Rows that go from one table to another. */
const TO_ANOTHER = /^(?:\s+|--[^\n]*\n)*ALTER\s[\s\S]*\bTO\s+TABLE\b/i;

/** The table that a statement changes; null where it may be any: of a statement that is not known it is. */
export const tableChangedBy = (sql: string): string | null =>
  TO_ANOTHER.test(sql) ? null : (OF_ONE_TABLE.exec(sql)?.[1] ?? null);

/** Rows on their way (staging_tables.ts), in tables of random names that no question reads. */
const isPrivate = (table: string): boolean => table.startsWith("stage_");

/**
 * The only network whose rows a statement changes, named in the statements of indexers and of processes that fill a range (epochs.ts,
 * fence.ts, final_statements.ts); '' when the statement may change any network.
 */
const networkOf = (id: string): string => /^assay-(?:write|index):([^:@]+)[:@]/.exec(id)?.[1] ?? "";

/**
 * Counts the statements that may have changed a table, at their start and at their end, each network's own apart: an
 * opener that sees the same count twice may keep what it has read of the table in between. Rows that a view adds to
 * another table are counted where they were put in.
 */
export class WriteCount {
  readonly #engine = randomUUID();
  #all = 0;
  readonly #tables = new Map<string, Map<string, number>>();

  async around<T>({ sql, id }: { readonly sql: string; readonly id: string }, run: () => Promise<T>): Promise<T> {
    if (isRead(sql)) return run();
    const table = tableChangedBy(sql);
    if (table !== null && isPrivate(table)) return run();
    const count = (): void => this.#count(table, networkOf(id));
    count();
    try {
      return await run();
    } finally {
      count();
    }
  }

  #count(table: string | null, network: string): void {
    if (table === null) {
      this.#all += 1;
      return;
    }
    const counts = this.#tables.get(table) ?? new Map<string, number>();
    this.#tables.set(table, counts);
    counts.set(network, (counts.get(network) ?? 0) + 1);
  }

  /** As `writesFrom` reads it (writes.ts). */
  toString(): string {
    const tables = [...this.#tables].map(([table, counts]) => [table, Object.fromEntries(counts)] as const);
    return JSON.stringify({ store: `${this.#engine}:${this.#all}`, tables: Object.fromEntries(tables) });
  }
}
