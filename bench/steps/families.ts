/**
 * Blocks of Solana (2,000 transactions, most of them votes) and of Tron (300): processor time, memory and disk. The
 * node answers from memory in another process tree than the measured one; the stored rows are compared with the
 * generated ones.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../src/store/engine.ts";
import { costText, medianCost, mustEqual, progress } from "../figures.ts";
import { type Cost, measure } from "../process_tree.ts";
import { CLI, storedBytes } from "../product.ts";
import { type FamilyNode, startSolanaNode } from "../replay/solana.ts";
import { startTronNode } from "../replay/tron.ts";
import { type ReportRow, row } from "./row.ts";

interface FamilySubject {
  readonly id: string;
  /** Kind of its token movements. */
  readonly kind: "spl" | "trc20";
  readonly node: FamilyNode;
  readonly network: object;
}

const storedTotals = async ({ id, kind }: FamilySubject, data_dir: string) => {
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

const run = async (subject: FamilySubject, folder: string): Promise<Cost> => {
  const own = join(folder, subject.id);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
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

/** Blocks of an index from a new store whose cost is subtracted as that of the start. */
const FEW = 10;

export interface FamilyRun {
  readonly folder: string;
  readonly rounds: number;
  readonly blocks: number;
}

const compareWithEmpty = async (subject: FamilySubject, { folder, rounds }: FamilyRun, few: FamilyNode) => {
  const [costs, starts]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await run({ ...subject, node: few }, folder));
    costs.push(await run(subject, folder));
    progress(`round ${round + 1} ${subject.id}: ${costText(costs.at(-1) ?? { wall_s: 0, cpu_s: 0, peak_rss_mb: 0 })}`);
  }
  const [whole, start] = [medianCost(costs), medianCost(starts)];
  const blocks = subject.node.to - few.to;
  return {
    cpu_ms: (1_000 * (whole.cpu_s - start.cpu_s)) / blocks,
    rate: blocks / (whole.wall_s - start.wall_s),
    peak_mb: whole.peak_rss_mb,
    disk_kb: (await storedBytes(join(folder, subject.id))) / (subject.node.to + 1) / 1_000,
  };
};

const GOALS = { cpu_ms: 50, disk_kb: 250 };

export const solanaBlocks = async (asked: FamilyRun): Promise<readonly ReportRow[]> => {
  const [node, few] = [await startSolanaNode(asked.blocks), await startSolanaNode(FEW)];
  try {
    const { cpu_ms, rate, peak_mb, disk_kb } = await compareWithEmpty(
      { id: "solana", kind: "spl", node, network: {} },
      asked,
      few,
    );
    const what = `${asked.blocks} blocks of 2,000 transactions, without the start (${FEW} blocks)`;
    const found = `${cpu_ms.toFixed(1)} ms CPU and ${disk_kb.toFixed(0)} KB a block, ${rate.toFixed(1)} blocks/s, ${Math.round(peak_mb)} MB`;
    const goal = `${GOALS.cpu_ms} ms, ${GOALS.disk_kb} KB`;
    return [row({ name: "Solana", what, found, goal, is_met: cpu_ms <= GOALS.cpu_ms && disk_kb <= GOALS.disk_kb })];
  } finally {
    await node.stop();
    await few.stop();
  }
};

export const tronBlocks = async (asked: FamilyRun): Promise<readonly ReportRow[]> => {
  const [node, few] = [await startTronNode(asked.blocks), await startTronNode(FEW)];
  const network = { family: "tron", chain_id: node.chain_id, native: { symbol: "TRX", decimals: 6 } };
  try {
    const { cpu_ms, rate, peak_mb, disk_kb } = await compareWithEmpty(
      { id: "tron-bench", kind: "trc20", node, network },
      asked,
      few,
    );
    const what = `${asked.blocks} blocks of 300 transactions, without the start (${FEW} blocks)`;
    const found = `${cpu_ms.toFixed(1)} ms CPU and ${disk_kb.toFixed(1)} KB a block, ${rate.toFixed(1)} blocks/s, ${Math.round(peak_mb)} MB`;
    return [row({ name: "Tron", what, found, goal: "", is_met: null })];
  } finally {
    await node.stop();
    await few.stop();
  }
};
