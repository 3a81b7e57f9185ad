import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** Names the folder of one run; the processes of its test files inherit it. */
const FOLDER = "TEST_RUN_FOLDER";

/** The page as the build made it. */
export const BUILT_PAGE = join(import.meta.dirname, "../dist/portal");

const GONE = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

/** Set-up of a whole run: the folder for what its files share, gone with it. The projects of a run have one together. */
export default function setUp(): (() => void) | undefined {
  if (process.env[FOLDER] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "assay-run-"));
  process.env[FOLDER] = folder;
  return () => rmSync(folder, GONE);
}

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
