import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Resident memory of a process, MB (proc(5)). */
export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1e3;

/** Its peak. */
export const peakMb = (pid: number | "self"): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1e3;

/** The process of the engine that serves `facts_dir`. */
export const enginePid = (facts_dir: string): number => {
  // Written by the engine: attach.ts reads the same file.
  const { pid } = JSON.parse(readFileSync(join(facts_dir, "engine.json"), "utf8")) as { readonly pid: number };
  return pid;
};
