import { createHash } from "node:crypto";
import { AssayError } from "../lib/errors.ts";
import type { Database, Queries, SqlRow } from "./database.ts";
import { violationsIn } from "./invariants.ts";

/** Rows per batch. */
const BATCH = 500;
/** Tables that each engine fills itself. */
const OWN_TABLES = ["schema_migrations", "changes", "witness"];
const VERBS = ["insert", "update", "delete"] as const;

export interface AccountsMigration {
  /** The SQLite file. It may be in use. */
  readonly source: Database;
  /** PostgreSQL with the same schema and no rows. */
  readonly target: Database;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface MigrationResult {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** An earlier run had already copied them. */
  readonly is_repeated: boolean;
}

/** Row count of a table, and the sum of its rows' digests, which does not depend on the order of reading. */
interface TableDigest {
  readonly rows: number;
  readonly digest: bigint;
}

interface MigratedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Moves the accounts from SQLite to PostgreSQL. First the source is closed for writing, by triggers that also stop
 * processes that have it open; then everything is copied, compared (counts, digests of all rows, every invariant of the
 * ledger) and committed as one transaction. If that fails, the source opens again. A killed run may be
 * repeated: it copies the closed source, or detects that the move was done.
 * @throws AssayError TARGET_NOT_EMPTY, MOVE_DIFFERS, ACCOUNTS_OUTCOME_UNKNOWN (repeat it; the source stays closed)
 */
export const migrateAccounts = async ({ source, target, at }: AccountsMigration): Promise<MigrationResult> => {
  const tables = await tablesOf(source);
  const was_closed = await isClosed(source);
  if (!was_closed) await closeSource(source, tables, at);
  try {
    return await target.transaction({ lock: "schema", proof: null }, (within) => copyAll(source, within, tables));
  } catch (error) {
    // If the outcome of the commit is unknown, a second writer would be worse than no writer.
    const is_unknown = error instanceof AssayError && error.code === "ACCOUNTS_OUTCOME_UNKNOWN";
    if (!was_closed && !is_unknown) await reopenSource(source);
    throw error;
  }
};

/** Lets processes write again to a source that a move has closed. */
export const reopenSource = async (source: Database): Promise<void> => {
  await source.transaction({ lock: "schema", proof: null }, async (within) => {
    for (const { name } of await closers(within)) await within.run(`drop trigger ${name}`);
  });
};

const isClosed = async (source: Database): Promise<boolean> => (await closers(source)).length > 0;

const closers = (queries: Queries): Promise<readonly { name: string }[]> =>
  queries.all<{ name: string }>(
    "select name from sqlite_master where type = 'trigger' and name like 'moved\\_%' escape '\\'",
  );

const closeSource = async (source: Database, tables: readonly MigratedTable[], at: number): Promise<void> => {
  const words = `These accounts were moved to PostgreSQL at ${new Date(at).toISOString()}: set accounts.engine to postgres.`;
  await source.transaction({ lock: "schema", proof: null }, async (within) => {
    for (const { name } of tables)
      for (const verb of VERBS)
        await within.run(
          `create trigger moved_${name}_${verb} before ${verb} on ${name} begin select raise(abort, '${words}'); end`,
        );
  });
};

/** Lists the tables of the file, referenced tables first. */
const tablesOf = async (source: Database): Promise<readonly MigratedTable[]> => {
  const names = (
    await source.all<{ name: string }>("select name from sqlite_master where type = 'table' order by name")
  ).flatMap(({ name }) => (OWN_TABLES.includes(name) || name.startsWith("sqlite_") ? [] : [name]));
  const ordered: MigratedTable[] = [];
  const add = async (name: string): Promise<void> => {
    if (ordered.some((table) => table.name === name)) return;
    const parents = await source.all<{ parent: string }>(
      'select distinct "table" as parent from pragma_foreign_key_list($1) order by 1',
      [name],
    );
    for (const { parent } of parents) if (parent !== name) await add(parent);
    const columns = await source.all<{ name: string }>("select name from pragma_table_info($1) order by cid", [name]);
    ordered.push({ name, columns: columns.map((column) => column.name) });
  };
  for (const name of names) await add(name);
  return ordered;
};

const copyAll = async (
  source: Database,
  target: Queries,
  tables: readonly MigratedTable[],
): Promise<MigrationResult> => {
  const held = await contentsOf(tables, (table) => readTarget(target, table));
  const is_repeated = [...held.values()].some(({ rows }) => rows > 0);
  if (!is_repeated)
    for (const table of tables) for await (const rows of readSource(source, table)) await write(target, table, rows);
  const wanted = await contentsOf(tables, (table) => readSource(source, table));
  const got = is_repeated ? held : await contentsOf(tables, (table) => readTarget(target, table));
  const differing = tables.filter(({ name }) => wanted.get(name)?.digest !== got.get(name)?.digest);
  if (differing.length > 0) throw differs(differing, is_repeated);
  // Leases may have expired in the meantime: the next process that opens the store refunds those.
  const violations = await violationsIn(target, 0);
  if (violations.length > 0)
    throw new AssayError({
      code: "MOVE_DIFFERS",
      message: `The ledger breaks ${violations.map(({ invariant }) => invariant).join(", ")} ('assay ledger verify' shows the rows). Nothing was moved.`,
    });
  return { rows: Object.fromEntries([...wanted].map(([name, { rows }]) => [name, rows])), is_repeated };
};

const differs = (tables: readonly MigratedTable[], is_repeated: boolean): AssayError => {
  const names = tables.map(({ name }) => name).join(", ");
  return is_repeated
    ? new AssayError({
        code: "TARGET_NOT_EMPTY",
        message: `The PostgreSQL database already holds other accounts (${names}). Use an empty one; nothing was changed.`,
      })
    : new AssayError({
        code: "MOVE_DIFFERS",
        message: `The copy of ${names} differs from the source. Nothing was moved.`,
      });
};

const contentsOf = async (
  tables: readonly MigratedTable[],
  read: (table: MigratedTable) => AsyncIterable<readonly SqlRow[]>,
): Promise<ReadonlyMap<string, TableDigest>> => {
  const contents = new Map<string, TableDigest>();
  for (const table of tables) {
    let [rows, digest] = [0, 0n];
    for await (const batch of read(table)) {
      for (const row of batch) digest = BigInt.asUintN(256, digest + digestOf(table, row));
      rows += batch.length;
    }
    contents.set(table.name, { rows, digest });
  }
  return contents;
};

const digestOf = ({ columns }: MigratedTable, row: SqlRow): bigint => {
  const text = JSON.stringify(columns.map((column) => row[column]));
  return BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
};

async function* readSource(source: Database, { name, columns }: MigratedTable): AsyncGenerator<readonly SqlRow[]> {
  let last = -1;
  for (;;) {
    const rows = await source.all<SqlRow & { moved_rowid: number }>(
      `select ${columns.join(", ")}, rowid as moved_rowid from ${name} where rowid > $1 order by rowid limit ${BATCH}`,
      [last],
    );
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.moved_rowid ?? last;
  }
}

async function* readTarget(target: Queries, { name, columns }: MigratedTable): AsyncGenerator<readonly SqlRow[]> {
  await target.run(`declare read_${name} cursor for select ${columns.join(", ")} from ${name}`);
  for (;;) {
    const rows = await target.all(`fetch ${BATCH} from read_${name}`);
    if (rows.length === 0) break;
    yield rows;
  }
  await target.run(`close read_${name}`);
}

const write = async (target: Queries, { name, columns }: MigratedTable, rows: readonly SqlRow[]): Promise<void> => {
  const list = columns.join(", ");
  await target.run(
    `insert into ${name} (${list}) select ${list} from json_populate_recordset(null::${name}, cast($1 as json))`,
    [JSON.stringify(rows)],
  );
};
