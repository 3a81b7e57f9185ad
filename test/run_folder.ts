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
  writeFileSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { hasEnded, thisProcess } from "../src/lib/processes.ts";

/** Names the folder of one run; the processes of its test files inherit it. */
const FOLDER = "TEST_RUN_FOLDER";
/** Names the system's temporary folder, on a disk. */
const DISK = "TEST_DISK_FOLDER";

/** The built page. */
export const BUILT_PAGE = join(import.meta.dirname, "../dist/portal");

const GONE = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

/** A memory file system: stores of tests are created, synced and gone within seconds. */
const IN_MEMORY = "/dev/shm";
const PREFIX = "assay-run-";
/** File in a run's folder with the id of its process. */
const OWNER = "run.json";
/** Observed maximum of a run: 0.4 GB; of a long one: 1 GB. */
const MEMORY_BYTES = 4 * 1024 ** 3;

/** Files there may not be executable: containers often mount it so, and tests build programs. */
const isNoProgram = (): boolean => /^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync("/proc/mounts", "utf8"));

const hasMemory = (): boolean => {
  if (!existsSync(IN_MEMORY) || isNoProgram()) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= MEMORY_BYTES && freemem() >= MEMORY_BYTES;
};

/** True for the folder of a run that was surely killed. Folders of others, and new ones, are left alone. */
const isLeft = (folder: string): boolean => {
  try {
    return hasEnded(JSON.parse(readFileSync(join(folder, OWNER), "utf8")));
  } catch {
    return false;
  }
};

/** The run's folder for all temporary files, including those of its processes. Files of a killed run would otherwise stay until a reboot. */
const makeFolder = (): string => {
  const parent = hasMemory() ? IN_MEMORY : tmpdir();
  const before = readdirSync(parent).filter((name) => name.startsWith(PREFIX));
  for (const name of before) if (isLeft(join(parent, name))) rmSync(join(parent, name), GONE);
  const folder = mkdtempSync(join(parent, PREFIX));
  writeFileSync(join(folder, OWNER), JSON.stringify(thisProcess()));
  chmodSync(folder, 0o711); // PostgreSQL has a user of its own
  process.env[DISK] = tmpdir();
  process.env.TMPDIR = folder;
  return folder;
};

/** Set-up of a whole run: creates the folder for shared files and removes it at the end. The projects of a run share it. */
export default function setUp(): (() => void) | undefined {
  if (process.env[FOLDER] !== undefined) return undefined;
  const folder = makeFolder();
  process.env[FOLDER] = folder;
  return () => rmSync(folder, GONE);
}

/** A folder to which files of the checkout can be linked, for large files. */
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

/** A template folder for many tests, created by the first test of a run that needs it while the others wait. It is only copied. */
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

/** An engine of facts ends a moment after its last handle is closed. */
const isServed = (folder: string): boolean =>
  [folder, join(folder, "facts")].some((one) => existsSync(join(one, "engine.json")));

/** Fills `target` with the output of `make`, which runs once per run. */
export const fillWith = async (
  target: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<void> => {
  const made = await madeOnce(name, make);
  await promisify(execFile)("cp", ["-R", "-p", `${made}/.`, target]);
};
