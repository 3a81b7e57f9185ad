import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOf } from "../../lib/processes.ts";

/** Lock of a data directory, because the library lets two processes write the same files. */
export interface DirectoryOwner {
  readonly pid: number;
  readonly host: string;
  /** Start of the process in kernel ticks, so that a reused pid is not taken for it; null where there is no /proc. */
  readonly started: string | null;
  readonly socket: string;
}

export const HEARTBEAT_MS = 1_000;
const SILENT_AFTER_MS = 5 * HEARTBEAT_MS;
const CLAIM_TRIES = 50;
const SETTLE_MS = 30;

const lockPath = (data_dir: string): string => join(data_dir, "engine.json");
const notFound = (): null => null;

export const thisProcess = (socket: string): DirectoryOwner => ({
  pid: process.pid,
  host: hostname(),
  started: startOf(process.pid),
  socket,
});

const isOwner = (value: unknown): value is DirectoryOwner =>
  typeof value === "object" && value !== null && "pid" in value && "host" in value && "socket" in value;

const parseOwner = (text: string | null): DirectoryOwner | null => {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isOwner(value) ? value : null;
  } catch {
    return null;
  }
};

/** The owner recorded in the data directory, dead or alive; null without one. */
export const readOwner = async (data_dir: string): Promise<DirectoryOwner | null> =>
  parseOwner(await readFile(lockPath(data_dir), "utf8").catch(notFound));

const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(socket);
    const end = (alive: boolean): void => {
      probe.destroy();
      resolve(alive);
    };
    probe.once("connect", () => end(true));
    probe.once("error", () => end(false));
  });

/**
 * True only when the owner is surely gone: its socket refuses, and either its process has ended or (another host,
 * another container) its heartbeat has.
 */
export const isDead = async (data_dir: string, owner: DirectoryOwner): Promise<boolean> => {
  if (await answers(owner.socket)) return false;
  if (owner.host === hostname() && owner.started !== null && startOf(process.pid) !== null) {
    return startOf(owner.pid) !== owner.started;
  }
  const lock = await stat(lockPath(data_dir)).catch(notFound);
  return lock === null || Date.now() - lock.mtimeMs > SILENT_AFTER_MS;
};

/** Moves a dead owner's lock away; puts it back if another process was faster and it is a new one by now. */
const removeDead = async (data_dir: string, dead: string): Promise<void> => {
  const aside = `${lockPath(data_dir)}.${process.pid}.dead`;
  if ((await rename(lockPath(data_dir), aside).catch((error: unknown) => error)) !== undefined) return;
  if ((await readFile(aside, "utf8")) !== dead) await link(aside, lockPath(data_dir)).catch(notFound);
  await rm(aside, { force: true });
};

/**
 * Makes this process the owner of the data directory. Null on success, else the living owner.
 * The lock appears complete or not at all (link), so a reader never sees half of it.
 */
export const claim = async (data_dir: string, self: DirectoryOwner): Promise<DirectoryOwner | null> => {
  const mine = JSON.stringify(self);
  const draft = `${lockPath(data_dir)}.${process.pid}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    for (let tries = 0; tries < CLAIM_TRIES; tries += 1) {
      const failure: unknown = await link(draft, lockPath(data_dir)).then(notFound, (error: unknown) => error);
      if (failure === null) {
        await sleep(SETTLE_MS);
        if (await stillOwns(data_dir, self)) return null;
        continue;
      }
      if (!(failure instanceof Error && "code" in failure && failure.code === "EEXIST")) throw failure;
      const text = await readFile(lockPath(data_dir), "utf8").catch(notFound);
      if (text === null) continue;
      const owner = parseOwner(text);
      if (owner !== null && !(await isDead(data_dir, owner))) return owner;
      await removeDead(data_dir, text);
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw new Error(`could not take ${lockPath(data_dir)}: it changes hands all the time`);
};

export const stillOwns = async (data_dir: string, self: DirectoryOwner): Promise<boolean> =>
  (await readFile(lockPath(data_dir), "utf8").catch(notFound)) === JSON.stringify(self);

export const release = async (data_dir: string, self: DirectoryOwner): Promise<void> => {
  if (await stillOwns(data_dir, self)) await rm(lockPath(data_dir), { force: true });
};

export { lockPath };
