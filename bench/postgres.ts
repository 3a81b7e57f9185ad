/** A separate PostgreSQL server, used through psql. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer } from "../src/accounts/testing/postgres_server.ts";

const REAP_MS = 200;

export interface Timing {
  /** Duration of every repetition, as psql measures it. */
  readonly ms: readonly number[];
  /** CPU of the server, including the connection, per repetition. */
  readonly cpu_ms: number;
  readonly rows: readonly string[];
}

export interface Postgres {
  readonly version: string;
  /** Statements whose results do not matter. */
  command(sql: string): void;
  /** Fills a table from pieces of CSV. */
  load(table: string, pieces: AsyncIterable<string>): Promise<void>;
  /** One query `1 + times` times over one connection; the first is not counted. */
  time(sql: string, times: number): Promise<Timing>;
  close(): void;
}

/** Clock ticks of ended children that a process has waited for: those of the server's connections. */
const reapedTicks = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return Number(fields[13]) + Number(fields[14]);
};

export const startPostgres = (bin: string): Postgres => {
  // Everything except the sizes is the package's default; nothing has to survive here.
  const server = startPostgresServer(bin, {
    shared_buffers: "2GB",
    work_mem: "64MB",
    maintenance_work_mem: "1GB",
    max_wal_size: "16GB",
    fsync: "off",
  });
  const psql = ["-h", server.folder, "-U", "assay", "-d", "postgres", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"];
  const run = (args: readonly string[], input = ""): string =>
    execFileSync(join(bin, "psql"), [...psql, ...args], { encoding: "utf8", input, maxBuffer: 1 << 28 });
  const pid = server.pid();
  return {
    version: run(["-c", "SHOW server_version"]).trim(),
    command: (sql) => void run(["-f", "-"], sql),
    async load(table, pieces) {
      const child = spawn(join(bin, "psql"), [...psql, "-c", `COPY ${table} FROM STDIN (FORMAT csv)`], {
        stdio: ["pipe", "ignore", "inherit"],
      });
      const ended: Promise<unknown[]> = once(child, "exit");
      for await (const piece of pieces) if (!child.stdin.write(piece)) await once(child.stdin, "drain");
      child.stdin.end();
      const [code] = await ended;
      if (code !== 0) throw new Error(`loading ${table} ended with ${code}`);
    },
    async time(sql, times) {
      const before = reapedTicks(pid);
      const text = run(["-f", "-"], `\\timing on\n${`${sql};\n`.repeat(times + 1)}`);
      await sleep(REAP_MS);
      const blocks = text.split(/^Time: ([0-9.]+) ms.*$/m);
      const ms = blocks.filter((_, i) => i % 2 === 1).map(Number);
      const rows = (blocks[0] ?? "").split("\n").filter((line) => line !== "");
      return { ms: ms.slice(1), cpu_ms: ((reapedTicks(pid) - before) * 10) / (times + 1), rows };
    },
    close: () => server.remove(),
  };
};
