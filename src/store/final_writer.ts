import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AssayError } from "../lib/errors.ts";
import type { Engine, Options } from "./engine.ts";
import { unavailable } from "./http.ts";
import { encodeParam } from "./param.ts";
import { QUERIES } from "./queries.gen.ts";
import { openStage, removeStages, type Stage } from "./stage.ts";
import {
  type BlockRange,
  columnsOf,
  derived,
  held,
  IN_RANGE,
  isSame,
  LAYOUT_TABLES,
  type Layout,
  layoutSelect,
  NO_ROWS,
  rangeParams,
  readEntered,
  readSums,
  type Sum,
  unordered,
} from "./sums.ts";
import type { TableName } from "./writer.ts";

/** What goes with every statement that writes final tables. */
export interface FinalOptions {
  readonly signal?: AbortSignal;
  /**
   * Nothing of the range was ever begun: it is written first and counted afterwards, without hashes (which cost a tenth
   * of all indexing). Where the counts are wrong everything is compared after all.
   */
  readonly is_fresh?: boolean;
}

/** Rows of one table as `Writer.encode` makes them. */
export interface EncodedTable {
  readonly pieces: readonly Buffer[];
  readonly rows: number;
}

/** Rows of the record by table. A table that is not named has none. */
export type RecordRows = ReadonlyMap<TableName, EncodedTable>;

/**
 * Writes final tables so that a range holds exactly the rows it shall, whatever was there: every method ends what an
 * earlier attempt may still be doing, looks, takes away what is wrong, writes what is missing and looks again. It may
 * be repeated after any crash. Nothing here rests on the engine's memory of tokens (docs/decisions/0036).
 *
 * Throws `AssayError`: `FACTS_UNAVAILABLE` (retryable) as the engine does, `FACTS_DAMAGED` when a table does not keep
 * what is written into it.
 */
export interface FinalWriter {
  /** To be called before a network is written: takes away what an earlier writer of it was doing. */
  open(network: string): Promise<void>;
  /** The record: `tables` are all tables of it. Returns what each table holds now, of those that hold something. */
  writeRecord(
    range: BlockRange,
    record: { readonly tables: readonly TableName[]; readonly rows: RecordRows },
    options?: FinalOptions,
  ): Promise<ReadonlyMap<TableName, Sum>>;
  /** The layouts that follow from the record. */
  writeLayouts(range: BlockRange, options?: FinalOptions): Promise<void>;
  /**
   * The sums of a segment in both tables of balances. `entered`: how often they have entered without a marker that says
   * so (1 for a segment that was done before there were markers, else 0).
   */
  writeBalances(segment: BlockRange, entered: number, options?: FinalOptions): Promise<void>;
  /** Takes the sums of some pairs (as hex) out of a table of balances. */
  removePairs(
    table: "balances" | "balances_by_holder",
    network: string,
    pairs: readonly { readonly token: string; readonly holder: string }[],
  ): Promise<void>;
}

/** A table and what its part of a range shall amount to. */
interface Target {
  readonly table: TableName;
  readonly expected: Sum;
  readonly write: () => Promise<void>;
}

const ATTEMPTS = 3;
const MUTATION_POLL_MS = 50;
const DELETIONS_MS_MAX = 600_000;

/** Statements that write a network's facts carry ids that begin so. */
export const writesOf = (network: string): string => `assay-write:${network}:`;

export const writeId = (network: string): string => `${writesOf(network)}${randomUUID()}`;

const damaged = (range: BlockRange, tables: readonly string[]): AssayError =>
  new AssayError({
    code: "FACTS_DAMAGED",
    message: `${range.network}: blocks ${range.from} to ${range.to} do not stay in ${tables.join(", ")} as they are written`,
    public: "The index is not available right now.",
    retryable: true,
  });

/** Deletions that have not reached every part yet. */
const DELETIONS = `
SELECT count() FROM system.mutations
WHERE database = {database:String} AND NOT is_done AND position(command, '_row_exists') > 0`;

/** A deletion that was cut off goes on by itself in the engine: what is looked at before its end may still go. */
const awaitDeletions = async (engine: Engine, signal: AbortSignal | undefined): Promise<void> => {
  for (let waited_ms = 0; waited_ms < DELETIONS_MS_MAX; waited_ms += MUTATION_POLL_MS) {
    const [row] = await engine.query(DELETIONS, { params: { database: encodeParam(engine.database) } });
    if (Number(row?.[0]) === 0) return;
    signal?.throwIfAborted();
    await sleep(MUTATION_POLL_MS);
  }
  throw unavailable(`a deletion does not end in ${DELETIONS_MS_MAX} ms`);
};

/** Every statement that writes a final table. */
const openStatements = (engine: Engine) => {
  const optionsOf = (range: BlockRange, { signal }: FinalOptions): Options => ({
    params: rangeParams(range),
    id: writeId(range.network),
    settings: { max_threads: 1 },
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    optionsOf,
    insert: (table: TableName, select: string, options: Options): Promise<void> =>
      engine.command(`INSERT INTO ${table} (${columnsOf(table).join(", ")})\n${select}`, options),
    remove: (table: TableName, range: BlockRange, options: FinalOptions): Promise<void> =>
      engine.command(`DELETE FROM ${table} WHERE ${IN_RANGE}`, optionsOf(range, options)),
  };
};

const BALANCES = ["balances", "balances_by_holder"] as const;

/** The sums of a segment, as often as `times` says: negative takes back. Counters are numbers modulo 2^64. */
const timesSelect = (table: (typeof BALANCES)[number], times: number): string => {
  const columns = columnsOf(table).join(", ");
  const sums = unordered(QUERIES.segment_balances.text);
  if (times === 1) return `SELECT ${columns} FROM (${sums})`;
  const replaced = `amount * ${times} AS amount, toUInt64(transfers * ${times}) AS transfers`;
  return `SELECT ${columns} FROM (SELECT * REPLACE (${replaced}) FROM (${sums}))`;
};

/** Whether every layout holds as many rows of a range as follow from the record. */
const haveLayoutCounts = async (engine: Engine, range: BlockRange): Promise<boolean> => {
  const counts = LAYOUT_TABLES.map(
    (table) =>
      `SELECT (SELECT count() FROM ${derived(table).from}) = (SELECT count() FROM ${held(table).from}) AS is_right`,
  );
  const rows = await engine.query(`SELECT min(is_right) FROM (${counts.join(" UNION ALL ")})`, {
    params: rangeParams(range),
  });
  return Number(rows[0]?.[0]) === 1;
};

export const openFinalWriter = (engine: Engine): FinalWriter => {
  const { optionsOf, insert, remove } = openStatements(engine);
  const stages = new Map<string, Stage>();
  const stageOf = (network: string): Stage => {
    const stage = stages.get(network) ?? openStage(engine, network);
    stages.set(network, stage);
    return stage;
  };
  const quiet = async (network: string, { signal }: FinalOptions): Promise<void> => {
    await engine.settle(writesOf(network));
    await awaitDeletions(engine, signal);
  };

  /** Makes every target hold what it shall. Returns what all of them hold. */
  const hold = async (range: BlockRange, targets: readonly Target[], options: FinalOptions): Promise<void> => {
    let wrong = targets;
    for (let attempt = 0; attempt <= ATTEMPTS; attempt += 1) {
      const found = await readSums(
        engine,
        wrong.map(({ table }) => held(table)),
        optionsOf(range, options),
      );
      wrong = wrong.filter(({ table, expected }) => !isSame(found.get(table) ?? NO_ROWS, expected));
      if (wrong.length === 0) return;
      if (attempt === ATTEMPTS) break;
      const repairs = wrong.map(async ({ table, expected, write }) => {
        if ((found.get(table)?.rows ?? 0) > 0) await remove(table, range, options);
        if (expected.rows > 0) await write();
      });
      await Promise.all(repairs);
    }
    throw damaged(
      range,
      wrong.map(({ table }) => table),
    );
  };

  /** Writes a range of which nothing can be there yet. Null when what is there afterwards is not as much as was written. */
  const writeUnseen = async (range: BlockRange, rows: RecordRows, options: FinalOptions) => {
    const filled = [...rows.keys()];
    await Promise.all(
      [...rows].map(([table, { pieces }]) =>
        engine.insert(table, columnsOf(table), Buffer.concat(pieces), optionsOf(range, options)),
      ),
    );
    const found = await readSums(engine, filled.map(held), optionsOf(range, options));
    const is_right = filled.every((table) => found.get(table)?.rows === rows.get(table)?.rows);
    return is_right ? new Map(filled.map((table) => [table, found.get(table) ?? NO_ROWS])) : null;
  };

  /** Compares everything with what is to be written, and writes what differs. */
  const writeSeen = async (
    range: BlockRange,
    { tables, rows }: { readonly tables: readonly TableName[]; readonly rows: RecordRows },
    options: FinalOptions,
  ) => {
    await quiet(range.network, options);
    const stage = stageOf(range.network);
    const filled = [...rows.keys()];
    await Promise.all(
      [...rows].map(([table, { pieces }]) => stage.fill(table, Buffer.concat(pieces), optionsOf(range, options))),
    );
    const expected = await readSums(
      engine,
      filled.map((table) => stage.source(table)),
    );
    const targets = tables.map((table): Target => {
      const select = `SELECT ${columnsOf(table).join(", ")} FROM ${stage.source(table).from}`;
      const write = () => insert(table, select, optionsOf(range, options));
      return { table, expected: expected.get(table) ?? NO_ROWS, write };
    });
    await hold(range, targets, options);
    await stage.empty(filled);
    return new Map(filled.map((table) => [table, expected.get(table) ?? NO_ROWS]));
  };

  return {
    async removePairs(table, network, pairs) {
      await quiet(network, {});
      const params = {
        network: encodeParam(network),
        tokens: encodeParam(pairs.map(({ token }) => token)),
        holders: encodeParam(pairs.map(({ holder }) => holder)),
      };
      const where =
        "network = {network:String} AND (token, holder) IN (SELECT unhex(pair.1), unhex(pair.2) FROM (SELECT arrayJoin(arrayZip({tokens:Array(String)}, {holders:Array(String)})) AS pair))";
      await engine.command(`DELETE FROM ${table} WHERE ${where}`, { params, id: writeId(network) });
    },

    async open(network) {
      await quiet(network, {});
      await removeStages(engine, network);
      stages.delete(network);
    },

    async writeRecord(range, record, options = {}) {
      await quiet(range.network, options);
      const written = options.is_fresh === true ? await writeUnseen(range, record.rows, options) : null;
      return written ?? (await writeSeen(range, record, options));
    },

    async writeLayouts(range, options = {}) {
      const write = (table: Layout) => insert(table, layoutSelect(table), optionsOf(range, options));
      if (options.is_fresh === true) {
        await Promise.all(LAYOUT_TABLES.map(write));
        if (await haveLayoutCounts(engine, range)) return;
      }
      await quiet(range.network, options);
      const expected = await readSums(engine, LAYOUT_TABLES.map(derived), optionsOf(range, options));
      const targets = LAYOUT_TABLES.map((table): Target => {
        return { table, expected: expected.get(table) ?? NO_ROWS, write: () => write(table) };
      });
      await hold(range, targets, options);
    },

    async writeBalances(segment, entered, options = {}) {
      if (options.is_fresh !== true) await quiet(segment.network, options);
      let counted =
        options.is_fresh === true ? { balances: 0, balances_by_holder: 0 } : await readEntered(engine, segment);
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const wrong = BALANCES.filter((table) => counted[table] + entered !== 1);
        if (wrong.length === 0) return;
        const writes = wrong.map((table) =>
          insert(table, timesSelect(table, 1 - entered - counted[table]), optionsOf(segment, options)),
        );
        await Promise.all(writes);
        counted = await readEntered(engine, segment);
      }
      const wrong = BALANCES.filter((table) => counted[table] + entered !== 1);
      if (wrong.length > 0) throw damaged(segment, wrong);
    },
  };
};
