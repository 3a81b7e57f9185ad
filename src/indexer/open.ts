import type { Chain } from "../chains/chain.ts";
import { type IndexCounts, noIndexCounts } from "../lib/index_counts.ts";
import type { Leases } from "../lib/lease.ts";
import type { Log } from "../lib/log.ts";
import { pause } from "../lib/pause.ts";
import { type Venue, venuesOf } from "../protocols/venues.ts";
import type { FactsStore } from "../store/open.ts";
import { openWriter } from "../store/writer.ts";
import { type JudgeTrader, openCohortPass } from "./cohorts.ts";
import { decodeBlock } from "./decode.ts";
import { PriceDesk } from "./demanded/price_desk.ts";
import { openEnricher } from "./enrich.ts";
import { TokenReader } from "./enrich_tokens.ts";
import { HistoryFiller, type HistoryFillerOptions } from "./fill_history.ts";
import { openIndexStore } from "./index_store.ts";
import { type LabelPackChoice, PackTurns, writeListedLabels } from "./label_pack.ts";
import { labelPasses } from "./label_passes.ts";
import { LeasedIndexer } from "./leased_indexer.ts";
import { OpeningPass } from "./opening_pass.ts";
import type { HistoryRanges, SegmentOptions } from "./options.ts";
import { openPricePass } from "./prices.ts";
import { NetworkIndexer } from "./run.ts";
import { SMALL_SEGMENT_ROWS } from "./segment_rows.ts";
import { openKindSettler } from "./settle_kinds.ts";
import { ownRanges, SharedRanges, type SharedRangesOptions } from "./shared_ranges.ts";
import { openSilentSupply } from "./silent_supply.ts";
import { SubjectIndexer } from "./subjects/subject_indexer.ts";

/** A waiting process looks for history to fill this many times less often than for the network's lease. */
const LOOKS_PER_ASK = 3;

/** Settings and connections of a network to be indexed. */
export interface NetworkIndexerOptions {
  readonly chain: Chain;
  readonly facts: FactsStore;
  readonly enabled: {
    readonly from_block: number;
    readonly oldest_block?: number;
    readonly to_block: number | null;
    readonly poll_ms: number;
    readonly venues: readonly Venue[];
    readonly openings: "read" | "skip";
    /** `on_demand`: only the history of followed addresses is read. Defaults to `whole`. */
    readonly index?: "whole" | "on_demand";
    /** On demand, a followed address is searched again at most this often. */
    readonly follow_ms?: number;
    /** Rows that a segment aims at; those for little memory by default. */
    readonly segment_rows?: number;
  };
  readonly judge: JudgeTrader;
  readonly label_pack: LabelPackChoice;
  /** Counters of completed work; omitted if it is not counted. */
  readonly counts?: IndexCounts;
  readonly log: Log;
}

type OpenedStore = Pick<FactsStore, "engine" | "writer">;

const segmentParts = ({ chain, enabled, counts, log }: NetworkIndexerOptions, store: OpenedStore): SegmentOptions => {
  const { network } = chain;
  const { from_block, openings } = enabled;
  const venues = venuesOf(network.id, enabled.venues);
  const tokens = new TokenReader({ chain, store });
  const settleKinds = openKindSettler(chain, tokens);
  const addSilentSupply = openSilentSupply(chain, log);
  return {
    chain,
    store: openIndexStore(store, network, Date.now),
    decode: (block) => decodeBlock(block, network, venues),
    complete: async (rows, signal) => {
      await settleKinds(rows, signal);
      await addSilentSupply(rows, signal);
    },
    enrich: openEnricher({ chain, store, venues, from_block, openings, log }, tokens),
    openings,
    segment_rows: segmentRowsOf(enabled),
    ...(counts === undefined ? {} : { counts }),
    log,
  };
};

/** Where a network begins, by its configuration. */
const originOf = ({ from_block, openings }: NetworkIndexerOptions["enabled"]): HistoryFillerOptions["origin"] => ({
  from_block,
  openings,
});

const segmentRowsOf = ({ segment_rows = SMALL_SEGMENT_ROWS }: NetworkIndexerOptions["enabled"]): number => segment_rows;

const oldestOf = ({ from_block, oldest_block }: NetworkIndexerOptions["enabled"]): number =>
  Math.max(from_block, oldest_block ?? 0);

/**
 * Connects one network's reading, decoding and writing.
 * @param ranges the history as it is shared with other processes; omitted if this one is alone
 */
export const openNetworkIndexer = (parts: NetworkIndexerOptions, ranges?: HistoryRanges): NetworkIndexer => {
  const { chain, facts, enabled, judge, label_pack } = parts;
  const { network } = chain;
  const days = { network, store: facts, now_ms: Date.now };
  const openPasses = () =>
    labelPasses({ ...days, codeOf: async (address, signal) => (await chain.account(address, signal)).code });
  let passes = openPasses();
  const prices = openPricePass({ network, store: facts });
  const own = segmentParts(parts, facts);
  const openings = new OpeningPass({ chain, store: facts, from_block: enabled.from_block, log: parts.log });
  return new NetworkIndexer({
    ...own,
    openMoved: (signal) => openings.step(signal),
    ranges: ranges ?? ownRanges(facts.engine, own),
    updatePrices: prices,
    pricedShare: prices.share,
    updateCohorts: openCohortPass({ network, store: facts, judge }),
    writeListedLabels: () => writePack(facts, network, label_pack),
    updateLabels: async (signal) => {
      for (const pass of passes) await pass.update(signal);
    },
    deriveAgain: (from_block) => {
      // New passes have no state and look at every day.
      passes = openPasses();
      prices.redo(from_block);
    },
    from_block: enabled.from_block,
    oldest_block: enabled.oldest_block === undefined ? null : oldestOf(enabled),
    to_block: enabled.to_block,
    poll_ms: enabled.poll_ms,
    now: () => performance.now(),
    now_ms: Date.now,
  });
};

/** The indexer of a network that is read on demand. Its own process searches and reads all addresses. */
export const openSubjectIndexer = (parts: NetworkIndexerOptions): SubjectIndexer => {
  const { chain, facts, enabled, label_pack } = parts;
  // Openings of followed addresses are read with their search.
  const own = segmentParts({ ...parts, enabled: { ...enabled, openings: "skip" } }, facts);
  const prices = new PriceDesk({
    ...{ chain, engine: facts.engine, writer: facts.writer, from_block: enabled.from_block, log: parts.log },
    venues: [...venuesOf(chain.network.id, enabled.venues).values()],
    now_ms: Date.now,
  });
  return new SubjectIndexer({
    ...own,
    prices,
    engine: facts.engine,
    writer: facts.writer,
    facts: facts.facts,
    ranges: ownRanges(facts.engine, own),
    writeListedLabels: () => writePack(facts, chain.network, label_pack),
    from_block: enabled.from_block,
    poll_ms: enabled.poll_ms,
    follow_ms: enabled.follow_ms ?? 0,
    now_ms: Date.now,
  });
};

/** One network of a process at a time. */
const writePack = (
  facts: NetworkIndexerOptions["facts"],
  network: Chain["network"],
  choice: LabelPackChoice,
): Promise<void> =>
  facts.facts.own(PackTurns).take(() => writeListedLabels(facts, network, { choice, now_ms: Date.now() }));

/** No other process reads a part of what an address needs. */
const WITHOUT_HELP = { range: null, run: (signal: AbortSignal) => pause(WITHOUT_HELP_MS, signal) };
const WITHOUT_HELP_MS = 2 ** 31 - 1;

/** Builds the parts for a range. The caches of written tokens, pools and labels serve one range after another. */
const rangeParts = (parts: NetworkIndexerOptions): SharedRangesOptions["open"] => {
  let now: OpenedStore = parts.facts;
  const every = segmentParts(parts, {
    get engine() {
      return now.engine;
    },
    get writer() {
      return now.writer;
    },
  });
  return (engine, range_name) => {
    now = { engine, writer: openWriter(engine, range_name) };
    return { ...every, store: openIndexStore(now, parts.chain.network, Date.now) };
  };
};

/** The same, writing only while this process has the network's lease, or that of a range of its history. */
export const openLeasedIndexer = (
  given: Omit<NetworkIndexerOptions, "counts"> & { readonly leases: Leases },
): LeasedIndexer => {
  const counts = noIndexCounts();
  const parts = { ...given, counts };
  const { chain, facts, enabled, leases, log } = parts;
  const { engine } = facts;
  const network = chain.network.id;
  const is_on_demand = enabled.index === "on_demand";
  const share = (epoch: number, writer: SharedRangesOptions["writer"]): SharedRanges =>
    new SharedRanges({ network, engine, writer, epoch, leases, open: rangeParts(parts), log });
  return new LeasedIndexer({
    network,
    engine,
    leases,
    open: (own, epoch) => {
      const fenced = { ...facts, engine: own, writer: openWriter(own) };
      if (is_on_demand) return openSubjectIndexer({ ...parts, facts: fenced });
      return openNetworkIndexer({ ...parts, facts: fenced }, share(epoch, fenced.writer));
    },
    help: is_on_demand
      ? WITHOUT_HELP
      : new HistoryFiller({
          chain,
          engine,
          store: openIndexStore(facts, chain.network, Date.now),
          open: (epoch) => share(epoch, null),
          origin: originOf(enabled),
          wanted: { from: oldestOf(enabled), to: enabled.to_block ?? Number.MAX_SAFE_INTEGER },
          segment_rows: segmentRowsOf(enabled),
          log,
          look_every_ms: LOOKS_PER_ASK * leases.ask_every_ms,
        }),
    counts,
    log,
  });
};
