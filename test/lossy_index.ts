import type { Chain } from "../src/chains/chain.ts";
import { decodeBlock } from "../src/indexer/decode.ts";
import { openIndexStore } from "../src/indexer/index_store.ts";
import type { IndexerOptions, SegmentOptions } from "../src/indexer/options.ts";
import { NetworkIndexer } from "../src/indexer/run.ts";
import { ownRanges } from "../src/indexer/shared_ranges.ts";
import { silentLog } from "../src/lib/log.ts";
import type { Engine } from "../src/store/engine.ts";
import { verifyNetwork } from "../src/store/verify/index.ts";
import { openWriter } from "../src/store/writer.ts";
import { factsHash } from "./facts_hash.ts";
import type { TestFacts } from "./facts_store.ts";

const signal = new AbortController().signal;

/** An indexer of a chain without derived facts, on this engine. */
export const openIndexer = (chain: Chain, engine: Engine, more: Partial<IndexerOptions> = {}): NetworkIndexer => {
  const own: SegmentOptions = {
    chain,
    store: openIndexStore({ engine, writer: openWriter(engine) }, chain.network, Date.now),
    decode: (block) => decodeBlock(block, chain.network, new Map()),
    complete: async () => undefined,
    enrich: async () => undefined,
    openings: "skip",
    segment_rows: 75_000,
    log: silentLog,
  };
  return new NetworkIndexer({
    ...own,
    ranges: ownRanges(engine, own),
    updatePrices: async () => undefined,
    pricedShare: () => null,
    updateCohorts: async () => false,
    writeListedLabels: async () => undefined,
    updateLabels: async () => undefined,
    deriveAgain: () => undefined,
    openMoved: async () => false,
    ...{
      from_block: 0,
      oldest_block: null,
      to_block: null,
      poll_ms: 1,
      now: () => performance.now(),
      now_ms: Date.now,
    },
    ...more,
  });
};

/** Runs a new indexer until all blocks are indexed, like a start of the program. */
export const indexOnce = (chain: Chain, engine: Engine, more: Partial<IndexerOptions> = {}) =>
  openIndexer(chain, engine, more).run({ once: true, signal });

/** Facts behind the answers: hashes of all tables, and their faults (none). */
export const contentsOf = async (store: TestFacts, network: string) => {
  const { final_block } = await store.facts.snapshot(network, null);
  const { findings, balances, unfinished } = await verifyNetwork(store.engine, network, { signal });
  return { hashes: await factsHash(store.engine, network, final_block), wrong: { findings, balances, unfinished } };
};

export const SOUND = {
  ...{ findings: [], unfinished: [] },
  balances: { wrong: [], miscounted: [], misreaching: [], is_unsettled: false },
};
