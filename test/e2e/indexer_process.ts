import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

// This file is in dist/test/e2e when a program of bench runs it.
const is_built = import.meta.dirname.endsWith(join("dist", "test", "e2e"));
export const CLI = join(import.meta.dirname, is_built ? "../../bundle/cli.js" : "../../dist/bundle/cli.js");

/** `assay index` as a separate process. */
export const indexBlocks = (config: string, flags: readonly string[]): ChildProcess =>
  spawn(process.execPath, [CLI, "index", "--config", config, ...flags], { stdio: "ignore" });

/** Runs `assay index --once` to its end: its exit code, and its output for the operator. */
export const indexOnce = async (config: string): Promise<{ code: number | null; said: string }> => {
  const stdio = ["ignore", "ignore", "pipe"] as const;
  const child = spawn(process.execPath, [CLI, "index", "--config", config, "--once"], { stdio: [...stdio] });
  const [said, code] = await Promise.all([text(child.stderr), ended(child)]);
  return { code, said };
};

/** Settles with the exit code; null when it was killed. */
export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
    child.once("exit", (code) => resolve(code));
  });

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Process ids whose command line names this folder (the engine of its store). */
export const processesOf = (folder: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
      } catch {
        return false; // it ended while we looked
      }
    });
