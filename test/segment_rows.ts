import { RECORD_TABLES as ALL_RECORD_TABLES, type BlockTable } from "../src/indexer/encoded.ts";
import { toHex } from "../src/lib/bytes.ts";
import type { Engine } from "../src/store/engine.ts";
import type { FinalOptions } from "../src/store/final_statements.ts";
import type { EncodedTable } from "../src/store/final_writer.ts";
import { queryRows } from "../src/store/query.ts";
import { BEGUN_SUMS } from "../src/store/segments.ts";
import { sumsText } from "../src/store/sums.ts";
import { TABLES, type TableRows } from "../src/store/tables.gen.ts";
import type { TableName, Writer } from "../src/store/writer.ts";
import { sized } from "./long.ts";

/**
 * Tables of the record that have rows. In a slice: those that a layout follows from, one whose numbers may be negative, one whose
 * numbers may be unknown, and `blocks`.
 */
export const RECORD_TABLES: readonly BlockTable[] = sized<readonly BlockTable[]>({
  slice: ["transactions", "transfers", "swaps", "freeze_events", "contracts", "blocks"],
  long: ALL_RECORD_TABLES,
});

/** Everything that has rows of a segment. */
export const SEGMENT_TABLES: readonly TableName[] = [
  ...RECORD_TABLES,
  "transaction_places",
  "ledger",
  "token_ledger",
  "deployments",
  "first_funding",
  "balances",
  "balances_by_holder",
];

const ADDRESSES = ["source", "destination", "sender", "creator", "token", "address", "holder", "owner"];

const address = (number: number): Uint8Array => Buffer.from(number.toString(16).padStart(40, "0"), "hex");

/** A value that fits the column and differs from row to row. */
const cellOf = (column: string, type: string, i: number): unknown => {
  if (type.startsWith("Nullable(")) return i % 3 === 0 ? null : cellOf(column, type.slice(9, -1), i);
  if (type.startsWith("Enum8(")) return /'([^']+)' = 1\b/.exec(type)?.[1] ?? "";
  if (type.startsWith("DateTime")) return 1_700_000_000 + i;
  if (type === "UInt8") return 1;
  if (/^U?Int(128|256)$/.test(type)) return BigInt(i + 1);
  if (/Int/.test(type)) return i % 1000;
  return ADDRESSES.includes(column) ? address(1 + (i % 7)) : Buffer.from(`${column} ${i}`);
};

export interface SegmentPosition {
  readonly network: string;
  readonly from: number;
  readonly to: number;
  /** Rows a block, in every table but `blocks`. */
  readonly rows?: number;
}

/** 32 bytes that tell the block. */
const blockHash = (number: number): Uint8Array => Buffer.from(number.toString(16).padStart(64, "0"), "hex");

/** From one address to the next one; each of the seven gives native coins in five of 32 blocks, and other coins always. */
const partiesOf = (i: number, block_number: number) => {
  const is_native = i % 7 === Math.floor((block_number % 32) / 5);
  return { destination: address(1 + ((i + 1) % 7)), ...(is_native ? { token: Buffer.alloc(0) } : {}) };
};

const rowsOf = <T extends TableName>(table: T, { network, from, to, rows = 3 }: SegmentPosition): TableRows[T][] => {
  const each = table === "blocks" ? 1 : rows;
  return Array.from({ length: (to - from + 1) * each }, (_, at) => {
    const block_number = from + Math.floor(at / each);
    const i = from * each + at;
    const chain = { hash: blockHash(block_number), parent_hash: blockHash(Math.max(0, block_number - 1)) };
    const own = {
      ...(table === "transfers" ? partiesOf(i, block_number) : {}),
      network,
      block_number,
      tx_index: at % each,
      transaction_count: rows,
      ...(table === "blocks" ? chain : {}),
    };
    const values = TABLES[table].map(([name, type]) => [
      name,
      name in own ? own[name as keyof typeof own] : cellOf(name, type, i),
    ]);
    // One value per column, of its type.
    return Object.fromEntries(values) as TableRows[T];
  });
};

/** The rows of a segment's record, encoded. */
export const recordOf = (writer: Writer, segment: SegmentPosition) => ({
  tables: ALL_RECORD_TABLES,
  rows: new Map<TableName, EncodedTable>(
    RECORD_TABLES.map((table) => {
      const rows = rowsOf(table, segment);
      return [table, { pieces: [writer.encode(table, rows as never)], rows: rows.length }];
    }),
  ),
});

/** Writes the facts of a segment as the indexer does. Returns its sums. */
export const writeSegmentRows = async (
  writer: Writer,
  segment: SegmentPosition,
  options: FinalOptions = {},
): Promise<string> => {
  const sums = await writer.finals.writeRecord(segment, recordOf(writer, segment), options);
  await writer.finals.writeLayouts(segment, options);
  await writer.finals.writeBalances(segment, options);
  return sumsText(sums);
};

/** Writes a segment with its marks. */
export const finishSegment = async (writer: Writer, segment: SegmentPosition): Promise<void> => {
  const { network, from, to } = segment;
  const mark = {
    network,
    from_block: from,
    to_block: to,
    to_hash: blockHash(to),
    has_traces: 1,
    untraced: "",
    verified: "none" as const,
    written_at: 1_700_000_000,
  };
  await writer.insert("segments", [{ ...mark, state: "begun", sums: BEGUN_SUMS }]);
  const sums = await writeSegmentRows(writer, segment, { is_fresh: true });
  await writer.insert("segments", [{ ...mark, state: "done", sums }]);
};

/** Rows and an order-free hash of each network in every table, sums of balances as sums. */
export const segmentContents = async (
  engine: Engine,
  asked: readonly string[],
): Promise<Record<string, Record<string, unknown>>> => {
  const found: Record<string, Record<string, unknown>> = Object.fromEntries(asked.map((network) => [network, {}]));
  for (const table of SEGMENT_TABLES) {
    const columns = TABLES[table].filter(([name]) => name !== "network");
    const hashed = columns.map(([name, type]) => (type.startsWith("Nullable(") ? `tuple(${name})` : name)).join(", ");
    const sums = `(SELECT network, token, holder, sum(amount) AS amount, sum(high) AS high, sum(transfers) AS transfers,
      min(first_block) AS first_block, max(last_block) AS last_block FROM ${table} GROUP BY network, token, holder)`;
    const select = `SELECT network, count(), toString(sum(sipHash64(${hashed})))`;
    const source = table.startsWith("balances") ? sums : table;
    const rows = await engine.query(`${select} FROM ${source} GROUP BY network`);
    const of = new Map(rows.map(([network, ...row]) => [network, row]));
    for (const network of asked) (found[network] ?? {})[table] = of.get(network) ?? ["0", "0"];
  }
  return found;
};

/** First funders of three of the addresses, as a question says them. */
export const fundersOf = (engine: Engine, { network, from, to }: SegmentPosition) => {
  const addresses = [2, 3, 4].map((number) => toHex(address(number)));
  const bounds = { network, from_block: from, to_block: to, final_block: to };
  return queryRows(engine, "first_funders", { ...bounds, addresses, wrapped: "" });
};
