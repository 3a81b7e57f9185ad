/** Our own indexer as its users start it, measured and then compared with the blocks. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Engine, openEngine, type ResultCell } from "../src/store/engine.ts";
import { mustEqual } from "./figures.ts";
import type { BenchNode } from "./node.ts";
import { type MeasuredProcess, measure } from "./process_tree.ts";
import type { FactTotals } from "./replay/facts_reference.ts";
import { type ReferenceTotals, type TransferRow, totalsOf } from "./replay/reference.ts";

export const CLI = fileURLToPath(new URL("../bundle/cli.js", import.meta.url));

/** Position of a block's first log among a transaction's transfers (schema, `transfers`). */
const LOG_POSITION = 1_048_576;

export interface IndexRun {
  readonly url: string;
  readonly from: number;
  readonly to: number;
  readonly folder: string;
  /** Verification of blocks; the default if omitted. */
  readonly verify?: "full" | "header";
  /** Existing facts stay. */
  readonly goes_on?: boolean;
  /** Settles when the first blocks are read. */
  readonly reading?: () => Promise<void>;
}

/** Writes a configuration for one Ethereum-like node, with defaults for the rest. Returns its path. */
export const writeConfig = ({ url, from, folder, verify }: Omit<IndexRun, "to">): string => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "assay.config.json");
  const networks = { ethereum: { rpc: [url], from_block: from, ...(verify === undefined ? {} : { verify }) } };
  writeFileSync(path, JSON.stringify({ listen: "127.0.0.1:0", data_dir: join(folder, "data"), networks }));
  return path;
};

/** `assay index --once` to the node's head, and its cost until the first blocks were requested. */
export const indexAll = async (run: IndexRun): Promise<MeasuredProcess> => {
  if (run.goes_on !== true) rmSync(run.folder, { recursive: true, force: true });
  const config = writeConfig(run);
  const args = [CLI, "index", "--once", "--to", String(run.to), "--config", config];
  return measure({ command: process.execPath, args, ...(run.reading === undefined ? {} : { begun: run.reading }) });
};

const withEngine = async <T>(folder: string, ask: (engine: Engine) => Promise<T>): Promise<T> => {
  const engine = await openEngine({ engine: "embedded", data_dir: join(folder, "data", "facts") });
  try {
    return await ask(engine);
  } finally {
    await engine.close();
  }
};

/** Bytes of a store's rows on disk. Parts that were merged into others go after eight minutes and are not counted. */
export const storedBytes = (folder: string): Promise<number> =>
  withEngine(folder, async (engine) => {
    const sums = "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = {database:String}";
    return Number((await engine.query(sums, { params: { database: engine.database } }))[0]?.[0]);
  });

/** The void has no bytes in the store, and 20 zeros in a log. */
const sideOf = (hex: ResultCell | undefined): string => `0x${hex === "" ? "0".repeat(40) : hex}`;

/** The ERC-20 transfers that a run has written, in order of block and log. */
const storedTransfers = async (engine: Engine): Promise<ReferenceTotals> => {
  const rows = await engine.query(
    `SELECT block_number, position, lower(hex(token)), lower(hex(source)), lower(hex(destination)), toString(amount)
    FROM transfers WHERE network = 'ethereum' AND kind = 'erc20' ORDER BY block_number, position`,
  );
  const transfers = rows.map(
    ([block, position, token, source, destination, amount]): TransferRow => ({
      block_number: Number(block),
      log_index: Number(position) - LOG_POSITION,
      token: `0x${token}`,
      source: sideOf(source),
      destination: sideOf(destination),
      amount: BigInt(String(amount)),
    }),
  );
  return totalsOf(transfers);
};

/** The summed column of each table, as in replay/facts_reference.ts. */
const SUMS: Readonly<Record<string, string>> = {
  blocks: "0",
  transactions: "value",
  swaps: "amount0",
  pool_states: "reserve0 + reserve1 + sqrt_price_x96 + liquidity",
  liquidity_events: "amount0",
  pools: "0",
  approvals: "0",
  ownership_events: "0",
  freeze_events: "0",
  position_events: "amount0",
  contracts: "0",
  mass_transfers: "receivers",
};
const KINDS = ["erc20", "erc721", "erc1155", "native", "internal", "wrap"];

const storedFacts = async (engine: Engine): Promise<FactTotals> => {
  const counted = Object.entries(SUMS).map(
    ([table, sum]) => `SELECT '${table}', count(), toString(sum(${sum})) FROM ${table} WHERE network = 'ethereum'`,
  );
  const kinds = `SELECT toString(kind), count(), toString(sum(amount)) FROM transfers
    WHERE network = 'ethereum' AND kind IN ('${KINDS.join("', '")}') GROUP BY kind`;
  const known = `SELECT 'pools known', count(DISTINCT pool), '0' FROM pool_states WHERE network = 'ethereum'
    AND (pool IN (SELECT pool FROM pools) OR pool IN (SELECT pool FROM pools_read WHERE venue != ''))`;
  const rows = await engine.query([...counted, kinds, known].join(" UNION ALL "));
  const totals = rows.map(([name, n, sum]) => [String(name), { rows: Number(n), sum: String(sum) }] as const);
  return Object.fromEntries(totals.filter(([, { rows: n }]) => n > 0).sort());
};

/** Tables that follow from the blocks or from requests to the node, and get rows as soon as whole hours are final. */
const DERIVED = [
  "ledger",
  "token_ledger",
  "transaction_places",
  "deployments",
  "balances",
  "balances_by_holder",
  "tokens",
];
const HOUR_BLOCKS = 300;
/** Blocks near the head are not final. */
const TAIL_BLOCKS = 64;

const checkDerived = async (engine: Engine, blocks: number): Promise<void> => {
  const wanted = blocks > 2 * HOUR_BLOCKS + TAIL_BLOCKS ? [...DERIVED, "prices"] : DERIVED;
  const counts = wanted.map((table) => `SELECT '${table}', count() FROM ${table} WHERE network = 'ethereum'`);
  for (const [table, rows] of await engine.query(counts.join(" UNION ALL ")))
    if (Number(rows) === 0) throw new Error(`${blocks} blocks gave no row of ${table}`);
};

/** @throws Error if the stored rows differ from the blocks */
export const checkStored = async (folder: string, node: BenchNode, shape: "transfers" | "mainnet"): Promise<void> =>
  withEngine(folder, async (engine) => {
    mustEqual("transfers", await storedTransfers(engine), node.totals);
    mustEqual("facts", await storedFacts(engine), node.facts);
    if (shape === "mainnet") {
      for (const table of Object.keys(SUMS))
        if ((node.facts[table]?.rows ?? 0) === 0) throw new Error(`the blocks say nothing of ${table}`);
      await checkDerived(engine, node.to - node.from + 1);
    }
  });

/** Rows of the table of transfers. */
export const storedRows = (folder: string): Promise<number> =>
  withEngine(folder, async (engine) => Number((await engine.query("SELECT count() FROM transfers"))[0]?.[0] ?? 0));
