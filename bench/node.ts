/** A replay node in a process of its own, so that its work is not counted as anybody else's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Totals } from "./replay/reference.ts";

export interface BenchNode {
  readonly url: string;
  readonly from: number;
  readonly to: number;
  /** Of all ERC-20 transfers, found naively. */
  readonly totals: Totals;
  stop(): void;
}

/** `options` as of replay/main.ts, for example `["--shape", "mainnet", "--count", "300"]`. */
export const startNode = async (options: readonly string[]): Promise<BenchNode> => {
  const file = fileURLToPath(new URL("replay/main.js", import.meta.url));
  const child = spawn(process.execPath, [file, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the replay node ended with ${code}`);
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  ended.catch(() => undefined);
  // replay/main.ts prints exactly these fields.
  const said = JSON.parse(String(line)) as Omit<BenchNode, "stop">;
  return { ...said, stop: () => void child.kill() };
};
