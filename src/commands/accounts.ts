import { existsSync } from "node:fs";
import { openEngine } from "../accounts/engine.ts";
import { migrate, readMigrations } from "../accounts/migrate.ts";
import { openPostgres } from "../accounts/postgres.ts";
import { type MigrationResult, migrateAccounts, reopenSource } from "../accounts/postgres_migration.ts";
import { AssayError } from "../lib/errors.ts";
import { Secret } from "../lib/log.ts";
import { accountsFile } from "../wiring/stores.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData, UsageFault, word } from "./command.ts";

/** Statements of a move may run over everything there is. */
const PATIENCE_MS = 6 * 3_600_000;

const targetUrl = (args: CommandArgs, io: CommandIo): Secret => {
  const { accounts: configured } = io.settings().settings;
  const url = flag(args, "url") ?? (configured.engine === "postgres" ? configured.url : null);
  if (url === null) throw new UsageFault("say where to: --url postgres://…, or accounts.url in the configuration");
  if (!/^postgres(ql)?:\/\//.test(url)) throw new UsageFault("--url takes an address postgres://…");
  return new Secret(url);
};

const openSource = async (io: CommandIo) => {
  const path = accountsFile(io.settings().data_dir);
  if (existsSync(path)) return (await openEngine({ engine: "sqlite", path })).database;
  throw new AssayError({ code: "ACCOUNTS_UNREADABLE", message: `There is no accounts file ${path}.` });
};

const migrateStore = async (args: CommandArgs, io: CommandIo): Promise<MigrationResult> => {
  const at = Date.now();
  const target = await openPostgres({ url: targetUrl(args, io), connections: 2, busy_wait_ms: PATIENCE_MS });
  try {
    const source = await openSource(io);
    try {
      await migrate(source, at, readMigrations("sqlite"));
      await migrate(target, at, readMigrations("postgres"));
      return await migrateAccounts({ source, target, at });
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
};

const reopen = async (io: CommandIo): Promise<void> => {
  const source = await openSource(io);
  await reopenSource(source);
  await source.close();
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const action = word(args, 0, "migrate or reopen");
  if (action === "reopen") {
    await reopen(io);
    io.err("The accounts file takes writes again.\n");
    return EXIT.ok;
  }
  if (action !== "migrate") throw new UsageFault(`'accounts ${action}' does not exist`);
  if (flag(args, "from") !== "sqlite" || flag(args, "to") !== "postgres")
    throw new UsageFault("only --from sqlite --to postgres exists");
  const moved = await migrateStore(args, io);
  printData(io, moved);
  io.err(
    moved.is_repeated
      ? "Everything was there already, row by row.\n"
      : "Every row was moved and compared, and every invariant holds. The file takes no more writes.\n",
  );
  io.err('Next: set accounts to { "engine": "postgres", "url": … } and restart.\n');
  return EXIT.ok;
};
