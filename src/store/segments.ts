import { askEngine } from "./ask.ts";
import type { Engine } from "./engine.ts";
import type { Row } from "./facts.ts";

/** A row of `segments`. */
export type SegmentMark = Row<"segments">;

/** `sums` of a segment that is only begun: from then on a marker counts how often its sums enter the balances. */
export const BEGUN_SUMS = "{}";

/** A segment, and what was marked of it last. */
export interface KnownSegment {
  readonly from: number;
  readonly to: number;
  readonly latest: SegmentMark;
}

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
    return latest === undefined ? [] : [{ from: latest.from_block, to: latest.to_block, latest }];
  });
};

export const readSegments = async (engine: Engine, network: string): Promise<readonly KnownSegment[]> =>
  knownSegments(await askEngine(engine, "segments", { network }));
