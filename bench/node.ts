/** A replay node in a separate process, so that its work is measured separately. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { FactTotals } from "./replay/facts_reference.ts";
import type { Totals } from "./replay/reference.ts";

export interface BenchNode {
  readonly url: string;
  readonly from: number;
  readonly to: number;
  /** Of all ERC-20 transfers, computed naively. */
  readonly totals: Totals;
  /** Of every table, computed naively. */
  readonly facts: FactTotals;
  /** Settles when blocks are first read. */
  reading(): Promise<void>;
  set(state: { readonly head?: number; readonly latency_ms?: number }): Promise<void>;
  /** Settles when the process has ended, so that it affects no later measurement. */
  stop(): Promise<void>;
}

/** `options` for replay/main.ts, for example `["--shape", "mainnet", "--count", "300"]`. */
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
