/**
 * P1: the whole indexer against ponder on the same ERC-20 transfers. The folder is one in which `npm install
 * ponder@0.16.10 viem@2.57.0 hono@4.13.19 typescript@5.9.3` was run (with `"overrides": {"viem": "2.57.0"}`).
 */
import { join } from "node:path";
import { costText, medianCost, mustEqual, progress } from "../figures.ts";
import { type BenchNode, startNode } from "../node.ts";
import { checkInstalled, PONDER, runPonder } from "../ponder.ts";
import type { Cost } from "../process_tree.ts";
import { checkStored, indexAll } from "../product.ts";
import { type ReportRow, row } from "./row.ts";

export interface PonderStep {
  /** Null: ponder is left out. */
  readonly installed: string | null;
  readonly folder: string;
  readonly rounds: number;
  /** Of each shape. */
  readonly blocks: { readonly transfers: number; readonly mainnet: number };
}

const SHAPES = ["transfers", "mainnet"] as const;
const GOALS = { transfers: { rate: 15, memory: 0.75 }, mainnet: null };

const runTheirs = async (installed: string, node: BenchNode, folder: string): Promise<Cost> => {
  const { url, from, totals } = node;
  const other = await runPonder({ installed, folder: join(folder, "ponder"), url, from, events: totals.count });
  mustEqual("ponder's transfers", other.totals, totals);
  return other.cost;
};

const compareShape = async (step: PonderStep, shape: (typeof SHAPES)[number]): Promise<ReportRow> => {
  const { installed, rounds } = step;
  const folder = join(step.folder, shape);
  const node = await startNode(["--shape", shape, "--count", String(step.blocks[shape]), "--skip", "1", "--plain"]);
  try {
    const [ours, theirs]: [Cost[], Cost[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const { cost } = await indexAll({ ...node, folder: join(folder, "assay") });
      await checkStored(join(folder, "assay"), node, "transfers");
      ours.push(cost);
      progress(`round ${round + 1} assay: ${costText(cost)}`);
      if (installed === null) continue;
      theirs.push(await runTheirs(installed, node, folder));
      progress(`round ${round + 1} ponder: ${costText(theirs.at(-1) ?? cost)}`);
    }
    const own = medianCost(ours);
    const what = `${node.totals.count} ERC-20 transfers in blocks of shape ${shape}, starts included`;
    const rate = `${Math.round(node.totals.count / own.cpu_s)} events per CPU second, ${Math.round(own.peak_rss_mb)} MB`;
    const goals = GOALS[shape];
    const goal = goals === null ? "" : `${goals.rate} x ponder ${PONDER}, ${goals.memory} x its memory`;
    if (theirs.length === 0)
      return row({ name: "P1", what, found: `${rate}; ponder was not run: no folder was named`, goal, is_met: null });
    const other = medianCost(theirs);
    const [faster, larger] = [other.cpu_s / own.cpu_s, own.peak_rss_mb / other.peak_rss_mb];
    const found = `${rate}: ${faster.toFixed(1)} x ponder, ${larger.toFixed(2)} x its memory`;
    const is_met = goals === null ? null : faster >= goals.rate && larger <= goals.memory;
    return row({ name: "P1", what, found, goal, is_met });
  } finally {
    await node.stop();
  }
};

export const comparePonder = async (step: PonderStep): Promise<readonly ReportRow[]> => {
  if (step.installed !== null) checkInstalled(step.installed);
  const rows: ReportRow[] = [];
  for (const shape of SHAPES) rows.push(await compareShape(step, shape));
  return rows;
};
