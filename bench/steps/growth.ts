/**
 * The same blocks on top of a small store and of one with many times more rows: the first blocks are copied below
 * themselves until the wallets' ledger has that many, each copy with addresses and hashes of its own.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../src/store/engine.ts";
import { costText, progress } from "../figures.ts";
import type { BenchNode } from "../node.ts";
import type { Cost } from "../process_tree.ts";
import { indexAll, storedBytes } from "../product.ts";
import { withoutStart } from "./floor_comparison.ts";
import { type ReportRow, row } from "./row.ts";

/** Columns that differ in every copy, by table. */
const RENAMED: Readonly<Record<string, readonly string[]>> = {
  transactions: ["hash", "sender", "recipient"],
  transaction_places: ["hash_prefix"],
  transfers: ["source", "destination", "sender"],
  ledger: ["address", "peer"],
  token_ledger: ["source", "destination"],
  first_funding: ["address", "funder"],
  swaps: ["tx_hash", "caller", "recipient", "trader"],
};
const BALANCES = ["balances", "balances_by_holder"];
const ADDRESS_BYTES = 20;

const renamed = (column: string, copy: number): string =>
  `if(${column} = '', '', substring(concat(sipHash128(${column}, ${copy}), sipHash128(${column}, ${copy}, 2)), 1, length(${column}))) AS ${column}`;

export interface GrowthRun {
  readonly node: BenchNode;
  readonly folder: string;
  /** Blocks that are copied, and blocks that come on top. */
  readonly first: number;
  readonly more: number;
  readonly rows: number;
}

/** The condition is in a subquery: beside `REPLACE` it would apply to the replaced columns. */
const copying = (table: string, replaced: string, which: string): string =>
  `INSERT INTO ${table} SELECT * REPLACE (${replaced}) FROM (SELECT * FROM ${table} WHERE ${which})`;

/** Returns the rows of the ledger. */
const grow = async ({ node, folder, rows, first }: GrowthRun): Promise<number> => {
  const engine = await openEngine({ engine: "embedded", data_dir: join(folder, "data", "facts") });
  const count = async (which = "1") =>
    Number((await engine.query(`SELECT count() FROM ledger WHERE ${which}`))[0]?.[0] ?? 0);
  try {
    const own = `tail = 0 AND block_number >= ${node.from}`;
    const [held, copied] = [await count(), await count(own)];
    for (let copy = 1; held + (copy - 1) * copied < rows; copy += 1) {
      for (const [table, columns] of Object.entries(RENAMED)) {
        const block = `block_number - ${copy * first} AS block_number`;
        const replaced = [block, ...columns.map((column) => renamed(column, copy))].join(", ");
        await engine.command(copying(table, replaced, own));
      }
      for (const table of BALANCES) {
        const holders = `length(holder) = ${ADDRESS_BYTES} AND first_block >= ${node.from}`;
        const lower = ["first_block", "last_block"].map((column) => `${column} - ${copy * first} AS ${column}`);
        const replaced = [renamed("holder", copy), ...lower].join(", ");
        await engine.command(copying(table, replaced, holders));
      }
    }
    const grown = await count();
    if (grown < rows) throw new Error(`the ledger has ${grown} rows instead of ${rows}`);
    return grown;
  } finally {
    await engine.close();
  }
};

/** Indexes the first blocks, grows the store if `rows` requires it, and measures the blocks after that. */
const measured = async (run: GrowthRun): Promise<{ cost: Cost; ledger_rows: number }> => {
  const { node, folder, first, more } = run;
  const to = node.from + first - 1;
  await node.set({ head: to });
  await indexAll({ ...node, to, folder });
  const ledger_rows = await grow(run);
  await node.set({ head: to + more });
  const on_top = await indexAll({ ...node, to: to + more, folder, goes_on: true });
  await node.set({ head: node.to });
  progress(`${more} blocks on ${ledger_rows} rows of the ledger: ${costText(on_top.cost)}`);
  return { cost: { ...withoutStart(on_top), peak_rss_mb: on_top.cost.peak_rss_mb }, ledger_rows };
};

export const growth = async (run: GrowthRun): Promise<readonly ReportRow[]> => {
  const small = await measured({ ...run, rows: 0, folder: join(run.folder, "small") });
  const large = await measured({ ...run, folder: join(run.folder, "large") });
  const disk = (await storedBytes(join(run.folder, "large"))) / large.ledger_rows;
  rmSync(join(run.folder, "large"), { recursive: true, force: true });
  const [slower, larger] = [large.cost.cpu_s / small.cost.cpu_s, large.cost.peak_rss_mb / small.cost.peak_rss_mb];
  const text = ({ cpu_s, peak_rss_mb }: Cost): string =>
    `${((1_000 * cpu_s) / run.more).toFixed(1)} ms CPU a block, ${Math.round(peak_rss_mb)} MB`;
  const found = `${text(small.cost)}; ${text(large.cost)}: ${slower.toFixed(2)} x CPU, ${larger.toFixed(2)} x memory; ${disk.toFixed(0)} bytes a row`;
  const what = `${run.more} blocks on ${small.ledger_rows} and on ${large.ledger_rows} rows of the ledger`;
  return [row({ name: "growth", what, found, goal: "1.1 x", is_met: slower <= 1.1 && larger <= 1.1 })];
};
