import { VERIFIED, type VerificationLevel } from "../lib/verified.ts";
import type { CoveredRange, StoreState, TailRange } from "./coverage.ts";
import type { Engine } from "./engine.ts";
import type { QueryRow } from "./facts.ts";
import { queryRows } from "./query.ts";
import { tracedRuns } from "./segments.ts";
import { shared } from "./shared.ts";
import type { WriteObserver } from "./write_observer.ts";

/** Reads what the store holds. Reads that are wanted while one is under way share the next one. */
export interface StoreStateReader {
  /** The state at some moment after the call. */
  read(network: string): Promise<StoreState>;
}

interface SegmentRanges {
  /** Rows of `segments` when they were read, and when the first one was written: rows are only added, or all dropped. */
  readonly segments: string;
  readonly done: readonly CoveredRange[];
}

/** Tables whose rows say which blocks the store holds. */
const STATE_TABLES = ["networks", "segments", "recorded_gaps", "tail_drops", "blocks"];

/** A word that the program does not know promises nothing. */
const verifiedOf = (word: string): VerificationLevel => VERIFIED.find((one) => one === word) ?? "none";

/** Neighbours that are alike become one. */
const joined = (runs: readonly CoveredRange[]): readonly CoveredRange[] => {
  const all: CoveredRange[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    const is_alike = last?.to === run.from - 1 && last.has_traces === run.has_traces && last.verified === run.verified;
    if (last !== undefined && is_alike) all[all.length - 1] = { ...last, to: run.to };
    else all.push(run);
  }
  return all;
};

const islandOf = (row: QueryRow<"store_state">): TailRange => ({
  from: row.number,
  to: row.last,
  hash: row.hash,
  time: row.time,
  has_traces: row.has_traces === 1,
  verified: verifiedOf(row.verified),
});

export const openStateReader = (engine: Engine, looks: WriteObserver): StoreStateReader => {
  const ranges = new Map<string, SegmentRanges>();
  const readRanges = async (network: string, segments: string): Promise<readonly CoveredRange[]> => {
    const known = ranges.get(network);
    if (known?.segments === segments) return known.done;
    const rows = await queryRows(engine, "done_ranges", { network });
    const done = joined(
      rows.flatMap((row) => {
        const verified = verifiedOf(row.verified);
        return tracedRuns({ from: row.from_block, to: row.to_block }, row).map((run) => ({ ...run, verified }));
      }),
    );
    ranges.set(network, { segments, done });
    return done;
  };
  const readState = async (network: string): Promise<StoreState> => {
    const rows = await queryRows(engine, "store_state", { network });
    const part = (name: string) => rows.find((row) => row.part === name);
    const first = part("network")?.number ?? null;
    const segments = part("segments");
    const generation = segments?.hash ?? "";
    const count = segments?.number ?? 0;
    const done = count === 0 ? [] : await readRanges(network, `${count} ${generation}`);
    return {
      generation,
      first,
      is_opened: part("network")?.last === 1,
      refused: rows.filter((row) => row.part === "refused").map(({ number, last }) => ({ from: number, to: last })),
      rewrites: segments?.time ?? 0,
      final_block: done.at(-1)?.to ?? (first ?? 0) - 1,
      done,
      islands: rows.filter((row) => row.part === "island").map(islandOf),
      tail_drops: part("drops")?.number ?? 0,
    };
  };
  const known = new Map<string, { readonly writes: string; readonly state: StoreState }>();
  const readUnlessKnown = async (network: string): Promise<StoreState> => {
    const writes = (await looks.take()).of(STATE_TABLES, network);
    const before = known.get(network);
    if (before !== undefined && before.writes === writes) return before.state;
    const state = await readState(network);
    known.set(network, { writes, state });
    return state;
  };
  const readers = new Map<string, () => Promise<StoreState>>();
  return {
    read(network) {
      const reader = readers.get(network) ?? shared(() => readUnlessKnown(network));
      readers.set(network, reader);
      return reader();
    },
  };
};
