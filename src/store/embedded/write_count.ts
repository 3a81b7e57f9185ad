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

/** Rows on their way (stage.ts), in tables of random names that no question reads. */
const isPrivate = (table: string): boolean => table.startsWith("stage_");

/**
 * Counts the statements that may have changed a table, at their start and at their end: an opener that sees the same
 * count twice may keep what it has read of the table in between. Rows that a view adds to another table are counted
 * where they were put in.
 */
export class WriteCount {
  readonly #engine = randomUUID();
  #all = 0;
  readonly #tables = new Map<string, number>();

  async around<T>(sql: string, run: () => Promise<T>): Promise<T> {
    if (isRead(sql)) return run();
    const table = tableChangedBy(sql);
    if (table !== null && isPrivate(table)) return run();
    this.#count(table);
    try {
      return await run();
    } finally {
      this.#count(table);
    }
  }

  #count(table: string | null): void {
    if (table === null) this.#all += 1;
    else this.#tables.set(table, (this.#tables.get(table) ?? 0) + 1);
  }

  /** As `writesFrom` reads it (writes.ts). */
  toString(): string {
    return JSON.stringify({ store: `${this.#engine}:${this.#all}`, tables: Object.fromEntries(this.#tables) });
  }
}
