import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Engine, openEngine } from "../src/store/engine.ts";

/** An engine on a temporary folder, without tables. */
export interface TestEngine {
  readonly data_dir: string;
  /** May be replaced by a test that closes it. */
  engine: Engine;
  /** The process that serves the folder now. */
  readOwner(): Promise<{ readonly pid: number; readonly socket: string }>;
  remove(): Promise<void>;
}

export const openTestEngine = async (): Promise<TestEngine> => {
  const data_dir = await mkdtemp(join(tmpdir(), "assay-engine-"));
  const opened: TestEngine = {
    data_dir,
    engine: await openEngine({ engine: "embedded", data_dir }),
    readOwner: async () => JSON.parse(await readFile(join(data_dir, "engine.json"), "utf8")),
    async remove() {
      await opened.engine.close();
      await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  return opened;
};

/** True while the process runs; false for a zombie. */
export const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

/** Waits up to five seconds for something to become true. */
export const eventually = async (isTrue: () => boolean): Promise<boolean> => {
  for (let tries = 0; tries < 200 && !isTrue(); tries += 1) await sleep(25);
  return isTrue();
};
