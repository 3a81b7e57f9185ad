import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** Names the folder of one run; the processes of its test files inherit it. */
const FOLDER = "TEST_RUN_FOLDER";
/** Names the system's folder for what is temporary, on a disk. */
const DISK = "TEST_DISK_FOLDER";

/** The page as the build made it. */
export const BUILT_PAGE = join(import.meta.dirname, "../dist/portal");

const GONE = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

/** Where there is memory in the file system: stores of tests are made, synced to disk and gone within seconds. */
const IN_MEMORY = "/dev/shm";
/** A run's folder there: `assay-<process>-…`. */
const OWN = /^assay-(\d+)-/;
/** A run was seen to hold 0.4 GB there at most, a long one 1 GB. */
const MEMORY_BYTES = 4 * 1024 ** 3;

/** What lies there may not be run: containers often have it so, and tests build programs. */
const isNoProgram = (): boolean => /^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync("/proc/mounts", "utf8"));

const hasMemory = (): boolean => {
  if (!existsSync(IN_MEMORY) || isNoProgram()) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= MEMORY_BYTES && freemem() >= MEMORY_BYTES;
};

const lives = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** What a run that was killed left there would stay until the machine stops. */
const removeLeft = (): void => {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = Number(OWN.exec(name)?.[1] ?? process.pid);
    if (!lives(pid)) rmSync(join(IN_MEMORY, name), GONE);
  }
};

/** The run's own folder for everything temporary, its processes' too. */
const makeFolder = (): string => {
  if (!hasMemory()) return mkdtempSync(join(tmpdir(), "assay-run-"));
  removeLeft();
  const folder = mkdtempSync(join(IN_MEMORY, `assay-${process.pid}-`));
  chmodSync(folder, 0o711); // PostgreSQL has a user of its own
  process.env[DISK] = tmpdir();
  process.env.TMPDIR = folder;
  return folder;
};

/** Set-up of a whole run: the folder for what its files share, gone with it. The projects of a run have one together. */
export default function setUp(): (() => void) | undefined {
  if (process.env[FOLDER] !== undefined) return undefined;
  const folder = makeFolder();
  process.env[FOLDER] = folder;
  return () => rmSync(folder, GONE);
}

/** Where files of the checkout can be linked to, and what is large belongs. */
export const diskFolder = (): string => process.env[DISK] ?? tmpdir();

export const runFolder = (): string => {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("test/run_folder.ts is the globalSetup of this test.");
  return folder;
};

const isFirst = (making: string): boolean => {
  try {
    mkdirSync(making);
    return true;
  } catch (error) {
    if (existsSync(making)) return false; // another test file makes it
    if (!existsSync(dirname(making))) throw error;
    return false; // and just finished
  }
};

/** A folder that many tests begin with, made by the first of a run that asks for it; the others wait. It is only copied. */
const madeOnce = async (name: string, make: (folder: string) => Promise<void>): Promise<string> => {
  const made = join(runFolder(), name);
  const making = `${made}.making`;
  while (!existsSync(made)) {
    if (!isFirst(making)) {
      await sleep(20);
      continue;
    }
    try {
      if (existsSync(made)) continue;
      const folder = join(making, "data");
      mkdirSync(folder, { mode: 0o700 });
      await make(folder);
      for (let tries = 0; tries < 500 && isServed(folder); tries += 1) await sleep(20);
      renameSync(folder, made);
    } finally {
      rmSync(making, GONE);
    }
  }
  return made;
};

/** An engine of facts ends a moment after its last opener let go. */
const isServed = (folder: string): boolean =>
  [folder, join(folder, "facts")].some((one) => existsSync(join(one, "engine.json")));

/** Fills `target` with what `make` makes, which it does once in a run. */
export const fillWith = async (
  target: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<void> => {
  const made = await madeOnce(name, make);
  await promisify(execFile)("cp", ["-R", "-p", `${made}/.`, target]);
};
