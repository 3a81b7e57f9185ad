import { askEngine } from "./ask.ts";
import type { Engine } from "./engine.ts";
import type { Row } from "./facts.ts";

/** A row of `segments`: `sums` is '' where it was written before they were kept (schema 0012). */
export type SegmentMark = Row<"segments">;

/** `sums` of a segment that is only begun: from then on a marker counts how often its sums enter the balances. */
export const BEGUN_SUMS = "{}";

/**
 * How a segment's sums stand in the balances. `counted`: its marker says how often they entered. Before there were
 * markers: `done_before` they entered once, `begun_before` nobody knows.
 */
export type SegmentOrigin = "counted" | "done_before" | "begun_before";

/** A segment, and what was marked of it last. */
export interface KnownSegment {
  readonly from: number;
  readonly to: number;
  readonly latest: SegmentMark;
  readonly origin: SegmentOrigin;
}

const originOf = (marks: readonly SegmentMark[]): SegmentOrigin => {
  if (marks.some(({ state, sums }) => state === "done" && sums === "")) return "done_before";
  if (marks.some(({ state }) => state === "done")) return "counted";
  return marks.some(({ sums }) => sums === "") ? "begun_before" : "counted";
};

/** The segments of a network, each once, in the order in which they were begun. `marks` in the order of their writing. */
const knownSegments = (marks: readonly SegmentMark[]): readonly KnownSegment[] => {
  const byBounds = new Map<string, SegmentMark[]>();
  for (const mark of marks) {
    const key = `${mark.from_block}-${mark.to_block}`;
    const known = byBounds.get(key);
    if (known === undefined) byBounds.set(key, [mark]);
    else known.push(mark);
  }
  return [...byBounds.values()].flatMap((own) => {
    const latest = own.at(-1);
    return latest === undefined
      ? []
      : [{ from: latest.from_block, to: latest.to_block, latest, origin: originOf(own) }];
  });
};

export const readSegments = async (engine: Engine, network: string): Promise<readonly KnownSegment[]> =>
  knownSegments(await askEngine(engine, "segments", { network }));
