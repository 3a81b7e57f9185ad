import { AssayError } from "../lib/errors.ts";
import { type Engine, type Shard, shardsOf } from "./engine.ts";
import { writeId, writesOf } from "./final_statements.ts";
import { type FinalWriter, openFinalWriter } from "./final_writer.ts";
import { unavailable } from "./http.ts";
import { encodeParam } from "./param.ts";
import { type ColumnValue, type Encode, encoderFor, RowBuffer } from "./row_binary.ts";
import { BLOCK_TABLES, TABLES, type TableRows } from "./tables.gen.ts";

export type TableName = keyof TableRows;

export interface InsertOptions {
  /** The rows are of the unfinalised tail; without it those of blocks are of final ones. */
  readonly is_tail?: boolean;
  readonly signal?: AbortSignal;
  /** Network of the facts: `dropHead` of the same network then ends a statement that still runs. */
  readonly network?: string;
}

/** The writing side of the facts. `finals`: the final tables, exactly once. Every method throws `AssayError` `FACTS_UNAVAILABLE` (retryable) as the engine does. */
export interface Writer {
  readonly finals: FinalWriter;
  /** All rows as one atomic block. No rows, no insert. */
  insert<T extends TableName>(table: T, rows: readonly TableRows[T][], options?: InsertOptions): Promise<void>;
  /** Rows as `insertEncoded` takes them, in no more memory than they need. */
  encode<T extends TableName>(table: T, rows: readonly TableRows[T][]): Buffer;
  /** Rows that `encode` has made for this table, as one atomic block. */
  insertEncoded(table: TableName, pieces: readonly Buffer[], options?: InsertOptions): Promise<void>;
  /**
   * Drops the unfinalised blocks from `from_block` on, in whole parts of 32 blocks, after ending the running
   * writes of earlier attempts.
   * @returns the first block that is gone: write again from there on.
   */
  dropHead(network: string, from_block: number): Promise<number>;
  /** Drops parts of the tail that are wholly at or below `to_block`: call it after the segment's `done` row. */
  dropPromoted(network: string, to_block: number): Promise<void>;
  /** Drops all blocks of a network, final ones too, with what is stored by block. */
  dropBlocks(network: string): Promise<void>;
}

/** So many blocks of the tail share a part of each table. */
export const TAIL_PART_BLOCKS = 32;

/** A part of some blocks is read whole: merges, which make large ones, add what skips within them. One thread does little work sooner. */
const TAIL_SETTINGS = { materialize_skip_indexes_on_insert: 0, max_threads: 1 };

const TAIL_OF = { tail: `intDiv(block_number, ${TAIL_PART_BLOCKS}) + 1` };

// Blocks first: without its block row nothing of the tail is read.
const DROPPED_TABLES = ["blocks", ...BLOCK_TABLES.filter((name) => name !== "blocks")];

const FIRST_BYTES = 1 << 20;

type Encoder = (rows: readonly object[]) => Buffer;

const encoderOf = (table: TableName): Encoder => {
  const columns = TABLES[table];
  const names = columns.map(([name]) => name);
  const encoders: readonly Encode[] = columns.map(([, type]) => encoderFor(type));
  let capacity = FIRST_BYTES;
  return (rows) => {
    const out = new RowBuffer(capacity);
    for (const row of rows) {
      // The row type of the table (tables.gen.ts) has exactly these columns, with values that are Value.
      const values = row as Readonly<Record<string, ColumnValue>>;
      for (let column = 0; column < encoders.length; column += 1) {
        const name = names[column] ?? "";
        const value = values[name];
        if (value === undefined) throw new RangeError(`${table}.${name} is missing`);
        encoders[column]?.(out, value);
      }
    }
    capacity = Math.max(FIRST_BYTES, Math.ceil(out.at * 1.1));
    return out.written();
  };
};

/** Encoders of all tables, each built when it is first needed. */
const rowEncoder = () => {
  const cache = new Map<TableName, Encoder>();
  return <T extends TableName>(table: T, rows: readonly TableRows[T][]): Buffer => {
    const encode = cache.get(table) ?? encoderOf(table);
    cache.set(table, encode);
    return encode(rows);
  };
};

/** The engine's parts of a network's blocks; tail: 0 = final. */
const BLOCK_PARTS = `
SELECT table, name, toUInt32OrZero(extract(partition, ',(\\\\d+)\\\\)$')) AS tail
FROM system.parts
WHERE active AND database = {database:String} AND table IN (${BLOCK_TABLES.map((name) => `'${name}'`).join(", ")})
  AND extract(partition, '^\\\\(\\'(.*)\\',\\\\d+\\\\)$') = {network:String}
ORDER BY table, tail, name`;

/** A merge may make one part of several between the look and the drop. */
const DROP_TRIES = 50;
const NO_SUCH_PART = /\bCode: 232\b/;

/**
 * Drops the listed parts by name, then lists again. If this process slept in between, dropping the partition would also drop
 * another writer's new rows; part numbers are never reused.
 */
const dropPartitions = async (engine: Engine, network: string, is_wanted: (tail: number) => boolean): Promise<void> => {
  const shards = shardsOf(engine);
  for (let tries = 0; tries < DROP_TRIES; tries += 1) {
    const found = await Promise.all(shards.map((shard) => tailParts(shard, network, is_wanted)));
    if (found.every((parts) => parts.length === 0)) return;
    // On all shards one table after the other.
    for (const table of DROPPED_TABLES)
      await Promise.all(
        shards.map(async (shard, at) => {
          const drops = (found[at] ?? [])
            .filter((part) => part.table === table)
            .map(({ name }) => `DROP PART '${name}'`);
          if (drops.length > 0) await shard.command(`ALTER TABLE ${table} ${drops.join(", ")}`).catch(unlessMerged);
        }),
      );
  }
  throw unavailable(`${network}: parts of the tail come back as often as they are dropped`);
};

const tailParts = async (shard: Shard, network: string, is_wanted: (tail: number) => boolean) => {
  const params = { database: encodeParam(shard.database), network: encodeParam(network) };
  const rows = await shard.query(BLOCK_PARTS, { params });
  return rows.flatMap(([table, name, tail]) => (is_wanted(Number(tail)) ? [{ table, name }] : []));
};

const unlessMerged = (error: unknown): void => {
  if (!(error instanceof AssayError && NO_SUCH_PART.test(error.message))) throw error;
};

/** @param range_name of a writer that fills one range of a network; left out for its indexer. */
export const openWriter = (engine: Engine, range_name: string | null = null): Writer => {
  const encode = rowEncoder();
  const insertBytes = async (table: TableName, bytes: Buffer, options: InsertOptions): Promise<void> => {
    const { is_tail = false, network, signal } = options;
    const columns = TABLES[table].map(([name]) => name);
    await engine.insert({ table, columns, ...(is_tail ? { computed: TAIL_OF } : {}) }, bytes, {
      ...(is_tail ? { settings: TAIL_SETTINGS } : {}),
      ...(signal === undefined ? {} : { signal }),
      ...(network === undefined ? {} : { id: writeId(range_name ?? network) }),
    });
  };
  return {
    finals: openFinalWriter(engine, range_name),
    async insert(table, rows, options = {}) {
      if (rows.length > 0) await insertBytes(table, encode(table, rows), options);
    },
    encode: (table, rows) => Buffer.from(encode(table, rows)),
    async insertEncoded(table, pieces, options = {}) {
      if (pieces.length > 0) await insertBytes(table, Buffer.concat(pieces), options);
    },
    async dropHead(network, from_block) {
      const tail_first = Math.floor(from_block / TAIL_PART_BLOCKS) + 1;
      const first = (tail_first - 1) * TAIL_PART_BLOCKS;
      const mark = () =>
        engine.insert(
          { table: "tail_drops", columns: TABLES.tail_drops.map(([name]) => name) },
          encode("tail_drops", [{ network, from_block: first, written_at: Date.now() / 1000 }]),
        );
      await engine.settle(writesOf(network));
      await mark();
      await dropPartitions(engine, network, (tail) => tail >= tail_first);
      await mark();
      return first;
    },
    dropBlocks: (network) => dropPartitions(engine, network, () => true),
    async dropPromoted(network, to_block) {
      await dropPartitions(engine, network, (tail) => tail > 0 && tail * TAIL_PART_BLOCKS - 1 <= to_block);
    },
  };
};
