import { rm } from "node:fs/promises";
import { type ReplayBlock, type ReplayOptions, startReplay } from "../../bench/replay/server.ts";
import { syntheticBlocks } from "../../bench/replay/synthetic.ts";
import type { Network } from "../../src/chains/chain.ts";
import { openChain } from "../../src/chains/families.ts";
import { networkById } from "../../src/chains/networks/index.ts";
import type { RpcAddress } from "../../src/chains/node/rpc_address.ts";
import { openNetworkIndexer } from "../../src/indexer/open.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { IndexerStatus } from "../../src/lib/status.ts";
import { type FactsStore, openFacts } from "../../src/store/open.ts";
import { traderJudge } from "../../src/wiring/trader_judge.ts";
import { factsHash, strayRows } from "../facts_hash.ts";
import { emptyFacts } from "../facts_store.ts";

/** A multiple of 32, where a part of the tail starts. */
export const FIRST = 20_000_000;
export const COUNT = 44;
export const LAST = FIRST + COUNT - 1;
/** Newest block of the final tables when the head is at LAST: buckets of 32 blocks move whole. */
export const FINAL = FIRST + 31;
/** Makes blocks up to FIRST + 31 final and the rest tail: the boundary falls on multiples of 32. */
const FINAL_BEHIND = 8;

export const honestBlocks = (count = COUNT): ReplayBlock[] =>
  syntheticBlocks({ shape: "transfers", count, from: FIRST, with_traces: true });

/** Another history from `from` on, of `count` blocks. */
export const branchFrom = (blocks: readonly ReplayBlock[], from: number, count: number): ReplayBlock[] => {
  const parent_hash = blocks[from - FIRST - 1]?.block.hash ?? `0x${"00".repeat(32)}`;
  return syntheticBlocks({ shape: "transfers", count, from, parent_hash, seed: 7, with_traces: true });
};

/** Contracts without logs. */
const state = (method: string): unknown => (method === "eth_getBalance" ? "0x0" : "0x");

export const serve = (blocks: readonly ReplayBlock[], options: Partial<ReplayOptions> = {}) =>
  startReplay({ blocks, chain_id: 1, finalized_behind: FINAL_BEHIND, state, ...options });

export interface Indexing {
  /** Its network in the store. */
  readonly id: string;
  readonly status: () => IndexerStatus;
  /** All rows in the store, by table, once `final_block` is the newest final one. */
  readonly hash: (final_block: number) => Promise<Record<string, string>>;
  /** Blocks that the store reports as stored. */
  readonly held: () => Promise<number>;
  /** Tables with rows that another index of the stage lacks. */
  readonly strays: (than: Indexing) => Promise<readonly string[]>;
  /** Hashes of the stored blocks in order, each with its parent's. */
  readonly links: () => Promise<readonly { readonly hash: string; readonly parent: string }[]>;
  readonly stop: () => Promise<void>;
}

export interface LyingIndex {
  /** Indexes from `rpc` into a separate store, as the network of the stage. */
  readonly index: (rpc: readonly RpcAddress[], timeout_ms?: number, agree?: number) => Promise<Indexing>;
  readonly close: () => Promise<void>;
}

/** A network and the start of its index. */
export interface IndexedNetwork {
  readonly network: Network;
  readonly from_block: number;
}

export const ethereum = (): IndexedNetwork => {
  const network = networkById("ethereum");
  if (network === null) throw new Error("ethereum is not shipped");
  return { network, from_block: FIRST };
};

/** The whole indexer on nodes that may lie, with deadlines short enough for a test. */
export const openLyingIndex = async (subject = ethereum()): Promise<LyingIndex> => {
  const folder = await emptyFacts();
  const facts = await openFacts({ engine: "embedded", data_dir: folder });
  let serial = 0;
  const open: Indexing[] = [];
  const index = async (rpc: readonly RpcAddress[], timeout_ms = 10_000, agree = 1): Promise<Indexing> => {
    serial += 1;
    const indexing = await startIndexing(facts, { ...subject, rpc, timeout_ms, agree, id: `n${serial}` });
    open.push(indexing);
    return indexing;
  };
  const close = async () => {
    for (const one of open) await one.stop();
    await facts.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  return { index, close };
};

interface Nodes extends IndexedNetwork {
  readonly rpc: readonly RpcAddress[];
  readonly timeout_ms: number;
  readonly agree: number;
  /** Of the network in the store. */
  readonly id: string;
}

const startIndexing = async (
  facts: FactsStore,
  { rpc, timeout_ms, agree, id, ...subject }: Nodes,
): Promise<Indexing> => {
  const network = { ...subject.network, id };
  const stopper = new AbortController();
  const limits = { timeout_ms, agree, attempts_max: 2, open_wait_ms: 100 };
  const chain = await openChain(network, { rpc, log: silentLog, ...limits }, stopper.signal);
  const { from_block } = subject;
  const enabled = { from_block, to_block: null, poll_ms: 20, venues: [], openings: "skip" } as const;
  const judge = traderJudge(chain, facts.facts);
  const label_pack = { enabled: false, leave_out: [] };
  const indexer = openNetworkIndexer({ chain, facts, enabled, judge, label_pack, log: silentLog });
  const running = indexer.run({ once: false, signal: stopper.signal });
  const held = async (): Promise<number> => {
    const [row] = await facts.engine.query(`SELECT count() FROM blocks WHERE network = '${id}'`);
    return Number(row?.[0]);
  };
  const links = async () => {
    const sql = `SELECT lower(hex(hash)), lower(hex(parent_hash)) FROM blocks WHERE network = '${id}' ORDER BY block_number`;
    return (await facts.engine.query(sql)).map(([own, parent]) => ({ hash: `0x${own}`, parent: `0x${parent}` }));
  };
  const hash = async (final_block: number): Promise<Record<string, string>> => {
    await waitFor(`final up to ${final_block}`, async () => {
      const snapshot = await facts.facts.snapshot(id, null);
      return snapshot.final_block === final_block ? null : snapshot;
    });
    return factsHash(facts.engine, id, final_block);
  };
  const stop = async () => {
    stopper.abort();
    await running;
    await chain.close();
  };
  const strays = (than: Indexing) => strayRows(facts.engine, id, than.id);
  return { id, status: () => indexer.status(), hash, held, strays, links, stop };
};

/** The indexer queries a node that refused everything again after at most a minute. */
const WAIT_MS_MAX = 150_000;
const POLL_MS = 20;

/** Waits until `open` returns null; shows its last value when time runs out. */
const waitFor = async (what: string, open: () => Promise<unknown>): Promise<void> => {
  const end = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const left = await open();
    if (left === null) return;
    if (Date.now() > end) throw new Error(`not ${what}: ${JSON.stringify(left)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

/** Waits until everything up to block `number` is stored and no problem is left. */
export const until = (indexing: Indexing, number: number): Promise<void> =>
  waitFor(`at block ${number}`, async () => {
    const status = indexing.status();
    const { state, indexed, lag_blocks, remaining_blocks, problem } = status;
    const is_there = indexed === number && lag_blocks === 0 && remaining_blocks === 0;
    return state === "following" && is_there && problem === null ? null : status;
  });

/** The sentence for the operator, once it matches `wanted`: the indexer pauses before it queries a failed node again. */
export const problemOf = async (indexing: Indexing, wanted = /./): Promise<string> => {
  let found = "";
  await waitFor("in trouble", async () => {
    const status = indexing.status();
    found = status.problem ?? "";
    return wanted.test(found) ? null : status;
  });
  return found;
};
