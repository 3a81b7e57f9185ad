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
export const RECORD_TABLES = BLOCK_TABLES.filter((name) => !LAYOUT_TABLES.some((layout) => layout === name));

/** Blocks that were written together: a segment, or a batch of a network that is read on demand. */
export interface WrittenUnit {
  readonly from: number;
  readonly to: number;
  /** Sums of its record (`sumsText`). */
  readonly sums: string;
}

/** A question about some segments reads this much at a time. */
const WINDOW_SEGMENTS = 64;
const WINDOW_BLOCKS = 20_000;
export const WINDOW_SECONDS = 600;

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

export interface SumsQuery {
  /** Number of the unit that a block belongs to, 1 is the first one. */
  readonly unit: string;
  /** Rows with their block. */
  readonly from: string;
  readonly hash: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Sums per unit, with the number of different rows. */
export const sumsByUnit = async (
  engine: Engine,
  { unit, from, hash, params }: SumsQuery,
): Promise<ReadonlyMap<number, RowSum & { readonly distinct: number }>> => {
  const rows = await engine.query(
    `SELECT ${unit} AS unit, count() AS rows, toString(sum(row_hash)) AS hash, uniqExact(row_hash) AS distinct_rows
    FROM (SELECT block_number, ${hash} AS row_hash FROM ${from}) GROUP BY unit ORDER BY unit`,
    { params, settings: { max_execution_time: WINDOW_SECONDS } },
  );
  return new Map(
    rows.map(([at, count, sum, distinct]) => [
      Number(at),
      { rows: Number(count), hash: String(sum), distinct: Number(distinct) },
    ]),
  );
};

const sumsBySegment = (
  engine: Engine,
  window: Window,
  { source, columns }: { readonly source: Source; readonly columns?: number },
): Promise<UnitSums> =>
  sumsByUnit(engine, {
    unit: "arrayLastIndex(first -> first <= block_number, {froms:Array(UInt64)})",
    from: source.from,
    hash: rowHash(source.table, columns),
    params: { ...rangeParams(window), froms: encodeParam(window.segments.map(({ from }) => from)) },
  });

export const kindOf = (expected: number, found: { readonly rows: number; readonly distinct: number }): FindingKind => {
  if (found.rows < expected) return "lost";
  return found.rows > expected && found.distinct === expected ? "doubled" : "other";
};

export const NOTHING = { ...NO_ROWS, distinct: 0 };

type UnitSums = Awaited<ReturnType<typeof sumsByUnit>>;

/** Sums of some rows by the unit of their block. `columns`: so many are hashed; left out: all. */
export type ReadUnitSums = (source: Source, columns?: number) => Promise<UnitSums>;

/** Rows of a record table, compared with those at the end of each unit. */
export const compareTable = async (
  units: readonly WrittenUnit[],
  table: TableName,
  readSums: ReadUnitSums,
): Promise<readonly TableFinding[]> => {
  const byColumns = new Map<number, UnitSums>();
  const read = async (columns: number): Promise<UnitSums> => {
    const known = byColumns.get(columns) ?? (await readSums(tableRange(table), columns));
    byColumns.set(columns, known);
    return known;
  };
  const findings: TableFinding[] = [];
  for (const [index, { from, to, sums }] of units.entries()) {
    const none: SealedSum = { ...NO_ROWS, columns: TABLES[table].length };
    const expected = readSumsText(sums).get(table) ?? none;
    const found = (await read(expected.columns)).get(index + 1) ?? NOTHING;
    const place = { table, from, to, rows_found: found.rows, part: "record" as const };
    if (!isSame(found, expected)) {
      findings.push({ ...place, kind: kindOf(expected.rows, found), rows_expected: expected.rows });
    }
  }
  return findings;
};

/** Rows of layouts, compared with those derived from the record. */
export const compareLayouts = async (
  units: readonly WrittenUnit[],
  readSums: ReadUnitSums,
): Promise<readonly TableFinding[]> => {
  const findings: TableFinding[] = [];
  for (const layout of LAYOUT_TABLES) {
    const wanted = await readSums(derived(layout));
    const found = await readSums(tableRange(layout));
    for (const [index, { from, to }] of units.entries()) {
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

/** One finding per table and unit: the first one says the most. */
export const once = (findings: readonly TableFinding[]): readonly TableFinding[] =>
  [
    ...new Map([...findings].reverse().map((finding) => [`${finding.table}:${finding.from}`, finding])).values(),
  ].reverse();

/** Compares what one window of segments holds. `below`: hash of the block under it, null when it is not held. */
export const compareWindow = async (engine: Engine, window: Window, below: string | null) => {
  const findings: TableFinding[] = [];
  const units = window.segments.map(({ from, to, latest }) => ({ from, to, sums: latest.sums }));
  const readSums: ReadUnitSums = (source, columns) =>
    sumsBySegment(engine, window, { source, ...(columns === undefined ? {} : { columns }) });
  for (const table of RECORD_TABLES) findings.push(...(await compareTable(units, table, readSums)));
  const { findings: blocks, last_hash } = await compareBlocks(engine, window, below);
  const layouts = await compareLayouts(units, readSums);
  return { findings: once([...findings, ...blocks, ...layouts]), last_hash };
};

/** The range of a finding. */
export const rangeOf = (network: string, { from, to }: Pick<TableFinding, "from" | "to">): NetworkRange => ({
  network,
  from,
  to,
});
