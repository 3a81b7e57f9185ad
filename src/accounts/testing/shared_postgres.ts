import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asServer, findPostgres, startPostgresServer } from "./postgres_server.ts";

/** Names the folder through which the test files of one run share one server; their processes inherit it. */
const FOLDER = "TEST_POSTGRES_FOLDER";
const START_WAIT_MS = 60_000;
/** Durability off: nothing has to survive a crash of the machine. */
const SETTINGS = {
  ...{ fsync: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0" },
  ...{ autovacuum: "off", jit: "off", max_connections: "300" },
};

/** Set-up of a whole run. The first test file that needs the server starts it. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "assay-pg-run-"));
  process.env[FOLDER] = folder;
  return () => {
    const bin = findPostgres();
    if (bin !== null && existsSync(join(folder, "server"))) {
      const server = readFileSync(join(folder, "server"), "utf8");
      asServer(join(bin, "pg_ctl"), ["-D", join(server, "data"), "-m", "immediate", "-w", "stop"]);
      rmSync(server, { recursive: true, force: true, maxRetries: 20 });
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Address of the database `postgres` of the run's server: that of ASSAY_TEST_POSTGRES_URL, or a private one. */
export const sharedPostgres = async (): Promise<string> => {
  const given = process.env.ASSAY_TEST_POSTGRES_URL;
  if (given !== undefined) return given;
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("shared_postgres.ts is the globalSetup of this test.");
  const ready = join(folder, "url");
  if (isFirst(folder)) {
    const bin = findPostgres();
    if (bin === null) throw new Error("PostgreSQL is not installed (apt-get install postgresql).");
    const server = startPostgresServer(bin, SETTINGS);
    writeFileSync(join(folder, "server"), server.folder);
    writeFileSync(`${ready}.new`, server.url());
    renameSync(`${ready}.new`, ready);
  }
  const until = performance.now() + START_WAIT_MS;
  while (!existsSync(ready)) {
    if (performance.now() > until) throw new Error("The run's PostgreSQL did not start.");
    await sleep(20);
  }
  return readFileSync(ready, "utf8");
};

const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(join(folder, "starting"));
    return true;
  } catch {
    return false; // another test file is starting it
  }
};
