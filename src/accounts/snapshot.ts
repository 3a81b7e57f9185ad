import { existsSync } from "node:fs";
import LibsqlDatabase from "libsql";
import { AssayError } from "../lib/errors.ts";
import { readMigrations } from "./migrate.ts";
import { makeEngineFile } from "./sqlite_file.ts";

/** Contents of a copy of the accounts. */
export interface AccountsMarks {
  /** Number of the newest migration. */
  readonly schema: number;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Short ids of the peppers with which its keys were hashed (secret.ts); without them those keys do not authenticate. */
  readonly pepper_ids: readonly string[];
}

/** The newest migration of this program. */
export const newestAccountsSchema = (): number => readMigrations("sqlite").at(-1)?.number ?? 0;

/** Copies a snapshot of the accounts to a new file (mode 0600), while any number of processes use them. */
export const snapshotAccounts = async (path: string, target: string): Promise<AccountsMarks> => {
  if (existsSync(target))
    throw new AssayError({ code: "ACCOUNTS_UNREADABLE", message: `The copy ${target} already exists.` });
  makeEngineFile(target);
  const connection = new LibsqlDatabase(path, { timeout: 10_000 });
  try {
    // The engine's own online copy: one read transaction, into an empty file.
    connection.prepare("vacuum into ?").run(target);
  } finally {
    connection.close();
  }
  return readAccountsMarks(target);
};

/**
 * Reads the file without the settings of a store in use, which would create further files next to it.
 * @throws AssayError ACCOUNTS_DAMAGED when the file is not a sound database
 */
export const readAccountsMarks = async (path: string): Promise<AccountsMarks> => {
  const connection = new LibsqlDatabase(path, { timeout: 10_000 });
  // The engine types rows as unknown; each statement names the columns it reads.
  const rowsOf = <T>(sql: string): readonly T[] => connection.prepare(sql).all() as T[];
  try {
    const sound = rowsOf<{ integrity_check: string }>("pragma integrity_check")[0]?.integrity_check;
    if (sound !== "ok") {
      const message = `The accounts file ${path} is damaged: ${sound}`;
      throw new AssayError({ code: "ACCOUNTS_DAMAGED", message, public: message });
    }
    const [newest] = rowsOf<{ number: number }>("select max(number) as number from schema_migrations");
    const tables = rowsOf<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name",
    );
    const rows: Record<string, number> = {};
    for (const { name } of tables)
      rows[name] = rowsOf<{ count: number }>(`select count(*) as count from "${name}"`)[0]?.count ?? 0;
    const peppers = rowsOf<{ id: string }>(
      "select distinct pepper_id as id from keys where pepper_id is not null and revoked_at is null order by pepper_id",
    );
    return { schema: newest?.number ?? 0, rows, pepper_ids: peppers.map(({ id }) => id) };
  } finally {
    connection.close();
  }
};
