import type { Engine, Options } from "./engine.ts";
import { encodeParam } from "./param.ts";
import type { Queries } from "./queries.gen.ts";
import { queryRows } from "./query.ts";
import { questionText } from "./question_text.ts";
import { TABLES, type TableRows } from "./tables.gen.ts";

/** Blocks `from` to `to` of a network, both included. */
export interface NetworkRange {
  readonly network: string;
  readonly from: number;
  readonly to: number;
  /** Only these blocks of the range, ascending: a batch of a network that is read on demand. Left out: all of them. */
  readonly blocks?: readonly number[];
}

/** Order-independent checksum of rows; a repeated row counts twice. */
export interface RowSum {
  readonly rows: number;
  /** Sum of the rows' hashes modulo 2^64, decimal. */
  readonly hash: string;
}

export const NO_ROWS: RowSum = { rows: 0, hash: "0" };

export const isSame = (one: RowSum, other: RowSum): boolean => one.rows === other.rows && one.hash === other.hash;

/** Second copies of the record in other orders, and what is picked out of it: each follows from one table of the record by one question. */
const LAYOUTS = {
  transaction_places: "final_transaction_places",
  ledger: "final_ledger",
  token_ledger: "final_token_ledger",
  deployments: "final_deployments",
  first_funding: "final_first_funding",
} as const satisfies Partial<Record<keyof TableRows, keyof Queries>>;

export type LayoutName = keyof typeof LAYOUTS;
// The keys of LAYOUTS are its layouts.
export const LAYOUT_TABLES = Object.keys(LAYOUTS) as readonly LayoutName[];

/** A question without its sentence and without its order: a table has its own, and sorting twice costs twice. */
export const unordered = (text: string): string => text.replace(/^(--[^\n]*\n)+/, "").replace(/\nORDER BY [^\n]*$/, "");

/** Expected rows of a layout for a range. */
export const layoutSelect = (layout: LayoutName, range: Pick<NetworkRange, "blocks"> = {}): string =>
  ofBlocks(unordered(questionText(LAYOUTS[layout])), range);

/** Columns of a table, of which the first `count` are meant where later versions have added some. */
export const columnsOf = (table: keyof TableRows, count = TABLES[table].length): readonly string[] =>
  TABLES[table].slice(0, count).map(([name]) => name);

/** The hash of a row over those columns. A null inside a tuple is hashed; outside it would make the whole hash null. */
export const rowHash = (table: keyof TableRows, count = TABLES[table].length): string => {
  const columns = TABLES[table].slice(0, count);
  return `cityHash64(${columns.map(([name, type]) => (type.startsWith("Nullable(") ? `tuple(${name})` : name)).join(", ")})`;
};

/** Final rows of a table in a range (`{network}`, `{from}`, `{to}`). */
const IN_RANGE = "tail = 0 AND network = {network:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}";
/** How every query of a range names its blocks (test/sql.test.ts). */
const BETWEEN = "block_number BETWEEN {from:UInt64} AND {to:UInt64}";

/** A text about the blocks of a range, for the blocks that are meant. */
export const ofBlocks = (text: string, { blocks }: Pick<NetworkRange, "blocks">): string =>
  blocks === undefined ? text : text.replaceAll(BETWEEN, `${BETWEEN} AND has({blocks:Array(UInt64)}, block_number)`);

/** The condition of final rows in a range. */
export const inRange = (range: Pick<NetworkRange, "blocks">): string => ofBlocks(IN_RANGE, range);

/** `{froms}`: first blocks of the segments in the range, for what is picked out by segment. Here it is one. */
export const rangeParams = ({ network, from, to, blocks }: NetworkRange): Record<string, string> => ({
  network: encodeParam(network),
  from: encodeParam(from),
  to: encodeParam(to),
  froms: encodeParam([from]),
  ...(blocks === undefined ? {} : { blocks: encodeParam(blocks) }),
});

/** Something whose rows are hashed as those of `table` are. */
export interface Source {
  /** Name of the sum. */
  readonly name: string;
  readonly table: keyof TableRows;
  /** Text after FROM. */
  readonly from: string;
}

/** The rows that a table holds of a range of final blocks. */
export const tableRange = (table: keyof TableRows, range: Pick<NetworkRange, "blocks"> = {}): Source => ({
  name: table,
  table,
  from: `${table} WHERE ${inRange(range)}`,
});

/** The rows that a layout shall hold of a range. */
export const derived = (layout: LayoutName, range: Pick<NetworkRange, "blocks"> = {}): Source => ({
  name: layout,
  table: layout,
  from: `(${layoutSelect(layout, range)})`,
});

/** Sums of several sources by name, in one statement. */
export const readSums = async (
  engine: Engine,
  sources: readonly Source[],
  options: Options = {},
): Promise<ReadonlyMap<string, RowSum>> => {
  if (sources.length === 0) return new Map();
  const selects = sources.map(
    ({ name, table, from }) =>
      `SELECT '${name}' AS name, count() AS rows, toString(sum(${rowHash(table)})) AS hash FROM ${from}`,
  );
  const rows = await engine.query(selects.join("\nUNION ALL\n"), options);
  return new Map(rows.map(([name, count, hash]) => [String(name), { rows: Number(count), hash: String(hash) }]));
};

/** How often the sums of a segment have entered the two tables of balances. */
export const readEntered = async (engine: Engine, { network, from, to }: NetworkRange) => {
  const [row] = await queryRows(engine, "segment_entered", { network, from, to });
  return { balances: Number(row?.balances ?? 0), balances_by_holder: Number(row?.balances_by_holder ?? 0) };
};

/** Sums of the tables of a segment's record as `segments.sums` keeps them: [rows, hash, columns hashed] by table. */
export const sumsText = (sums: ReadonlyMap<keyof TableRows, RowSum>): string =>
  JSON.stringify(
    Object.fromEntries([...sums].map(([table, { rows, hash }]) => [table, [rows, hash, TABLES[table].length]])),
  );

export interface SealedSum extends RowSum {
  /** So many of the table's columns are hashed: later versions may have added some. */
  readonly columns: number;
}

export const readSumsText = (text: string): ReadonlyMap<string, SealedSum> => {
  // The format of sumsText.
  const entries = Object.entries(JSON.parse(text) as Record<string, [number, string, number]>);
  return new Map(entries.map(([table, [rows, hash, columns]]) => [table, { rows, hash, columns }]));
};
