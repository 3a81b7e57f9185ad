import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folder of each version's programs in Debian's packages. */
const ROOT = "/usr/lib/postgresql";

/** A private server in a temporary folder, on a Unix socket, without passwords and without a port. */
export interface PostgresServer {
  /** Also the folder of its socket. */
  readonly folder: string;
  /** Address of one of its databases; `postgres` exists from the start. */
  url(database?: string): string;
  /** Process id of the server's first process. */
  pid(): number;
  /** False after it crashed or stopped by itself. */
  is_running(): boolean;
  start(): void;
  /** `immediate` leaves recovery to the next start, as a crash does. */
  stop(mode: "fast" | "immediate"): void;
  /** `kill -9` of the server's first process. */
  crash(): void;
  /** Stops it and deletes the folder. */
  remove(): void;
}

/** Address of a private server. */
export const socketOf = ({ folder }: PostgresServer) => ({ path: join(folder, ".s.PGSQL.5432") });

/** Folder of the newest installed server's programs; null without one. */
export const findPostgres = (): string | null => {
  if (!existsSync(ROOT)) return null;
  const versions = readdirSync(ROOT).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(ROOT, version, "bin")).find((bin) => existsSync(join(bin, "initdb"))) ?? null;
};

const isRoot = (): boolean => process.getuid?.() === 0;

/** User that runs the server when this process is root, as which PostgreSQL refuses to run. */
const serverUser = (): string => (/^postgres:/m.test(readFileSync("/etc/passwd", "utf8")) ? "postgres" : "nobody");

/** Runs one of the server's programs as an allowed user. */
export const asServer = (command: string, args: readonly string[]): string => {
  const [program, all] = isRoot() ? ["runuser", ["-u", serverUser(), "--", command, ...args]] : [command, [...args]];
  return execFileSync(program, all, { encoding: "utf8", cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
};

/** A killed server leaves the file with its process id behind. */
const isRunning = (pid_file: string): boolean => {
  if (!existsSync(pid_file)) return false;
  try {
    return process.kill(Number(readFileSync(pid_file, "utf8").split("\n")[0]), 0);
  } catch {
    return false; // no such process
  }
};

/**
 * Creates and starts a server with the superuser `assay`.
 * @param options further `-c` settings of the server.
 * @param parent the folder in which its folder is created.
 */
export const startPostgresServer = (
  bin: string,
  options: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
): PostgresServer => {
  const folder = mkdtempSync(join(parent, "assay-pg-"));
  if (isRoot()) execFileSync("chown", [serverUser(), folder]);
  const data = join(folder, "data");
  const control = (...args: readonly string[]) => asServer(join(bin, "pg_ctl"), ["-D", data, "-w", ...args]);
  const settings = Object.entries({ listen_addresses: "", ...options }).map(([name, value]) => `-c ${name}='${value}'`);
  const server: PostgresServer = {
    folder,
    url: (database = "postgres") => `postgres://assay@localhost/${database}?host=${encodeURIComponent(folder)}`,
    pid: () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]),
    is_running: () => isRunning(join(data, "postmaster.pid")),
    start: () => void control("-l", join(folder, "log"), "-o", `-k ${folder} ${settings.join(" ")}`, "start"),
    stop: (mode) => void control("-m", mode, "stop"),
    crash: () => void process.kill(server.pid(), "SIGKILL"),
    remove() {
      if (existsSync(join(data, "postmaster.pid"))) server.stop("immediate");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
  try {
    asServer(join(bin, "initdb"), ["-D", data, "-U", "assay", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
    server.start();
    return server;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
