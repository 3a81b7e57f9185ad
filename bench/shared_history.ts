/**
 * One, two or more processes of `assay index` on one store that share one history: blocks per second with a node that
 * answers at once, and with a slow one. All of them end by themselves, and the stored rows are compared with the chain.
 *   node dist/bench/shared_history.js [--shape mainnet] [--blocks 800] [--rounds 3] [--processes 1,2] [--latencies 0,100]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadText, median, printLine } from "./figures.ts";
import { type BenchNode, startNode } from "./node.ts";
import { type Cost, measure } from "./process_tree.ts";
import { CLI, checkStored, writeConfig } from "./product.ts";

const { values } = parseArgs({
  options: {
    shape: { type: "string", default: "mainnet" },
    blocks: { type: "string", default: "800" },
    rounds: { type: "string", default: "3" },
    processes: { type: "string", default: "1,2" },
    latencies: { type: "string", default: "0,100" },
  },
});
const numbersOf = (list: string): readonly number[] => list.split(",").map(Number);
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));

/** Until the last process has ended. */
const indexBy = async (node: BenchNode, processes: number): Promise<readonly Cost[]> => {
  const own = join(folder, "shared");
  rmSync(own, { recursive: true, force: true });
  const args = [CLI, "index", "--once", "--to", String(node.to), "--config", writeConfig({ ...node, folder: own })];
  const runs = Array.from({ length: processes }, () => measure({ command: process.execPath, args }));
  const costs = (await Promise.all(runs)).map(({ cost }) => cost);
  await checkStored(own, node, values.shape === "transfers" ? "transfers" : "mainnet");
  return costs;
};

try {
  for (const latency of numbersOf(values.latencies)) {
    const node = await startNode(["--shape", values.shape, "--count", values.blocks, "--latency_ms", String(latency)]);
    try {
      const rates = new Map<number, number[]>();
      for (let round = 1; round <= Number(values.rounds); round += 1) {
        for (const processes of numbersOf(values.processes)) {
          const costs = await indexBy(node, processes);
          const wall_s = Math.max(...costs.map((cost) => cost.wall_s));
          const cpu_s = costs.reduce((sum, cost) => sum + cost.cpu_s, 0);
          const rate = Number(values.blocks) / wall_s;
          rates.set(processes, [...(rates.get(processes) ?? []), rate]);
          printLine(
            `${latency} ms, round ${round}, ${processes} processes: ${rate.toFixed(1)} blocks/s, ${wall_s.toFixed(1)} s, ${cpu_s.toFixed(1)} s CPU, ${loadText()}`,
          );
        }
      }
      for (const [processes, list] of rates)
        printLine(
          `${latency} ms, ${processes} processes: ${median(list).toFixed(1)} blocks/s, median of ${list.length}, ${cpus().length} cores, starts included`,
        );
    } finally {
      await node.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
