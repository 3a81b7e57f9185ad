/** Queries of a tool to the engine: their number, and the rows that each reads (the engine's own count). */
import { readFileSync } from "node:fs";
import type { Engine, Options, ResultCell } from "../src/store/engine.ts";
import { enginePid } from "./memory.ts";

export interface QueryFigures {
  /** The first line of its `.sql` file. */
  readonly says: string;
  readonly rows_read: number;
  /** Of its answer. */
  readonly rows: number;
  /** CPU of the engine, milliseconds in steps of 10 (proc(5)). */
  readonly cpu_ms: number;
}

/** An answer in ClickHouse's format JSONCompact. */
interface CompactResponse {
  readonly data: readonly (readonly ResultCell[])[];
  readonly statistics: { readonly rows_read: number };
}

/** CPU seconds of the engine that serves `facts_dir` (proc(5): hundredths of a second). */
export const engineSeconds = (facts_dir: string): number => {
  const fields =
    readFileSync(`/proc/${enginePid(facts_dir)}/stat`, "utf8")
      .split(") ")[1]
      ?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/**
 * The engine remembers which granules matched a condition. In life each call is at another block, and so is every
 * condition: here the second call of a case must not reuse the memory of the first.
 */
export const forgetConditions = (engine: Engine): void => {
  const { query, native } = engine;
  const fresh = (options: Options = {}): Options => ({
    ...options,
    settings: { ...options.settings, use_query_condition_cache: 0 },
  });
  Object.assign(engine, {
    query: (sql: string, options?: Options) => query(sql, fresh(options)),
    native: (sql: string, options?: Options) => native(sql, fresh(options)),
  });
};

/**
 * Runs `work` with each of the engine's queries counted, one after the other. A query for columns runs twice, because
 * that format has no statistics.
 */
export const countQuestions = async (
  [engine, facts_dir]: readonly [Engine, string],
  work: () => Promise<unknown>,
): Promise<readonly QueryFigures[]> => {
  const questions: QueryFigures[] = [];
  const { query, native } = engine;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (sql: string, options: Options | undefined): Promise<CompactResponse["data"]> => {
    const from = engineSeconds(facts_dir);
    const answer = await native(`${sql}\nFORMAT JSONCompact`, options);
    const cpu_ms = Math.round((engineSeconds(facts_dir) - from) * 1000);
    // The requested format.
    const { data, statistics } = JSON.parse(answer.toString("utf8")) as CompactResponse;
    const says = sql.slice(0, sql.indexOf("\n"));
    questions.push({ says, rows_read: statistics.rows_read, rows: data.length, cpu_ms });
    return data;
  };
  const inTurn = (sql: string, options: Options | undefined): Promise<CompactResponse["data"]> => {
    const turn = last.then(() => ask(sql, options));
    last = turn.catch(() => undefined);
    return turn;
  };
  Object.assign(engine, {
    query: inTurn,
    native: async (sql: string, options?: Options): Promise<Buffer> => {
      await inTurn(sql, options);
      return await native(sql, options);
    },
  });
  try {
    await work();
  } finally {
    await last;
    Object.assign(engine, { query, native });
  }
  return questions;
};
