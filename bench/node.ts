/** A replay node in a process of its own, so that its work is counted apart. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { FactTotals } from "./replay/facts_reference.ts";
import type { ReferenceTotals } from "./replay/reference.ts";

export interface BenchNode {
  readonly url: string;
  readonly from: number;
  readonly to: number;
  /** Of all ERC-20 transfers, found naively. */
  readonly totals: ReferenceTotals;
  /** Of every table, found naively. */
  readonly facts: FactTotals;
  /** Settles when blocks begin to be read. */
  reading(): Promise<void>;
  set(state: { readonly head?: number; readonly latency_ms?: number }): Promise<void>;
  /** Settles when the process is gone, so that no later measurement includes it. */
  stop(): Promise<void>;
}

/** `options` as of replay/main.ts, for example `["--shape", "mainnet", "--count", "300"]`. */
export const startNode = async (options: readonly string[]): Promise<BenchNode> => {
  const file = fileURLToPath(new URL("replay/main.js", import.meta.url));
  const child = spawn(process.execPath, [file, ...options], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the replay node ended with ${code}`);
  });
  if (child.stdout === null) throw new Error("the replay node has no output");
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  ended.catch(() => undefined);
  const said = (word: string): Promise<void> =>
    new Promise((resolve) => {
      const hear = (message: unknown): void => {
        if (message !== word) return;
        child.off("message", hear);
        resolve();
      };
      child.on("message", hear);
    });
  // replay/main.ts prints exactly these fields.
  const told = JSON.parse(String(line)) as Pick<BenchNode, "url" | "from" | "to" | "totals" | "facts">;
  return {
    ...told,
    reading: () => {
      const begun = said("reading");
      child.send({ tells_reading: true });
      return begun;
    },
    set: async (state) => {
      const done = said("set");
      child.send(state);
      await done;
    },
    stop: async () => {
      child.kill();
      await ended.catch(() => undefined);
    },
  };
};
