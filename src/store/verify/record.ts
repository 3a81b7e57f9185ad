import type { Engine } from "../engine.ts";
import { encodeParam } from "../param.ts";
import { queryRows } from "../query.ts";
import type { KnownSegment } from "../segments.ts";
import {
  derived,
  isSame,
  LAYOUT_TABLES,
  type NetworkRange,
  NO_ROWS,
  type RowSum,
  rangeParams,
  readSumsText,
  rowHash,
  type SealedSum,
  type Source,
  tableRange,
} from "../sums.ts";
import { BLOCK_TABLES, TABLES } from "../tables.gen.ts";
import type { TableName } from "../writer.ts";

export type FindingKind = "lost" | "doubled" | "other";

/** Rows of a table in a segment that are not what they shall be. */
export interface TableFinding {
  readonly table: string;
  readonly from: number;
  readonly to: number;
  readonly kind: FindingKind;
  readonly rows_expected: number;
  readonly rows_found: number;
  /** `record`: only the node knows what is right. `layout`: it follows from the record. */
  readonly part: "record" | "layout";
}

/** Tables that come from blocks alone. */
const RECORD_TABLES = BLOCK_TABLES.filter((name) => !LAYOUT_TABLES.some((layout) => layout === name));

/** A question about some segments reads this much at a time. */
const WINDOW_SEGMENTS = 64;
const WINDOW_BLOCKS = 20_000;
const WINDOW_SECONDS = 600;

/** Neighbouring segments that are compared by one question a table. */
export interface Window {
  readonly network: string;
  readonly segments: readonly KnownSegment[];
  readonly from: number;
  readonly to: number;
}

/** Done segments in the order of their blocks, some at a time. A segment that overlaps the one before it is left to `overlaps`. */
export const windowsOf = (network: string, segments: readonly KnownSegment[]): readonly Window[] => {
  const windows: { network: string; segments: KnownSegment[]; from: number; to: number }[] = [];
  for (const segment of segments) {
    const open = windows.at(-1);
    const fits = open !== undefined && open.segments.length < WINDOW_SEGMENTS && segment.to - open.from < WINDOW_BLOCKS;
    if (fits) {
      open.segments.push(segment);
      open.to = segment.to;
    } else windows.push({ network, segments: [segment], from: segment.from, to: segment.to });
  }
  return windows;
};

/** Splits done segments into those that follow each other and those that begin inside an earlier one. */
export const overlaps = (done: readonly KnownSegment[]) => {
  const apart: KnownSegment[] = [];
  const overlapping: KnownSegment[] = [];
  for (const segment of [...done].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = apart.at(-1);
    (last !== undefined && segment.from <= last.to ? overlapping : apart).push(segment);
  }
  return { apart, overlapping };
};

/** Sums per segment of a window (1 is the first one), with the number of different rows. */
const sumsBySegment = async (
  engine: Engine,
  window: Window,
  { source, columns }: { readonly source: Source; readonly columns?: number },
): Promise<ReadonlyMap<number, RowSum & { readonly distinct: number }>> => {
  const hash = rowHash(source.table, columns);
  const rows = await engine.query(
    `SELECT arrayLastIndex(first -> first <= block_number, {froms:Array(UInt64)}) AS segment,
      count() AS rows, toString(sum(row_hash)) AS hash, uniqExact(row_hash) AS distinct_rows
    FROM (SELECT block_number, ${hash} AS row_hash FROM ${source.from}) GROUP BY segment ORDER BY segment`,
    {
      params: { ...rangeParams(window), froms: encodeParam(window.segments.map(({ from }) => from)) },
      settings: { max_execution_time: WINDOW_SECONDS },
    },
  );
  return new Map(
    rows.map(([at, count, sum, distinct]) => [
      Number(at),
      { rows: Number(count), hash: String(sum), distinct: Number(distinct) },
    ]),
  );
};

const kindOf = (expected: number, found: { readonly rows: number; readonly distinct: number }): FindingKind => {
  if (found.rows < expected) return "lost";
  return found.rows > expected && found.distinct === expected ? "doubled" : "other";
};

const NOTHING = { ...NO_ROWS, distinct: 0 };

type SegmentSums = Awaited<ReturnType<typeof sumsBySegment>>;

/** Rows of a record table, compared with those at the end of each segment. */
const compareTable = async (engine: Engine, window: Window, table: TableName): Promise<readonly TableFinding[]> => {
  const byColumns = new Map<number, SegmentSums>();
  const read = async (columns: number): Promise<SegmentSums> => {
    const known =
      byColumns.get(columns) ?? (await sumsBySegment(engine, window, { source: tableRange(table), columns }));
    byColumns.set(columns, known);
    return known;
  };
  const findings: TableFinding[] = [];
  for (const [index, { from, to, latest }] of window.segments.entries()) {
    const none: SealedSum = { ...NO_ROWS, columns: TABLES[table].length };
    const expected = readSumsText(latest.sums).get(table) ?? none;
    const found = (await read(expected.columns)).get(index + 1) ?? NOTHING;
    const place = { table, from, to, rows_found: found.rows, part: "record" as const };
    if (!isSame(found, expected)) {
      findings.push({ ...place, kind: kindOf(expected.rows, found), rows_expected: expected.rows });
    }
  }
  return findings;
};

/** Rows of layouts, compared with those derived from the record. */
const compareLayouts = async (engine: Engine, window: Window): Promise<readonly TableFinding[]> => {
  const findings: TableFinding[] = [];
  for (const layout of LAYOUT_TABLES) {
    const wanted = await sumsBySegment(engine, window, { source: derived(layout) });
    const found = await sumsBySegment(engine, window, { source: tableRange(layout) });
    for (const [index, { from, to }] of window.segments.entries()) {
      const expected = wanted.get(index + 1) ?? NOTHING;
      const there = found.get(index + 1) ?? NOTHING;
      if (isSame(expected, there)) continue;
      findings.push({
        table: layout,
        from,
        to,
        kind: kindOf(expected.rows, there),
        rows_expected: expected.rows,
        rows_found: there.rows,
        part: "layout",
      });
    }
  }
  return findings;
};

/** Blocks: each number once, each the child of the one before, the last one the segment's, with all its transactions. */
const compareBlocks = async (engine: Engine, window: Window, below: string | null) => {
  const { network, from, to } = window;
  const blocks = await queryRows(engine, "verify_blocks", { network, from, to });
  const counts = await sumsBySegment(engine, window, { source: tableRange("transactions") });
  const froms = window.segments.map((segment) => segment.from);
  const sums = await queryRows(engine, "verify_votes", { network, from, to, froms });
  const votes = new Map(sums.map((sum) => [sum.segment, Number(sum.votes)]));
  const findings: TableFinding[] = [];
  let parent = below;
  const byNumber = new Map(blocks.map((block) => [block.number, block]));
  let next = window.from;
  for (const [index, segment] of window.segments.entries()) {
    // Behind a gap nothing is known of the block below.
    if (segment.from !== next) parent = null;
    next = segment.to + 1;
    const wanted = segment.to - segment.from + 1;
    const own = Array.from({ length: wanted }, (_, at) => byNumber.get(segment.from + at));
    const there = own.filter((block) => block !== undefined);
    const copies = there.reduce((sum, block) => sum + block.copies, 0);
    const is_chain = own.every((block) => {
      const follows = block !== undefined && (parent === null || parent === block.parent_hash);
      parent = block?.hash ?? null;
      return follows;
    });
    const is_right = is_chain && copies === wanted && there.at(-1)?.hash === segment.latest.to_hash;
    const place = { from: segment.from, to: segment.to, part: "record" as const };
    const kind = copies < wanted ? "lost" : copies > wanted && there.length === wanted ? "doubled" : "other";
    if (!is_right) findings.push({ ...place, table: "blocks", kind, rows_expected: wanted, rows_found: copies });
    const told = there.reduce((sum, block) => sum + block.transactions, 0);
    const transactions = Math.max(0, told - (votes.get(index + 1) ?? 0));
    const counted = counts.get(index + 1) ?? NOTHING;
    if (counted.rows !== transactions)
      findings.push({
        ...place,
        table: "transactions",
        kind: kindOf(transactions, counted),
        rows_expected: transactions,
        rows_found: counted.rows,
      });
  }
  return { findings, last_hash: parent };
};

/** One finding per table and segment: the first one says the most. */
const once = (findings: readonly TableFinding[]): readonly TableFinding[] =>
  [
    ...new Map([...findings].reverse().map((finding) => [`${finding.table}:${finding.from}`, finding])).values(),
  ].reverse();

/** Compares what one window of segments holds. `below`: hash of the block under it, null when it is not held. */
export const compareWindow = async (engine: Engine, window: Window, below: string | null) => {
  const findings: TableFinding[] = [];
  for (const table of RECORD_TABLES) findings.push(...(await compareTable(engine, window, table)));
  const { findings: blocks, last_hash } = await compareBlocks(engine, window, below);
  const layouts = await compareLayouts(engine, window);
  return { findings: once([...findings, ...blocks, ...layouts]), last_hash };
};

/** The range of a finding. */
export const rangeOf = (network: string, { from, to }: Pick<TableFinding, "from" | "to">): NetworkRange => ({
  network,
  from,
  to,
});
