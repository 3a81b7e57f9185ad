/** The batches of a network that is read on demand, compared with what they held when they were written. */
import type { Engine } from "../engine.ts";
import { encodeParam } from "../param.ts";
import { questionText } from "../question_text.ts";
import type { Batch } from "../subjects/records.ts";
import { rangeParams, rowHash, tableRange, unordered } from "../sums.ts";
import { BLOCK_TABLES } from "../tables.gen.ts";
import {
  compareLayouts,
  compareTable,
  kindOf,
  NOTHING,
  once,
  RECORD_TABLES,
  type ReadUnitSums,
  sumsByUnit,
  type TableFinding,
  WINDOW_SECONDS,
} from "./record.ts";

/** Batches that are compared by one question a table. */
const WINDOW_BATCHES = 64;

/** How questions about ranges name their blocks, and the segment of a block. */
const BETWEEN = "block_number BETWEEN {from:UInt64} AND {to:UInt64}";
const SEGMENT = /arrayLastIndex\(first -> first <= ((?:\w+\.)?block_number), \{froms:Array\(UInt64\)\}\)/g;
const UNIT = "transform($1, {blocks:Array(UInt64)}, {units:Array(UInt32)}, toUInt32(0))";

/** A text about the segments of a range, for the batches of a window: in a set, many blocks cost no more than few. */
const ofBatches = (text: string): string =>
  text
    .replaceAll(BETWEEN, `${BETWEEN} AND block_number IN (SELECT arrayJoin({blocks:Array(UInt64)}))`)
    .replaceAll(SEGMENT, UNIT);

interface BatchWindow {
  readonly network: string;
  readonly units: readonly {
    readonly blocks: readonly number[];
    readonly from: number;
    readonly to: number;
    readonly sums: string;
  }[];
  readonly params: Readonly<Record<string, string>>;
}

/** The first and the last block of a batch: no other one has them. */
export const edgesOf = ({ blocks }: Pick<Batch, "blocks">) => ({ from: blocks[0] ?? 0, to: blocks.at(-1) ?? 0 });

/** Done batches, some at a time. */
export const batchWindows = (network: string, batches: readonly Batch[]): readonly BatchWindow[] => {
  const done = batches
    .filter(({ state }) => state === "done")
    .map((batch) => ({ ...edgesOf(batch), blocks: batch.blocks, sums: batch.entered ?? "{}" }))
    .sort((a, b) => a.from - b.from);
  return Array.from({ length: Math.ceil(done.length / WINDOW_BATCHES) }, (_, i) => {
    const units = done.slice(i * WINDOW_BATCHES, (i + 1) * WINDOW_BATCHES);
    const blocks = units.flatMap((unit) => unit.blocks);
    const range = { network, from: Math.min(...blocks), to: Math.max(...blocks), blocks };
    const places = units.flatMap((unit, at) => unit.blocks.map(() => at + 1));
    return { network, units, params: { ...rangeParams(range), units: encodeParam(places) } };
  });
};

interface StoredBlock {
  readonly copies: number;
  readonly hash: string;
  readonly parent_hash: string;
  readonly transactions: number;
}

/** Blocks of the window by their number. */
const readBlocks = async (engine: Engine, { params }: BatchWindow): Promise<ReadonlyMap<number, StoredBlock>> => {
  const text = ofBatches(unordered(questionText("verify_blocks")));
  const rows = await engine.query(`SELECT number, copies, hash, parent_hash, transactions FROM (${text})`, {
    params,
    settings: { max_execution_time: WINDOW_SECONDS },
  });
  return new Map(
    rows.map(([number, copies, hash, parent_hash, transactions]) => [
      Number(number),
      {
        ...{ copies: Number(copies), hash: String(hash), parent_hash: String(parent_hash) },
        transactions: Number(transactions),
      },
    ]),
  );
};

/** Votes that are kept as sums alone, by batch. */
const readVotes = async (engine: Engine, { params }: BatchWindow): Promise<ReadonlyMap<number, number>> => {
  const text = ofBatches(unordered(questionText("verify_votes")));
  const rows = await engine.query(`SELECT segment, votes FROM (${text})`, { params });
  return new Map(rows.map(([at, votes]) => [Number(at), Number(votes)]));
};

/** Each block once, the child of the one before where that is stored, with all its transactions. */
const compareBlocks = async (
  engine: Engine,
  window: BatchWindow,
  readSums: ReadUnitSums,
): Promise<readonly TableFinding[]> => {
  const [stored, votes] = [await readBlocks(engine, window), await readVotes(engine, window)];
  const counts = await readSums(tableRange("transactions"));
  return window.units.flatMap(({ from, to, blocks }, index) => {
    const there = blocks.flatMap((number) => stored.get(number) ?? []);
    const copies = there.reduce((sum, block) => sum + block.copies, 0);
    const is_chain = blocks.every((number) => {
      const [block, below] = [stored.get(number), stored.get(number - 1)];
      return block !== undefined && (below === undefined || below.hash === block.parent_hash);
    });
    const place = { from, to, part: "record" as const };
    const kind = copies < blocks.length ? "lost" : copies > blocks.length ? "doubled" : "other";
    const own: TableFinding = {
      ...{ ...place, table: "blocks", kind },
      ...{ rows_expected: blocks.length, rows_found: copies },
    };
    const stated = there.reduce((sum, block) => sum + block.transactions, 0) - (votes.get(index + 1) ?? 0);
    const counted = counts.get(index + 1) ?? NOTHING;
    const missing: TableFinding = {
      ...{ ...place, table: "transactions", kind: kindOf(Math.max(0, stated), counted) },
      ...{ rows_expected: Math.max(0, stated), rows_found: counted.rows },
    };
    return [
      ...(is_chain && copies === blocks.length ? [] : [own]),
      ...(counted.rows === Math.max(0, stated) ? [] : [missing]),
    ];
  });
};

/** Compares what the batches of a window hold. */
export const compareBatches = async (engine: Engine, window: BatchWindow): Promise<readonly TableFinding[]> => {
  const readSums: ReadUnitSums = ({ table, from }, columns) =>
    sumsByUnit(engine, {
      unit: UNIT.replace("$1", "block_number"),
      from: ofBatches(from),
      hash: rowHash(table, columns),
      params: window.params,
    });
  const findings: TableFinding[] = [];
  for (const table of RECORD_TABLES) findings.push(...(await compareTable(window.units, table, readSums)));
  findings.push(...(await compareBlocks(engine, window, readSums)));
  findings.push(...(await compareLayouts(window.units, readSums)));
  return once(findings);
};

/** Rows of blocks that no batch has. */
export const strayRows = async (engine: Engine, network: string): Promise<readonly TableFinding[]> => {
  const findings: TableFinding[] = [];
  for (const table of BLOCK_TABLES) {
    const rows = await engine.query(
      `SELECT block_number, count() FROM ${table} WHERE tail = 0 AND network = {network:String} AND block_number NOT IN (
        SELECT arrayJoin(JSONExtract(blocks, 'Array(UInt64)')) FROM batches WHERE network = {network:String})
      GROUP BY block_number ORDER BY block_number`,
      { params: { network: encodeParam(network) }, settings: { max_execution_time: WINDOW_SECONDS } },
    );
    for (const [block, count] of rows) {
      const place = { from: Number(block), to: Number(block), table, part: "record" as const };
      findings.push({ ...place, kind: "other", rows_expected: 0, rows_found: Number(count) });
    }
  }
  return findings;
};
