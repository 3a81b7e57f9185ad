/** The size of segments by the memory of the machine (docs/design/exactly_once.md). */

const GIB = 1 << 30;

/** For little memory. */
export const SMALL_SEGMENT_ROWS = 75_000;
const LARGE_SEGMENT_ROWS = 300_000;
/** Large segments take about 200 MB more. With this much free memory per network nothing else lacks them. */
const LARGE_FROM_BYTES = 8 * GIB;

/** Rows that a segment of each network aims at. */
export const segmentRowsFor = (available_bytes: number, networks: number): number =>
  available_bytes / Math.max(1, networks) >= LARGE_FROM_BYTES ? LARGE_SEGMENT_ROWS : SMALL_SEGMENT_ROWS;
