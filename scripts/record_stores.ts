// Records small stores of a release, so that later releases are tested on them (test/upgrade):
//   node dist/scripts/record_stores.js DATA_DIR NETWORK FOLDER
// The release must not be running. Rows of the label pack are left out: every release brings its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { snapshotAccounts } from "../src/accounts/snapshot.ts";
import { type Engine, openEngine } from "../src/store/engine.ts";
import { encodeParam } from "../src/store/param.ts";

/** One table of recorded facts; its rows follow the header, in RowBinary. */
interface RecordedTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly bytes: number;
}

/** First line of recorded facts. */
export interface FactsHeader {
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly hash: string }[];
  readonly tables: readonly RecordedTable[];
}

const LEFT_OUT = new Set(["migrations", "labels", "lists"]);

const TABLES_SQL = `SELECT table, groupArray(name) FROM (
    SELECT table, name FROM system.columns
    WHERE database = {database:String} AND default_kind NOT IN ('ALIAS', 'MATERIALIZED') ORDER BY table, position)
  WHERE table IN (SELECT name FROM system.tables WHERE database = {database:String} AND endsWith(engine, 'MergeTree'))
  GROUP BY table ORDER BY table`;

const VIEWS_SQL = `SELECT extract(create_table_query, ' TO [^ .]+\\.(\\w+)') FROM system.tables
  WHERE database = {database:String} AND engine = 'MaterializedView'`;

/** Views write their rows again when the record is read: the rows of the tail, or all rows of a table without a tail. */
const conditionsFor = (columns: readonly string[], is_fed: boolean): readonly string[] => [
  ...(columns.includes("network") ? ["network = {network:String}"] : []),
  ...(is_fed ? [columns.includes("tail") ? "tail = 0" : "false"] : []),
];

const recordFacts = async (engine: Engine, network: string): Promise<Buffer> => {
  const of = { params: { database: engine.database } };
  const migrations = await engine.query("SELECT number, name, hash FROM migrations FINAL ORDER BY number");
  const fed = new Set((await engine.query(VIEWS_SQL, of)).map(([name]) => String(name)));
  const tables: RecordedTable[] = [];
  const rows: Buffer[] = [];
  for (const [name, names] of await engine.query(TABLES_SQL, of)) {
    const table = String(name);
    if (LEFT_OUT.has(table)) continue;
    // groupArray(String) is a list of strings.
    const columns = names as readonly string[];
    const conditions = ["true", ...conditionsFor(columns, fed.has(table))].join(" AND ");
    const sql = `SELECT ${columns.join(", ")} FROM ${table} WHERE ${conditions} ORDER BY ALL FORMAT RowBinary`;
    const read = await engine.native(sql, { params: { network: encodeParam(network) } });
    if (read.length > 0) tables.push({ table, columns, bytes: read.length });
    rows.push(read);
  }
  const header: FactsHeader = {
    migrations: migrations.map(([number, name, hash]) => ({
      number: Number(number),
      name: String(name),
      hash: String(hash),
    })),
    tables,
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...rows]);
};

const recordAccounts = async (path: string): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-record-"));
  try {
    await snapshotAccounts(path, join(folder, "accounts.db"));
    return readFileSync(join(folder, "accounts.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const packed = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } });

const [data_dir, network, folder] = process.argv.slice(2);
if (data_dir === undefined || network === undefined || folder === undefined)
  throw new Error("usage: node dist/scripts/record_stores.js DATA_DIR NETWORK FOLDER");
const engine = await openEngine({ engine: "embedded", data_dir: join(data_dir, "facts") });
try {
  const facts = await recordFacts(engine, network);
  const accounts = await recordAccounts(join(data_dir, "accounts.db"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "facts.br"), packed(facts));
  writeFileSync(join(folder, "accounts.br"), packed(accounts));
} finally {
  await engine.close();
}
