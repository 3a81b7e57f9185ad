import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settings } from "../../src/config/settings.ts";
import type { FactsStore } from "../../src/store/open.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { factsHash } from "../../test/facts_hash.ts";
import { type ReplayOptions, startReplay } from "../replay/server.ts";
import { syntheticBlocks } from "../replay/synthetic.ts";

export const NETWORK = "ethereum";
/** A multiple of 4,096, where a piece of the grid begins. */
const FIRST = 20_000_768;

// The same file as TypeScript and compiled.
const root = join(
  import.meta.dirname,
  existsSync(join(import.meta.dirname, "../../package.json")) ? "../.." : "../../..",
);
const CLI = join(root, "dist/bundle/cli.js");

/** A chain whose head does not move, on a node of this process. */
export interface StaticChain {
  readonly url: string;
  readonly first: number;
  readonly blocks: number;
  close(): Promise<void>;
}

type ChainOptions = Pick<ReplayOptions, "faults" | "latency_ms"> & { readonly blocks: number };

export const startChain = async ({ blocks, ...how }: ChainOptions): Promise<StaticChain> => {
  const node = await startReplay({
    ...how,
    blocks: syntheticBlocks({ shape: "transfers", count: blocks, from: FIRST, with_traces: true }),
    chain_id: 1,
    finalized_behind: 40,
    state: (method) => (method === "eth_getBalance" ? "0x0" : "0x"),
  });
  return { url: node.url, first: FIRST, blocks, close: () => node.close() };
};

/** A data directory with its configuration, as an operator would write it. */
export interface WriterStore {
  readonly folder: string;
  readonly data_dir: string;
  /** A command as a process of its own. */
  run(command: string, flags: readonly string[]): Assay;
  open(): Promise<FactsStore>;
  remove(): Promise<void>;
}

/** One process, and its output for its operator. */
export interface Assay {
  readonly child: ChildProcess;
  said(): string;
  /** Settles with the exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
}

export const makeStore = async (
  chain: Pick<StaticChain, "url" | "first">,
  more: Readonly<Record<string, unknown>>,
): Promise<WriterStore> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-writers-"));
  const config = join(folder, "assay.config.json");
  const network = { rpc: [chain.url], from_block: chain.first, poll_ms: 50 };
  const written = { listen: "127.0.0.1:0", data_dir: "data", ...more, networks: { [NETWORK]: network } };
  await writeFile(config, JSON.stringify(written));
  return {
    folder,
    data_dir: join(folder, "data"),
    run: (command, flags) => start([command, "--config", config, ...flags]),
    open: () => openFactsOnly(settings.parse({}), join(folder, "data")),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  };
};

const start = (args: readonly string[]): Assay => {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return { child, said: () => text, ended };
};

/** Content of a store in a form that two ways to the same facts must agree on. */
export interface StoreContent {
  readonly hash: Readonly<Record<string, string>>;
  /** Tables of final facts that have a key more than once. */
  readonly doubled: readonly string[];
  /** Blocks of both halves. */
  readonly blocks: number;
  /** How often the right to write was granted. */
  readonly epochs: number;
}

const KEYS = `SELECT name, sorting_key FROM system.tables
  WHERE database = {database:String} AND position(partition_key, 'tail') > 0 ORDER BY name`;

export const readContent = async ({ open }: Pick<WriterStore, "open">): Promise<StoreContent> => {
  const facts = await open();
  const { engine } = facts;
  try {
    const doubled: string[] = [];
    for (const [table, key] of await engine.query(KEYS, { params: { database: engine.database } })) {
      const [row] = await engine.query(`SELECT count(), uniqExact((${key})) FROM ${table} WHERE tail = 0`);
      if (row?.[0] !== row?.[1]) doubled.push(`${table}: ${row?.[0]} rows for ${row?.[1]} keys`);
    }
    const { final_block, coverage } = await facts.facts.snapshot(NETWORK, null);
    const [row] = await engine.query(`SELECT max(epoch) FROM index_epochs WHERE network = '${NETWORK}'`);
    return {
      hash: await factsHash(engine, NETWORK, final_block),
      doubled,
      blocks: coverage.to_block - coverage.from_block + 1,
      epochs: Number(row?.[0]),
    };
  } finally {
    await facts.close();
  }
};

/** Result of one undisturbed indexer for a chain. */
export const readClean = async (chain: StaticChain): Promise<StoreContent> => {
  const store = await makeStore(chain, {});
  try {
    const one = store.run("index", ["--once"]);
    const code = await one.ended;
    if (code !== 0) throw new Error(`an undisturbed indexer ended with ${code}: ${one.said()}`);
    return await readContent(store);
  } finally {
    await store.remove();
  }
};
