/** How fast one node gives what indexing reads, measured for some seconds. */
import type { Block } from "../chains/chain.ts";
import type { RateUnit } from "../chains/node/answer_counts.ts";
import type { EndpointCounts, ErrorKind } from "../chains/node/endpoint_counters.ts";
import type { OpenChain } from "../chains/open_chain.ts";
import { messageOf } from "../lib/errors.ts";

/** As much of a chain as is measured. */
export type MeasuredChain = Pick<OpenChain, "blocks" | "endpoints">;

export interface MeasureOptions {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
  /** Rows of transfers that a block becomes. */
  readonly transfersOf: (block: Block) => number;
  readonly signal: AbortSignal;
}

export interface SustainedRate {
  readonly seconds: number;
  readonly blocks: number;
  readonly blocks_per_second: number;
  readonly requests_per_second: number;
  readonly calls_per_second: number;
  readonly requests_per_block: number;
  /** Requests and calls that failed, by kind. */
  readonly errors: Readonly<Record<ErrorKind, number>>;
  /** Seconds that requests waited for the rate limit. */
  readonly waited_seconds: number;
  /** Null while no limit is set or learned. */
  readonly limit_per_second: number | null;
  /** Unit of the limit. */
  readonly limit_counts: RateUnit;
  readonly batch: number;
  /** Upper bounds of the latency of a request, seconds; null without an answer, or beyond the largest bound. */
  readonly p50_seconds: number | null;
  readonly p95_seconds: number | null;
  readonly transactions_per_block: number;
  readonly transfers_per_block: number;
  /** Fewest and most rows of transfers of a block, on average, over the places that were read. */
  readonly transfers_by_place: readonly number[];
  /** Blocks with transactions, and how many of them came with their internal calls. */
  readonly traced: { readonly blocks: number; readonly with_traces: number };
  /** Why some blocks could not be read, without repetition; at most three. */
  readonly failures: readonly string[];
}

/** Places over the range; each read begins at the next one. */
const PLACES = 8;
/** Reads at one time, as the indexer has them (indexer/fetch.ts). */
const WORKERS = 4;
const BLOCKS_MAX = 16;
/** A read of several blocks is to take about this long at a slow node. */
const READ_SECONDS = 3;
const FAILURES_MAX = 3;

interface MeasuredSample {
  readonly blocks: number;
  readonly transfers: number;
}

interface MeasuredReads {
  blocks: number;
  transactions: number;
  readonly traced: { blocks: number; with_traces: number };
  readonly places: Map<number, MeasuredSample>;
  readonly failures: Set<string>;
  last_ms: number;
}

/** Starts of the places, newest first: an index begins at the newest block, too. */
export const sampleStarts = (from: number, to: number, size: number): readonly number[] => {
  const room = Math.max(0, to - size + 1 - from);
  const starts = Array.from({ length: PLACES }, (_, i) => to - size + 1 - Math.round((room * i) / (PLACES - 1)));
  return [...new Set(starts.map((start) => Math.max(from, start)))];
};

const note = (
  reading: MeasuredReads,
  at: { readonly place: number; readonly blocks: readonly Block[] },
  how: MeasureOptions,
) => {
  const transfers = at.blocks.reduce((sum, block) => sum + how.transfersOf(block), 0);
  const before = reading.places.get(at.place) ?? { blocks: 0, transfers: 0 };
  reading.places.set(at.place, {
    blocks: before.blocks + at.blocks.length,
    transfers: before.transfers + transfers,
  });
  reading.blocks += at.blocks.length;
  for (const { transactions, has_traces } of at.blocks) {
    reading.transactions += transactions.length;
    if (transactions.length === 0) continue;
    reading.traced.blocks += 1;
    if (has_traces) reading.traced.with_traces += 1;
  }
  reading.last_ms = performance.now();
};

/** One read after another until the time is over; none is begun later, and one that takes as long again is given up. */
const readOn = async (chain: MeasuredChain, how: MeasureOptions, reading: MeasuredReads): Promise<void> => {
  const began_ms = performance.now();
  const spent = (): number => (performance.now() - began_ms) / 1000;
  const signal = AbortSignal.any([how.signal, AbortSignal.timeout(2_000 * how.seconds)]);
  let size = 1;
  let next = 0;
  const read = async (): Promise<void> => {
    const places = sampleStarts(how.from, how.to, size);
    const turn = next++;
    const place = turn % places.length;
    // Later rounds read the blocks behind those of the earlier ones: a node may keep what it was just asked for.
    const round = Math.floor(turn / places.length);
    const start = Math.max(how.from, (places[place] ?? how.from) - round * size);
    const asked_ms = performance.now();
    try {
      const blocks = await chain.blocks(start, Math.min(how.to, start + size - 1), signal);
      note(reading, { place, blocks }, how);
      const each = (performance.now() - asked_ms) / 1000 / Math.max(1, blocks.length);
      size = Math.max(1, Math.min(BLOCKS_MAX, Math.round(READ_SECONDS / Math.max(each, 0.001))));
    } catch (error) {
      how.signal.throwIfAborted();
      if (!signal.aborted && reading.failures.size < FAILURES_MAX) reading.failures.add(messageOf(error));
    }
  };
  // The first block alone tells how many the next reads may have.
  await read();
  const worker = async (): Promise<void> => {
    while (spent() < how.seconds && !signal.aborted) await read();
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
};

const difference = (after: EndpointCounts, before: EndpointCounts) => ({
  requests: after.requests - before.requests,
  calls: after.calls - before.calls,
  waited_ms: after.rate_wait_ms - before.rate_wait_ms,
  errors: Object.fromEntries(
    // The keys of one record are those of the other.
    (Object.keys(after.errors) as ErrorKind[]).map((kind) => [kind, after.errors[kind] - before.errors[kind]]),
  ) as Record<ErrorKind, number>,
  latency: after.latency.buckets.map(({ le_seconds, count }, i) => ({
    le_seconds,
    count: count - (before.latency.buckets[i]?.count ?? 0),
  })),
  answers: after.latency.count - before.latency.count,
});

const quantileOf = (share: number, { latency, answers }: ReturnType<typeof difference>): number | null =>
  answers === 0 ? null : (latency.find(({ count }) => count >= share * answers)?.le_seconds ?? null);

/** @param chain one that has a single endpoint. @throws the signal's reason when `how.signal` is aborted */
export const measure = async (chain: MeasuredChain, how: MeasureOptions): Promise<SustainedRate> => {
  const [before] = chain.endpoints;
  const began_ms = performance.now();
  const reading: MeasuredReads = {
    blocks: 0,
    transactions: 0,
    traced: { blocks: 0, with_traces: 0 },
    places: new Map(),
    failures: new Set(),
    last_ms: began_ms,
  };
  await readOn(chain, how, reading);
  const [after] = chain.endpoints;
  if (before === undefined || after === undefined) throw new Error("a chain without endpoints cannot be measured");
  const used = difference(after, before);
  const ended_ms = performance.now();
  // Where no block came, all of the time went by without one.
  const seconds = Math.max(0.001, ((reading.blocks === 0 ? ended_ms : reading.last_ms) - began_ms) / 1000);
  const each = (count: number): number => (reading.blocks === 0 ? 0 : count / reading.blocks);
  const places = [...reading.places.values()];
  return {
    seconds,
    blocks: reading.blocks,
    blocks_per_second: reading.blocks / seconds,
    requests_per_second: used.requests / ((ended_ms - began_ms) / 1000),
    calls_per_second: used.calls / ((ended_ms - began_ms) / 1000),
    requests_per_block: each(used.requests),
    errors: used.errors,
    waited_seconds: used.waited_ms / 1000,
    limit_per_second: after.pace.requests_per_second,
    limit_counts: after.pace.counts,
    batch: after.pace.batch,
    p50_seconds: quantileOf(0.5, used),
    p95_seconds: quantileOf(0.95, used),
    transactions_per_block: each(reading.transactions),
    transfers_per_block: each(places.reduce((sum, { transfers }) => sum + transfers, 0)),
    transfers_by_place: places.map(({ blocks, transfers }) => transfers / blocks),
    traced: reading.traced,
    failures: [...reading.failures],
  };
};
