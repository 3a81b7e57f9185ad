import { createHash } from "node:crypto";
import type pg from "pg";
import type { Queries, Row, Value } from "./database.ts";

/** @param time_limit_ms how long this side waits for one answer; the connection's own limit by default. */
export const queriesOn = (target: pg.Pool | pg.ClientBase, time_limit_ms?: number): Queries => {
  const ask = async (sql: string, values: readonly Value[]) => {
    const named = { name: nameOf(sql), text: sql, values: [...values] };
    // The client reads `query_timeout`; its types do not know it.
    const config: pg.QueryConfig =
      time_limit_ms === undefined ? named : Object.assign(named, { query_timeout: time_limit_ms });
    return target.query<Record<string, Value>>(config);
  };
  const rows = async (sql: string, values: readonly Value[]) => {
    const { rows: found, rowCount } = await ask(sql, values);
    if (rowCount === null || rowCount === found.length) return found;
    throw new Error(`Connection terminated: ${found.length} rows came of ${rowCount}`);
  };
  return {
    // The server types rows as unknown; the caller names the columns of the statement it wrote.
    all: async <T extends Row>(sql: string, values: readonly Value[] = []) => (await rows(sql, values)) as Row[] as T[],
    get: async <T extends Row>(sql: string, values: readonly Value[] = []) =>
      ((await rows(sql, values))[0] as T | undefined) ?? null,
    run: async (sql, values = []) => (await ask(sql, values)).rowCount ?? 0,
  };
};

const names = new Map<string, string>();

/** The name under which a connection keeps a statement prepared. */
const nameOf = (sql: string): string => {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(sql).digest("hex").slice(0, 32);
  names.set(sql, name);
  return name;
};

/** A 64-bit number for the server's advisory locks; two names of one number merely wait for each other. */
export const lockNumber = (name: string): string =>
  createHash("sha256").update(`assay ${name}`).digest().readBigInt64BE().toString();
