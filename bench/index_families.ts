/**
 * Blocks of Solana (2,000 transactions, most of them votes) and of Tron (300) per second, processor time and memory:
 *   node dist/bench/index_families.js [--solana 60] [--tron 300] [--rounds 3]
 * The node answers from memory in another process tree than the one measured. What was written is compared with what was
 * generated. Figures of EVM blocks: index_mainnet.ts.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEngine } from "../src/store/engine.ts";
import { costText, loadText, medianCost, mustEqual, say } from "./figures.ts";
import { type Cost, measure } from "./process_tree.ts";
import { CLI } from "./product.ts";
import { type FamilyNode, startSolanaNode } from "./replay/solana.ts";
import { startTronNode } from "./replay/tron.ts";

const { values } = parseArgs({
  options: {
    solana: { type: "string", default: "60" },
    tron: { type: "string", default: "300" },
    rounds: { type: "string", default: "3" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "assay-bench-families-"));

interface Subject {
  readonly id: string;
  /** Kind of its token movements. */
  readonly kind: "spl" | "trc20";
  readonly node: FamilyNode;
  readonly network: object;
}

const storedTotals = async ({ id, kind }: Subject, data_dir: string) => {
  const engine = await openEngine({ engine: "embedded", data_dir: join(data_dir, "facts") });
  try {
    const one = async (sql: string): Promise<readonly string[]> => (await engine.query(sql))[0]?.map(String) ?? [];
    const [transactions = ""] = await one(
      `SELECT (SELECT count() FROM transactions WHERE network = '${id}')
        + (SELECT toUInt64(sum(token_id)) FROM transfers WHERE network = '${id}' AND kind = 'fee')`,
    );
    const [movements = "", sum = "0"] = await one(
      `SELECT count(), toString(sum(amount)) FROM transfers WHERE network = '${id}' AND kind = '${kind}'`,
    );
    const [swaps = ""] = await one(`SELECT count() FROM swaps WHERE network = '${id}'`);
    return { transactions, movements, sum, swaps };
  } finally {
    await engine.close();
  }
};

const run = async (subject: Subject): Promise<Cost> => {
  const own = join(folder, subject.id);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  const config = join(own, "assay.config.json");
  const data_dir = join(own, "data");
  const networks = { [subject.id]: { ...subject.network, rpc: [subject.node.url], from_block: 0 } };
  writeFileSync(config, JSON.stringify({ listen: "127.0.0.1:0", data_dir, networks }));
  const args = [CLI, "index", "--once", "--to", String(subject.node.to), "--config", config];
  const { cost } = await measure({ command: process.execPath, args });
  const { transactions, movements, sum, swaps } = subject.node.totals;
  const expected = { transactions: `${transactions}`, movements: `${movements}`, sum: `${sum}`, swaps: `${swaps}` };
  mustEqual(subject.id, await storedTotals(subject, data_dir), expected);
  return cost;
};

const solana = await startSolanaNode(Number(values.solana));
const tron = await startTronNode(Number(values.tron));
const subjects: readonly Subject[] = [
  { id: "solana", kind: "spl", node: solana, network: {} },
  {
    id: "tron-bench",
    kind: "trc20",
    node: tron,
    network: { family: "tron", chain_id: tron.chain_id, native: { symbol: "TRX", decimals: 6 } },
  },
];
try {
  const costs = subjects.map((): Cost[] => []);
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [at, subject] of subjects.entries()) {
      const cost = await run(subject);
      costs[at]?.push(cost);
      say(`round ${round + 1} ${subject.id} ${costText(cost)}, ${loadText()}`);
    }
  say(
    "| blocks of | KB a block | blocks/s | transactions/s | CPU ms a block | peak MB | |\n|---|---|---|---|---|---|---|",
  );
  for (const [at, { id, node }] of subjects.entries()) {
    const { wall_s, cpu_s, peak_rss_mb } = medianCost(costs[at] ?? []);
    const blocks = node.to + 1;
    const cells = [id, (node.bytes_a_block / 1_000).toFixed(0), (blocks / wall_s).toFixed(1)];
    const rest = [(node.totals.transactions / wall_s).toFixed(0), ((1_000 * cpu_s) / blocks).toFixed(1)];
    say(`| ${[...cells, ...rest, peak_rss_mb.toFixed(0), `starts included, ${loadText()}`].join(" | ")} |`);
  }
} finally {
  await solana.stop();
  await tron.stop();
  rmSync(folder, { recursive: true, force: true });
}
