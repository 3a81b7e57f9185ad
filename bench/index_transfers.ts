/**
 * P1: the whole indexer against ponder on the same 102,034 ERC-20 transfers in 3,001 blocks. The folder is one in which
 * `npm install ponder@0.16.10 viem@2.57.0 hono@4.13.19 typescript@5.9.3` was run (with `"overrides": {"viem": "2.57.0"}`).
 *   node dist/bench/index_transfers.js PONDER_FOLDER [--rounds 5]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { costText, loadText, medianCost, mustEqual, say } from "./figures.ts";
import { startNode } from "./node.ts";
import { checkInstalled, PONDER, runPonder } from "./ponder.ts";
import type { Cost } from "./process_tree.ts";
import { indexAll, storedTotals } from "./product.ts";

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, blocks: { type: "string", default: "3001" } },
  allowPositionals: true,
});
const [installed] = positionals;
if (installed === undefined) throw new Error("say where ponder is installed");
checkInstalled(installed);
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
const node = await startNode(["--shape", "transfers", "--count", values.blocks, "--skip", "1"]);
try {
  const ours: Cost[] = [];
  const theirs: Cost[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const own = await indexAll({ ...node, folder: join(folder, "assay") });
    const { totals } = await storedTotals(join(folder, "assay"));
    mustEqual("our transfers", totals, node.totals);
    ours.push(own);
    say(`round ${round + 1} assay  ${costText(own)}, ${loadText()}`);
    const other = await runPonder({
      installed,
      folder: join(folder, "ponder"),
      url: node.url,
      from: node.from,
      events: node.totals.count,
    });
    mustEqual("ponder's transfers", other.totals, node.totals);
    theirs.push(other.cost);
    say(`round ${round + 1} ponder ${costText(other.cost)}, ${loadText()}`);
  }
  const [own, other] = [medianCost(ours), medianCost(theirs)];
  const rate = ({ cpu_s }: Cost): string => `${Math.round(node.totals.count / cpu_s)} events per CPU second`;
  say(`${node.totals.count} events, ${cpus().length} cores, medians of ${values.rounds}, starts included`);
  say(`assay           ${costText(own)}, ${rate(own)}`);
  say(`ponder ${PONDER}  ${costText(other)}, ${rate(other)}`);
  say(
    `assay / ponder: ${(other.cpu_s / own.cpu_s).toFixed(1)} x events per CPU second (goal: 20), ` +
      `${(own.peak_rss_mb / other.peak_rss_mb).toFixed(2)} x peak memory (goal: at most 0.7)`,
  );
} finally {
  node.stop();
  rmSync(folder, { recursive: true, force: true });
}
