import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Secret } from "../../lib/log.ts";
import type { Database } from "../database.ts";
import type { AccountsLocation } from "../engine.ts";
import { openPostgres } from "../postgres.ts";
import { openSqlite } from "../sqlite.ts";
import { sharedPostgres } from "./shared_postgres.ts";

/** Engine under test in this run of a test file. */
const on_postgres = process.env.TEST_ACCOUNTS_ENGINE === "postgres";

/** An empty store of the engine under test. */
export interface TemporaryAccounts {
  readonly place: AccountsLocation;
  /** All data that the store has written: its files, or its rows as text. */
  contents(): Promise<readonly Buffer[]>;
  remove(): Promise<void>;
}

export const makeTemporaryAccounts = (): Promise<TemporaryAccounts> => (on_postgres ? makeSchema() : makeFolder());

/** Another connection to a store, like another process's. */
export const connectTo = async (place: AccountsLocation, busy_wait_ms?: number): Promise<Database> => {
  if (place.engine === "sqlite") return openSqlite(place.path, busy_wait_ms);
  return openPostgres(busy_wait_ms === undefined ? place : { ...place, busy_wait_ms });
};

/** A location as an argument of a process. */
export const writeLocation = (place: AccountsLocation): string =>
  JSON.stringify(place.engine === "sqlite" ? place : { ...place, url: place.url.reveal() });

/** Reads it in that process. */
export const readLocation = (text: string): AccountsLocation => {
  // The parent process wrote it.
  const place = JSON.parse(text) as { engine: "sqlite"; path: string } | { engine: "postgres"; url: string };
  return place.engine === "sqlite" ? place : { ...place, url: new Secret(place.url), connections: 8 };
};

const makeFolder = async (): Promise<TemporaryAccounts> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-accounts-"));
  return {
    place: { engine: "sqlite", path: join(folder, "accounts.db") },
    // In a separate process: closing a file here would drop the locks that the engine has on it.
    contents: async () => readdirSync(folder).map((name) => execFileSync("cat", [join(folder, name)])),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
};

let schemas = 0;
let file_url: Promise<string> | null = null;

/** A separate schema in the test file's database: much faster than a database, and as empty. */
const makeSchema = async (): Promise<TemporaryAccounts> => {
  file_url ??= makeDatabase();
  const url = new URL(await file_url);
  schemas += 1;
  const name = `store_${schemas}`;
  await administer(url.href, `create schema ${name}`);
  const inside = new URL(url);
  inside.searchParams.set("options", `-c search_path=${name}`);
  return {
    place: { engine: "postgres", url: new Secret(inside.href), connections: 8 },
    contents: () => readRows(inside.href, name),
    // It ends with the run's server; dropping its tables takes as long as creating them.
    remove: async () => undefined,
  };
};

const makeDatabase = async (): Promise<string> => {
  const server = new URL(await sharedPostgres());
  const name = `file_${process.pid}_${Date.now().toString(36)}`;
  await administer(server.href, `create database ${name}`);
  server.pathname = `/${name}`;
  return server.href;
};

const readRows = async (url: string, schema: string): Promise<readonly Buffer[]> => {
  const tables = await administer(url, `select tablename as text from pg_tables where schemaname = '${schema}'`);
  const rows = await Promise.all(tables.map((table) => administer(url, `select t::text as text from ${table} t`)));
  return rows.flat().map((text) => Buffer.from(text));
};

/** @returns the column `text` of each row. */
const administer = async (url: string, sql: string): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(sql);
    return rows.map((row) => row.text);
  } finally {
    await client.end();
  }
};
