import type { Connections } from "../http/connections.ts";
import type { CallSlots } from "../limits/call_slots.ts";
import type { MemoryShares } from "../limits/memory_shares.ts";
import { plain, type ReadMetrics, type Sample } from "./counters.ts";
import type { WatchGauges } from "./watch_metrics.ts";

/** Capacity of this process that requests use. */
export interface Capacity {
  readonly slots: Pick<CallSlots, "slots" | "used">;
  readonly memory: Pick<MemoryShares, "bytes">;
  readonly connections: Pick<Connections, "open" | "dropped">;
  readonly book: CacheFigures;
  /** Caches of wallets, tokens and the newest blocks, by name. */
  readonly kept: Readonly<Record<string, CacheFigures>>;
  /** Null where nothing is watched. */
  readonly watch?: WatchGauges | null;
}

/** Figures of a cache. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

export const EMPTY_CACHE: CacheFigures = { hits: 0, misses: 0, bytes: 0 };

/** Caches of earlier reads: rarely changing facts, wallets, tokens, newest blocks. */
const memoryMetrics = (metrics: ReadMetrics, { book, kept }: Pick<Capacity, "book" | "kept">): void => {
  const of = (read: (figures: CacheFigures) => number) => (): Sample[] =>
    Object.entries(kept).map(([name, figures]): Sample => [{ of: name }, read(figures)]);
  const book_hits = { name: "assay_book_hits_total", help: "Rarely changing facts that a call found in the cache" };
  metrics.counter(book_hits, [], () => plain(book.hits));
  const book_misses = { name: "assay_book_misses_total", help: "Rarely changing facts that a call had to read" };
  metrics.counter(book_misses, [], () => plain(book.misses));
  metrics.gauge({ name: "assay_book_bytes", help: "Memory of the cache of rarely changing facts" }, [], () =>
    plain(book.bytes),
  );
  const hits = {
    name: "assay_kept_hits_total",
    help: "Reads of a wallet, a token or the newest blocks that began from the cache",
  };
  metrics.counter(
    hits,
    ["of"],
    of((figures) => figures.hits),
  );
  const misses = { name: "assay_kept_misses_total", help: "Times that the same had to be read from the beginning" };
  metrics.counter(
    misses,
    ["of"],
    of((figures) => figures.misses),
  );
  metrics.gauge(
    { name: "assay_kept_bytes", help: "Memory that it takes, approximately" },
    ["of"],
    of((figures) => figures.bytes),
  );
};

/** Slots, connections, waiting bytes and memory of this process. */
export const capacityMetrics = (
  metrics: ReadMetrics,
  { slots: calls, memory, connections, book, kept }: Capacity,
): void => {
  const slots = {
    name: "assay_slots",
    help: "Calls that may run at one time; fewer than configured while the event loop is late",
  };
  metrics.gauge(slots, [], () => plain(calls.slots));
  metrics.gauge({ name: "assay_slots_used", help: "Calls that run now" }, [], () => plain(calls.used));
  const waiting = {
    name: "assay_waiting_bytes",
    help: "Request bodies that are arriving and answers that clients have not taken yet",
  };
  metrics.gauge(waiting, [], () => plain(memory.bytes));
  metrics.gauge({ name: "assay_connections", help: "Open client connections" }, [], () => plain(connections.open));
  const dropped = {
    name: "assay_connections_dropped_total",
    help: "Client connections that were closed to make room for newer ones",
  };
  metrics.counter(dropped, [], () => plain(connections.dropped));
  memoryMetrics(metrics, { book, kept });
};
