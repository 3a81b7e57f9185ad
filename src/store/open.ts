import { setMaxListeners } from "node:events";
import { keyOf } from "../lib/key.ts";
import { type HolderTokenPair, isSummed, querySums, readBalances, readWalletBalances } from "./balances.ts";
import { openBatchReader } from "./batch_reader.ts";
import { CACHED_QUERIES } from "./cache/cached_queries.ts";
import { FactsCache } from "./cache/facts_cache.ts";
import { Recent } from "./cache/recent.ts";
import { RowCache, type RowCacheFigures } from "./cache/row_cache.ts";
import { WriteStamp } from "./cache/write_stamps.ts";
import { openStore } from "./cluster/open.ts";
import { openEarliestBlocks } from "./earliest_block.ts";
import type { Engine, EngineTarget } from "./engine.ts";
import type { Facts, Snapshot } from "./facts.ts";
import { countOf, largestOf } from "./holders/holders.ts";
import { openStates } from "./holders/read_states.ts";
import { openListVersions } from "./list_versions.ts";
import { migrate } from "./migrate.ts";
import { type BoundValues, endingWith, queryColumns, queryRows } from "./query.ts";
import { boundaryOf, openSnapshots, type Snapshots } from "./snapshots.ts";
import { observeWrites } from "./write_observer.ts";
import { openWriter, type Writer } from "./writer.ts";

/** Limits of the caches in bytes. */
export interface Memory {
  /** For facts that rarely change. */
  readonly standing_bytes_max: number;
  /** For reads at the newest blocks. */
  readonly recent_bytes_max: number;
}

/** Default. */
const MEMORY: Memory = { standing_bytes_max: 64 << 20, recent_bytes_max: 32 << 20 };

/** An opened facts store: queries, writes, and the engine for other statements. */
export interface FactsStore {
  readonly facts: Facts;
  /** The same facts with caches, for serving calls; cached rows are as of the call's first snapshot. */
  readonly served: Facts;
  /** Hits and size of the cache of rarely changing facts behind `served`. */
  readonly book: RowCacheFigures;
  /** The same of everything else. */
  readonly recent: RowCacheFigures;
  readonly writer: Writer;
  readonly engine: Engine;
  /** Later answers of `served` rest on what is written by now. */
  readonly look: () => Promise<void>;
  close(): Promise<void>;
}

const boundsOf = ({ network, block, final_block, from_block }: Snapshot): BoundValues => ({
  network,
  from_block,
  to_block: block.number,
  final_block: boundaryOf(final_block),
  block_time: block.time,
  with_sums: 1,
});

/** One object per class. */
const makeOwner = (): Pick<Facts, "own"> => {
  const owned = new Map<new () => object, object>();
  return {
    own<T extends object>(kind: new () => T): T {
      const found = owned.get(kind) ?? new kind();
      owned.set(kind, found);
      // The value of a class was created by it.
      return found as T;
    },
  };
};

/** State shared by all views of one store. */
type SharedFacts = Snapshots &
  Pick<Facts, "own" | "lists" | "stampOf"> & {
    readonly ask: typeof queryRows;
    readonly columns: typeof queryColumns;
    readonly earliestBlock: ReturnType<typeof openEarliestBlocks>;
  };

const makeFacts = (engine: Engine, shared: SharedFacts, signal?: AbortSignal): Facts => {
  const { ask, columns, earliestBlock, ...own } = shared;
  // Each open question listens, and a tool has many open at once.
  if (signal !== undefined) setMaxListeners(0, signal);
  const asked = signal === undefined ? engine : endingWith(engine, signal);
  const states = openStates();
  const balances = openBatchReader<HolderTokenPair, bigint>(({ token, holder }) => `${token}:${holder}`);
  const facts: Facts = {
    ...own,

    // Params<N> and the bounds are exactly the parameters of the question (queries.gen.ts).
    ask: async (snapshot, query, params) => {
      const given = { ...params, ...boundsOf(snapshot) };
      const values = { ...given, ...(await earliestBlock(facts, snapshot, [query, given])) };
      return isSummed(query)
        ? querySums(query, snapshot, (rest) => ask(asked, query, { ...values, ...rest }))
        : ask(asked, query, values);
    },

    columns: async (snapshot, query, params) => {
      const given = { ...params, ...boundsOf(snapshot) };
      return columns(asked, query, { ...given, ...(await earliestBlock(facts, snapshot, [query, given])) });
    },

    async hold() {},

    walletBalances: (snapshot, wallet) => readWalletBalances(facts, snapshot, wallet),

    async tokenHolders(snapshot, tokens, limit) {
      return (await states(facts, snapshot, tokens)).map((state) => largestOf(state, limit));
    },

    async holderCounts(snapshot, tokens) {
      return (await states(facts, snapshot, tokens)).map(countOf);
    },

    balanceOf: (snapshot, pairs) =>
      balances(keyOf(boundsOf(snapshot)), pairs, (all) => readBalances(facts, snapshot, all)),

    withSignal: (other) => makeFacts(engine, shared, signal === undefined ? other : AbortSignal.any([signal, other])),
  };
  return facts;
};

/**
 * Opens the facts and brings their tables up to date. Throws `AssayError`: `FACTS_UNAVAILABLE` (retryable) when the
 * store cannot be reached, `FACTS_VERSION` when a newer program wrote it.
 */
export const openFacts = async (target: EngineTarget, memory = MEMORY): Promise<FactsStore> => {
  const engine = await openStore(target);
  try {
    await migrate(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const looks = observeWrites(engine);
  const shared = {
    ...openSnapshots(engine, looks),
    ...makeOwner(),
    lists: openListVersions(engine, looks),
    earliestBlock: openEarliestBlocks(),
  };
  const ground = new WriteStamp(looks);
  const [standing, newest] = [new RowCache(memory.standing_bytes_max), new RowCache(memory.recent_bytes_max)];
  const [book, recent] = [new FactsCache(ground, standing), new Recent(ground, newest)];
  return {
    facts: makeFacts(engine, { ...shared, ask: queryRows, columns: queryColumns, stampOf: async () => null }),
    served: makeFacts(engine.cluster?.near ?? engine, {
      ...shared,
      ask: (asked, query, values) => (query in CACHED_QUERIES ? book : recent).ask(asked, query, values),
      columns: (asked, query, values) => recent.columns(asked, query, values),
      stampOf: async (query, network) => ground.stamp(query, { network }),
    }),
    book: standing,
    recent: newest,
    writer: openWriter(engine),
    engine,
    look: async () => {
      await looks.take();
    },
    close: () => engine.close(),
  };
};
