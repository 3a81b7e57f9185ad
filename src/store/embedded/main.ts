// The process that owns a data directory: node main.js <data_dir>. Started by attach.ts.
import { chmod, mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../lib/errors.ts";
import { restrictAccess } from "../../lib/private_folder.ts";
import {
  claim,
  type DirectoryOwner,
  HEARTBEAT_MS,
  lockPath,
  readOwner,
  release,
  stillOwns,
  thisProcess,
} from "./lock.ts";
import type { EngineNews } from "./news.ts";
import { createEngineServer } from "./server.ts";
import { Sessions } from "./sessions.ts";

/** sun_path without its final zero byte (unix(7)); macOS has 103. */
const SOCKET_PATH_BYTES_MAX = process.platform === "linux" ? 107 : 103;
/** How long running statements may still take when the last opener has gone. */
const SHUTDOWN_MS = 4_000;

const reportNews = async (news: EngineNews): Promise<void> => {
  if (news.kind !== "ready") process.stderr.write(`assay engine: ${news.message}\n`);
  if (!process.connected) return;
  await new Promise<void>((done) => process.send?.(news, () => done()));
};

/** A new 0700 folder for the socket, below the system's temp folder or, where that path is too long, below /tmp. */
const makeSocketPath = async (): Promise<string> => {
  for (const parent of [tmpdir(), "/tmp"]) {
    if (Buffer.byteLength(join(parent, "assay-XXXXXX", "sql")) > SOCKET_PATH_BYTES_MAX) continue;
    return join(await mkdtemp(join(parent, "assay-")), "sql");
  }
  throw new Error(`no temp folder has a path short enough for a socket (${SOCKET_PATH_BYTES_MAX} bytes): set TMPDIR`);
};

const removeSocket = (socket: string): Promise<void> => {
  const folder = dirname(socket);
  return /\/assay-\w{6}$/.test(folder) ? rm(folder, { recursive: true, force: true }) : Promise.resolve();
};

const beat = async (data_dir: string, self: DirectoryOwner): Promise<void> => {
  if (!(await stillOwns(data_dir, self))) {
    process.stderr.write(`assay engine: ${data_dir} was taken over or removed; this engine ends\n`);
    process.kill(process.pid, "SIGKILL");
  }
  const now = new Date();
  await utimes(lockPath(data_dir), now, now);
  // Cleaners of the temp folder go by age.
  await utimes(dirname(self.socket), now, now);
};

/** Ends this process when every statement is done, or by force when one does not end. */
const leave = async (data_dir: string, self: DirectoryOwner, sessions: Sessions): Promise<void> => {
  const deadline = Date.now() + SHUTDOWN_MS;
  while (sessions.running > 0 && Date.now() < deadline) await sleep(10);
  await removeSocket(self.socket);
  if (sessions.running === 0) sessions.close();
  await release(data_dir, self);
  process.kill(process.pid, "SIGKILL");
};

const serve = async (data_dir: string): Promise<void> => {
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  const self = thisProcess(await makeSocketPath());
  const sessions = new Sessions(join(data_dir, "engine"));
  const state = { is_open: false, leases: 0 };
  const endIfAlone = (): void => {
    if (!state.is_open || state.leases > 0 || process.connected) return;
    state.is_open = false;
    void leave(data_dir, self, sessions);
  };
  // Its owner alone makes and removes this folder: a second engine that started beside it found it gone.
  const rows_dir = join(data_dir, "inserts");
  const server = createEngineServer(sessions, rows_dir, {
    isOpen: () => state.is_open,
    onChange: (leases) => {
      state.leases = leases;
      endIfAlone();
    },
  });
  // A living owner always accepts connections: it listens before it takes the lock.
  await new Promise<void>((done) => server.listen(self.socket, done));
  await chmod(self.socket, 0o600);

  const before = await readOwner(data_dir);
  const owner = await claim(data_dir, self);
  if (owner !== null) {
    await removeSocket(self.socket);
    const message = `${data_dir} is already served by process ${owner.pid} on ${owner.host}; two engines would destroy it`;
    await reportNews({ kind: "owned", message });
    process.exit(3);
  }
  if (before !== null) await removeSocket(before.socket);
  await rm(rows_dir, { recursive: true, force: true });
  await mkdir(rows_dir, { mode: 0o700 });
  sessions.open();
  const fail = (error: unknown): boolean => process.stderr.write(`assay engine: heartbeat: ${messageOf(error)}\n`);
  setInterval(() => void beat(data_dir, self).catch(fail), HEARTBEAT_MS).unref();
  state.is_open = true;
  await reportNews({ kind: "ready" });
  process.on("disconnect", endIfAlone);
  endIfAlone();
};

// The library makes every file as freely as it is allowed to.
restrictAccess();

// Ctrl-C reaches the whole process group. The openers decide when the engine ends: their leases do.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

serve(resolve(process.argv[2] ?? "")).catch(async (error: unknown) => {
  await reportNews({ kind: "failed", message: messageOf(error) });
  process.exit(4);
});
