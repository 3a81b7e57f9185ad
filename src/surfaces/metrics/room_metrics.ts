import type { Connections } from "../connections.ts";
import type { Gate } from "../gate.ts";
import type { Held } from "../held.ts";
import { plain, type ReadMetrics, type Sample } from "./counters.ts";
import type { WatchStanding } from "./watch_metrics.ts";

/** What requests take of this process. */
export interface Room {
  readonly gate: Pick<Gate, "slots" | "used">;
  readonly held: Pick<Held, "bytes">;
  readonly connections: Pick<Connections, "open" | "dropped">;
  readonly book: BookFigures;
  /** What is remembered of wallets and of the newest blocks, by what it is. */
  readonly kept: Readonly<Record<string, BookFigures>>;
  /** Null where nothing is watched. */
  readonly watch?: WatchStanding | null;
}

/** What a memory was good for. */
export interface BookFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

export const NO_BOOK: BookFigures = { hits: 0, misses: 0, bytes: 0 };

/** Memory of earlier reads: standing facts, wallets, tokens, newest blocks. */
const memoryMetrics = (metrics: ReadMetrics, { book, kept }: Pick<Room, "book" | "kept">): void => {
  const of = (read: (figures: BookFigures) => number) => (): Sample[] =>
    Object.entries(kept).map(([name, figures]): Sample => [{ of: name }, read(figures)]);
  const book_hits = { name: "assay_book_hits_total", help: "Standing facts that a call wanted and found in memory" };
  metrics.counter(book_hits, [], () => plain(book.hits));
  const book_misses = { name: "assay_book_misses_total", help: "Standing facts that a call wanted and had to read" };
  metrics.counter(book_misses, [], () => plain(book.misses));
  metrics.gauge({ name: "assay_book_bytes", help: "Memory that standing facts take" }, [], () => plain(book.bytes));
  const hits = {
    name: "assay_kept_hits_total",
    help: "Times that what was read before of a wallet, of a token or at the newest blocks stood in memory",
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
export const roomMetrics = (metrics: ReadMetrics, { gate, held, connections, book, kept }: Room): void => {
  const slots = {
    name: "assay_slots",
    help: "Calls that may run at one time; fewer than configured while the event loop is late",
  };
  metrics.gauge(slots, [], () => plain(gate.slots));
  metrics.gauge({ name: "assay_slots_used", help: "Calls that run now" }, [], () => plain(gate.used));
  const waiting = {
    name: "assay_waiting_bytes",
    help: "Request bodies that are arriving and answers that clients have not taken yet",
  };
  metrics.gauge(waiting, [], () => plain(held.bytes));
  metrics.gauge({ name: "assay_connections", help: "Open client connections" }, [], () => plain(connections.open));
  const dropped = {
    name: "assay_connections_dropped_total",
    help: "Client connections that were closed to make room for newer ones",
  };
  metrics.counter(dropped, [], () => plain(connections.dropped));
  memoryMetrics(metrics, { book, kept });
};
