/**
 * P2: blocks per second of the whole product against the bare floor (floor.ts), on mainnet-shaped blocks: 200
 * transactions, some 360 to 450 logs and 620 KB each.
 *   node dist/bench/index_mainnet.js [--blocks 800] [--rounds 5]
 * The product runs twice a round: as it is, and with blocks believed (`verify: "header"`).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { costText, loadText, median, medianCost, mustEqual, say } from "./figures.ts";
import { type BenchNode, startNode } from "./node.ts";
import { type Cost, measure } from "./process_tree.ts";
import { indexAll, storedTotals } from "./product.ts";

const FLOOR = fileURLToPath(new URL("floor.js", import.meta.url));
const TRANSACTIONS_PER_BLOCK = 200;

const { values } = parseArgs({
  options: { blocks: { type: "string", default: "800" }, rounds: { type: "string", default: "5" } },
});
const blocks = Number(values.blocks);
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));

const runFloor = async (node: BenchNode): Promise<Cost> => {
  const args = [FLOOR, node.url, String(node.from), String(node.to), join(folder, "floor")];
  const { cost, stdout } = await measure({ command: process.execPath, args });
  const { count, sum } = node.totals;
  mustEqual("transfers of the floor", JSON.parse(stdout), { count, sum });
  return cost;
};

const runProduct = async (node: BenchNode, verify: "full" | "header"): Promise<Cost> => {
  const own = join(folder, "product");
  const cost = await indexAll({ ...node, folder: own, verify });
  const { totals, transactions } = await storedTotals(own);
  mustEqual("transfers of the product", totals, node.totals);
  mustEqual("transactions of the product", transactions, blocks * TRANSACTIONS_PER_BLOCK);
  return cost;
};

const node = await startNode(["--shape", "mainnet", "--count", values.blocks]);
try {
  const floors: Cost[] = [];
  const products: Cost[] = [];
  const believers: Cost[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    floors.push(await runFloor(node));
    products.push(await runProduct(node, "full"));
    believers.push(await runProduct(node, "header"));
    const lists = [["floor   ", floors] as const, ["product ", products] as const, ["believes", believers] as const];
    for (const [name, list] of lists) {
      const last = list.at(-1);
      if (last === undefined) continue;
      say(`round ${round + 1} ${name} ${costText(last)}, ${(blocks / last.wall_s).toFixed(1)} blocks/s, ${loadText()}`);
    }
  }
  const [floor, product, believer] = [medianCost(floors), medianCost(products), medianCost(believers)];
  const ratios = products.map((one, i) => (floors[i]?.wall_s ?? Number.NaN) / one.wall_s);
  say(`${blocks} blocks, ${cpus().length} cores, medians of ${values.rounds}, starts included`);
  say(`floor    ${costText(floor)}, ${((1000 * floor.cpu_s) / blocks).toFixed(2)} ms CPU a block`);
  say(`product  ${costText(product)}, ${((1000 * product.cpu_s) / blocks).toFixed(2)} ms CPU a block`);
  say(`believes ${costText(believer)}, ${((1000 * believer.cpu_s) / blocks).toFixed(2)} ms CPU a block`);
  say(`product / floor: ${(100 * median(ratios)).toFixed(0)} % of its blocks/s (goal: at least 50 %)`);
} finally {
  node.stop();
  rmSync(folder, { recursive: true, force: true });
}
