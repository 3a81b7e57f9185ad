/** P3: the same blocks from a node that delays every answer. */
import { join } from "node:path";
import { costText, progress } from "../figures.ts";
import type { BenchNode } from "../node.ts";
import { indexAll } from "../product.ts";
import { MEMORY_MB, withoutStart } from "./floor_comparison.ts";
import { type ReportRow, row } from "./row.ts";

const LATENCY_MS = 100;

export interface LatencyRun {
  readonly node: BenchNode;
  readonly folder: string;
  readonly blocks: number;
}

export const compareLatency = async ({ node, folder, blocks }: LatencyRun): Promise<readonly ReportRow[]> => {
  const to = Math.min(node.to, node.from + blocks - 1);
  const count = to - node.from + 1;
  await node.set({ head: to });
  const near = await indexAll({ ...node, to, folder: join(folder, "near") });
  progress(`without latency: ${costText(near.cost)}`);
  await node.set({ latency_ms: LATENCY_MS });
  const far = await indexAll({ ...node, to, folder: join(folder, "far") });
  progress(`with ${LATENCY_MS} ms: ${costText(far.cost)}`);
  await node.set({ head: node.to, latency_ms: 0 });
  const [near_rate, far_rate] = [near, far].map((one) => count / withoutStart(one).wall_s);
  const part = (100 * (far_rate ?? 0)) / (near_rate ?? 1);
  const { peak_rss_mb } = far.cost;
  const found = `${far_rate?.toFixed(1)} blocks/s, ${part.toFixed(0)} % of those without latency, ${Math.round(peak_rss_mb)} MB`;
  return [
    row({
      ...{ name: "P3", what: `${count} blocks, ${LATENCY_MS} ms before every answer, without the start`, found },
      ...{ goal: `80 %, ${MEMORY_MB} MB`, is_met: part >= 80 && peak_rss_mb <= MEMORY_MB },
    }),
  ];
};
