import type { Engine } from "./engine.ts";
import type { QueryRow } from "./facts.ts";
import { queryRows } from "./query.ts";

/** A row of `segments`. */
export type SegmentMark = QueryRow<"segments">;

/** `sums` of a segment that is only begun. One that is written again is begun once more, with its sums, before they enter the balances. */
export const BEGUN_SUMS = "{}";

export interface SegmentRun {
  readonly from: number;
  readonly to: number;
}

/** Blocks of a segment that lack traces, as `segments.untraced` keeps them: nothing where all of them do, or none. */
export const untracedText = (segment: SegmentRun, untraced: readonly SegmentRun[]): string => {
  const [only] = untraced;
  const is_all = untraced.length === 1 && only?.from === segment.from && only.to === segment.to;
  return untraced.length === 0 || is_all ? "" : JSON.stringify(untraced.map(({ from, to }) => [from, to]));
};

/** Blocks of a segment that lack traces, ascending. */
export const untracedOf = (
  segment: SegmentRun,
  { has_traces, untraced }: { readonly has_traces: number; readonly untraced: string },
): readonly SegmentRun[] => {
  if (has_traces === 1) return [];
  if (untraced === "") return [segment];
  // The format of untracedText.
  return (JSON.parse(untraced) as [number, number][]).map(([from, to]) => ({ from, to }));
};

/** A segment in runs of blocks that have traces and that lack them, ascending. */
export const tracedRuns = (segment: SegmentRun, row: Parameters<typeof untracedOf>[1]) => {
  const runs: (SegmentRun & { readonly has_traces: boolean })[] = [];
  let next = segment.from;
  for (const { from, to } of untracedOf(segment, row)) {
    if (from > next) runs.push({ from: next, to: from - 1, has_traces: true });
    runs.push({ from, to, has_traces: false });
    next = to + 1;
  }
  if (next <= segment.to) runs.push({ from: next, to: segment.to, has_traces: true });
  return runs;
};

/** A segment, and what was marked of it last. */
export interface KnownSegment {
  readonly from: number;
  readonly to: number;
  readonly latest: SegmentMark;
  /** Sums of the record that were marked last: what has entered the balances, where anything has. Null where none were marked. */
  readonly entered: string | null;
}

/** The segments of a network, each once, in the order in which they were begun. `marks` in the order of their writing. */
const mergeSegments = (marks: readonly SegmentMark[]): readonly KnownSegment[] => {
  const byBounds = new Map<string, SegmentMark[]>();
  for (const mark of marks) {
    const key = `${mark.from_block}-${mark.to_block}`;
    const known = byBounds.get(key);
    if (known === undefined) byBounds.set(key, [mark]);
    else known.push(mark);
  }
  return [...byBounds.values()].flatMap((own) => {
    const latest = own.at(-1);
    const entered = own.findLast(({ sums }) => sums !== BEGUN_SUMS)?.sums ?? null;
    return latest === undefined ? [] : [{ from: latest.from_block, to: latest.to_block, latest, entered }];
  });
};

export const readSegments = async (engine: Pick<Engine, "query">, network: string): Promise<readonly KnownSegment[]> =>
  mergeSegments(await queryRows(engine, "segments", { network }));
