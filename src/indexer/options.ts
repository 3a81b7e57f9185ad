import type { Block, Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import type { IndexCounts } from "../lib/index_counts.ts";
import type { Log } from "../lib/log.ts";
import type { FinalOptions } from "../store/final_statements.ts";
import type { GapRecord } from "../store/gaps.ts";
import type { KnownSegment } from "../store/segments.ts";
import type { RepairPlan } from "../store/verify/lost_parts.ts";
import type { EncodedRows } from "./encoded.ts";
import type { IndexRange } from "./ranges.ts";
import type { BlockRows } from "./rows.ts";

export interface SegmentRow {
  readonly from_block: number;
  readonly to_block: number;
  readonly to_hash: Hex;
  readonly state: "begun" | "done";
  /** Blocks of it that lack traces, ascending. */
  readonly untraced: readonly IndexRange[];
  /** The mark is later than this, unix milliseconds, whatever the clock. */
  readonly after_ms?: number;
}

/** A recorded gap, and when its row was written (unix milliseconds). */
export type KnownGap = GapRecord & { readonly written_ms: number };

/** Where the facts of a network begin. */
export interface IndexOrigin {
  readonly from_block: number;
  readonly from_hash: Hex;
  /**
   * 1: the first block is the chain's first, or the balances before it are read (schema, `networks`); 0: they are not;
   * `OPENING`: being read.
   */
  readonly is_opened: number;
}

/** A range of blocks, or only some blocks of it. */
type WrittenBlocks = IndexRange & { readonly blocks?: readonly number[] };

/** Balances before the first block are being read, of addresses that had moved before this was wanted. */
export const OPENING = 2;

/** `is_opened` of `IndexOrigin`. Call it after a node has answered, which shows whether it has old states. */
export const isOpened = (of: {
  readonly from_block: number;
  readonly openings: "read" | "skip";
  readonly chain: { readonly can: Pick<Chain["can"], "archive"> };
}): 0 | 1 => (of.from_block === 0 || (of.openings === "read" && of.chain.can.archive) ? 1 : 0);

/** The indexer's interface to the facts store. */
export interface IndexStore {
  /** Ends statements of an earlier writer of this network that may still be running. */
  open(): Promise<void>;
  /** Finds the damage by parts that the engine has detached as broken, or returns null. */
  mendLostParts(signal: AbortSignal): Promise<RepairPlan | null>;
  /** Whether there are such parts. */
  hasLostParts(): Promise<boolean>;
  /** Each once, in the order in which they were begun. */
  segments(): Promise<readonly KnownSegment[]>;
  /** Done segments with blocks that lack traces, newest first, at most `limit`. */
  untracedSegments(limit: number): Promise<readonly KnownSegment[]>;
  /** Stretches of stored final blocks without inner calls, the newest first, at most `limit`. */
  untracedStretches(limit: number): Promise<readonly { readonly oldest: number; readonly newest: number }[]>;
  /** The stored ones of these final blocks. `traced`: 1 with inner calls. */
  storedBlocks(
    blocks: readonly number[],
  ): Promise<readonly { readonly number: number; readonly hash_hex: Hex; readonly traced: number }[]>;
  /** Gaps that are recorded and not closed. */
  gapRecords(): Promise<readonly KnownGap[]>;
  recordGap(gap: GapRecord & { readonly written_ms?: number }): Promise<void>;
  /** Hash and parent of a stored final block. */
  finalBlock(number: number): Promise<{ readonly hash: Hex; readonly parent_hash: Hex } | null>;
  /** The network's origin of an earlier run, or null at the first start. */
  origin(): Promise<(IndexOrigin & { readonly chain_id: number }) | null>;
  /** When that origin was written, unix milliseconds. */
  originWrittenMs(): Promise<number | null>;
  /** Blocks of single addresses were written: the network was read on demand. */
  hasBatches(): Promise<boolean>;
  saveOrigin(origin: IndexOrigin): Promise<void>;
  /** Drops openings of other blocks than this one. */
  dropOpeningsBut(block_number: number): Promise<void>;
  dropOpeningsOf(holder: Hex): Promise<void>;
  /** Drops all facts of the network (drop_network.ts). */
  drop(signal: AbortSignal): Promise<void>;
  /** Records which issuers are followed from now on. */
  rememberFreezeWatches(): Promise<void>;
  markSegment(segment: SegmentRow & Pick<Block, "verified"> & { readonly sums: string }): Promise<void>;
  encode(rows: BlockRows): EncodedRows;
  /** Rows of the tail in all tables but `blocks`: no reader sees them yet. After a failure the tail must be dropped. */
  insertHead(rows: EncodedRows): Promise<void>;
  /** Their `blocks`, and with them the rest. After a failure the tail must be dropped. */
  showHead(rows: EncodedRows): Promise<void>;
  /**
   * Makes the final tables hold exactly these rows of a range, and everything that follows from them in other orders,
   * whatever they held before. Returns `sums` of the segment.
   */
  writeFinal(range: WrittenBlocks, rows: EncodedRows, how: FinalOptions): Promise<string>;
  /** Adds the segment's sums to the balances, once. */
  writeBalances(segment: WrittenBlocks, how: FinalOptions): Promise<void>;
  dropHead(from_block: number): Promise<void>;
  dropPromoted(to_block: number): Promise<void>;
}

/**
 * Facts that need a request to the node: token metadata, pools, openings. Runs before a range counts as read. `rows`:
 * of the range's rows at least those of `newsOf`.
 */
export type Enrich = (
  range: { readonly from: number; readonly to: number },
  rows: BlockRows,
  signal: AbortSignal,
) => Promise<void>;

/** Dependencies of reading and writing segments. */
export interface SegmentOptions {
  readonly chain: Chain;
  readonly store: IndexStore;
  readonly decode: (block: Block) => BlockRows;
  /** Completes the rows of some blocks with facts that only a node has, the same at every read. */
  readonly complete: (rows: BlockRows, signal: AbortSignal) => Promise<void>;
  readonly enrich: Enrich;
  /** Rows that a segment aims at. */
  readonly segment_rows: number;
  /** Whether `enrich` reads openings. */
  readonly openings: "read" | "skip";
  /** Counters of completed work; omitted if it is not counted. */
  readonly counts?: IndexCounts;
  readonly log: Log;
}

/** A range of history that only this process fills. */
export interface RangeHold {
  readonly range: IndexRange;
  /** They write as the holder of the range, and no longer than it is held. */
  readonly parts: SegmentOptions;
  /** Ends with the range's lease, or with the signal that `take` received. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

/** The history of a network as several processes share it. */
export interface HistoryRanges {
  /** Ranges of the final tables, merged. */
  done(): Promise<readonly IndexRange[]>;
  /** Lets other processes fill `missing`. */
  offer(missing: readonly IndexRange[]): Promise<void>;
  /** Everything that was offered at any time: only the holder of a range writes there. */
  offered(): Promise<readonly IndexRange[]>;
  /**
   * The newest range that contains some of `missing` and that no other process fills, or null.
   * @throws AssayError LEASE_LOST if another process was faster; errors of the stores
   */
  take(missing: readonly IndexRange[], signal: AbortSignal): Promise<RangeHold | null>;
}

/** Dependencies of one network's indexer. */
export interface IndexerOptions extends SegmentOptions {
  readonly ranges: HistoryRanges;
  /** Reads openings of pairs that have moved already, a few at a time; true: there are more. */
  readonly openMoved: (signal: AbortSignal) => Promise<boolean>;
  /** Writes the prices of whole hours that became known. */
  readonly updatePrices: (signal: AbortSignal) => Promise<void>;
  /** The share of the hours that have their prices while it derives many, 0 to 1; null otherwise. */
  readonly pricedShare: () => number | null;
  /** Writes the lists of cohorts that became due, a part of the work at a time; true: there is more to do. */
  readonly updateCohorts: (signal: AbortSignal) => Promise<boolean>;
  /** Writes the label pack, and lists of every EVM network; once, before anything is read. */
  readonly writeListedLabels: () => Promise<void>;
  /** Writes labels that follow from the days that became final. */
  readonly updateLabels: (signal: AbortSignal) => Promise<void>;
  /**
   * Lets the next `updatePrices` and `updateLabels` derive again everything that follows from blocks from this one on,
   * which were gaps before.
   */
  readonly deriveAgain: (from_block: number) => void;
  /** First configured block of the network: coverage is measured against it. */
  readonly from_block: number;
  /** Oldest block that this run writes; null = where the network begins. */
  readonly oldest_block: number | null;
  /** Last block to index; null = follow the head. */
  readonly to_block: number | null;
  readonly poll_ms: number;
  /** Milliseconds, monotonic enough for rates. */
  readonly now: () => number;
  /** Unix milliseconds, for the times of recorded gaps. */
  readonly now_ms: () => number;
}
