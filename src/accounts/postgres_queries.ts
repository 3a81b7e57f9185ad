import { createHash } from "node:crypto";
import pg from "pg";
import type { Queries, SqlRow, SqlValue } from "./database.ts";

/** @param time_limit_ms client-side limit for one answer; the connection's own limit by default. */
export const queriesOn = (target: pg.Pool | pg.ClientBase, time_limit_ms?: number): Queries => {
  const ask = async (sql: string, values: readonly SqlValue[]) => {
    const named = { name: nameOf(sql), text: sql, values: [...values] };
    // The client reads `query_timeout`; its types lack it.
    const config: pg.QueryConfig =
      time_limit_ms === undefined ? named : Object.assign(named, { query_timeout: time_limit_ms });
    return target.query<Record<string, SqlValue>>(config);
  };
  const rows = async (sql: string, values: readonly SqlValue[]) => {
    const { rows: found, rowCount, fields } = await ask(sql, values);
    // A column with a corrupted name would be missing from its row, and a missing value could be read as null.
    const strange = fields.find(({ name, dataTypeID }) => !/^[\x20-\x7e]+$/.test(name) || !TYPES.has(dataTypeID));
    if (strange !== undefined) throw unreadable(`a column of type ${strange.dataTypeID}`);
    if (rowCount === null || rowCount === found.length) return found;
    throw unreadable(`${found.length} rows of ${rowCount}`);
  };
  return {
    // The server types rows as unknown; the caller names the columns of the statement it wrote.
    all: async <T extends SqlRow>(sql: string, values: readonly SqlValue[] = []) =>
      (await rows(sql, values)) as SqlRow[] as T[],
    get: async <T extends SqlRow>(sql: string, values: readonly SqlValue[] = []) =>
      ((await rows(sql, values))[0] as T | undefined) ?? null,
    run: async (sql, values = []) => (await ask(sql, values)).rowCount ?? 0,
  };
};

/** Object ids of PostgreSQL's types (pg_type.dat). */
const INT8 = 20;
const NUMERIC = 1700;
/** bool, name, bigint, smallint, integer, text, oid, unknown, varchar, numeric: all types that the statements return. */
const TYPES: ReadonlySet<number> = new Set([16, 19, INT8, 21, 23, 25, 26, 705, 1043, NUMERIC]);

/** 64-bit numbers and their sums as JavaScript numbers (all of Assay's are below 2^53), anything else as the library parses it. */
export const parserOf = (oid: number): ((text: string) => unknown) =>
  oid === INT8 || oid === NUMERIC ? numberOf : pg.types.getTypeParser(oid);

const numberOf = (text: string): number => {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw unreadable("an invalid number");
};

/** Worded like the library's own lost connections: nothing after such bytes is reliable. */
const unreadable = (what: string): Error => new Error(`Connection terminated: the answer holds ${what}`);

const names = new Map<string, string>();

/** The name under which a connection keeps a statement prepared. */
const nameOf = (sql: string): string => {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(sql).digest("hex").slice(0, 32);
  names.set(sql, name);
  return name;
};

/** A 64-bit number for the server's advisory locks; two names with the same number merely wait for each other. */
export const lockNumber = (name: string): string =>
  createHash("sha256").update(`assay ${name}`).digest().readBigInt64BE().toString();
