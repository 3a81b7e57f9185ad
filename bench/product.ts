/** Our own indexer as its users start it, measured and then asked what it has written. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEngine } from "../src/store/engine.ts";
import { type Cost, measure } from "./process_tree.ts";
import { type Totals, type TransferRow, totalsOf } from "./replay/reference.ts";

export const CLI = fileURLToPath(new URL("../src/cli.js", import.meta.url));

/** Position of a block's first log among a transaction's transfers (schema, `transfers`). */
const LOG_POSITION = 1_048_576;

export interface IndexRun {
  readonly url: string;
  readonly from: number;
  readonly to: number;
  /** Made anew. */
  readonly folder: string;
  /** What of blocks is recomputed; the default when left out. */
  readonly verify?: "full" | "header";
}

/** Writes a configuration for one Ethereum-like node; all else are the defaults. Returns its path. */
export const writeConfig = ({ url, from, folder, verify }: Omit<IndexRun, "to">): string => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "assay.config.json");
  const networks = { ethereum: { rpc: [url], from_block: from, ...(verify === undefined ? {} : { verify }) } };
  writeFileSync(path, JSON.stringify({ listen: "127.0.0.1:0", data_dir: join(folder, "data"), networks }));
  return path;
};

/** `assay index --once` from nothing to the node's head. */
export const indexAll = async (run: IndexRun): Promise<Cost> => {
  rmSync(run.folder, { recursive: true, force: true });
  const config = writeConfig(run);
  const args = [CLI, "index", "--once", "--to", String(run.to), "--config", config];
  return (await measure({ command: process.execPath, args })).cost;
};

/** The ERC-20 transfers that a run has written, and the transactions beside them. */
export const storedTotals = async (folder: string): Promise<{ totals: Totals; transactions: number }> => {
  const engine = await openEngine({ engine: "embedded", data_dir: join(folder, "data", "facts") });
  try {
    const rows = await engine.query(
      `SELECT block_number, position, lower(hex(token)), lower(hex(source)), lower(hex(destination)), toString(amount)
      FROM transfers WHERE network = 'ethereum' AND kind = 'erc20' ORDER BY block_number, position`,
    );
    const transfers = rows.map(
      ([block, position, token, source, destination, amount]): TransferRow => ({
        block_number: Number(block),
        log_index: Number(position) - LOG_POSITION,
        token: `0x${token}`,
        source: `0x${source}`,
        destination: `0x${destination}`,
        amount: BigInt(String(amount)),
      }),
    );
    const [counted] = await engine.query("SELECT count() FROM transactions WHERE network = 'ethereum'");
    return { totals: totalsOf(transfers), transactions: Number(counted?.[0] ?? 0) };
  } finally {
    await engine.close();
  }
};
