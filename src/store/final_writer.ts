import { inLanes } from "../lib/lanes.ts";
import { type BalanceWriter, openBalanceWriter } from "./balance_writer.ts";
import { type Engine, nodesOf } from "./engine.ts";
import { ATTEMPTS, damaged, type FinalOptions, openStatements } from "./final_statements.ts";
import { openStaging, removeStages, type StagingTables } from "./staging_tables.ts";
import {
  columnsOf,
  derived,
  isSame,
  LAYOUT_TABLES,
  type LayoutName,
  layoutSelect,
  type NetworkRange,
  NO_ROWS,
  type RowSum,
  rangeParams,
  readSums,
  readSumsText,
  type SealedSum,
  tableRange,
} from "./sums.ts";
import { TABLES } from "./tables.gen.ts";
import type { TableName } from "./writer.ts";

/** Rows of one table as `Writer.encode` makes them. */
export interface EncodedTable {
  readonly pieces: readonly Buffer[];
  readonly rows: number;
}

/** The rows of a segment's record. */
export interface SegmentRecord {
  /** All tables of the record. */
  readonly tables: readonly TableName[];
  /** A table that is not named has none. */
  readonly rows: ReadonlyMap<TableName, EncodedTable>;
}

/**
 * Writes final tables so that a range holds exactly the rows it shall, whatever was there: every method ends what an
 * earlier attempt may still be doing, looks, takes away what is wrong, writes what is missing and looks again. It may
 * be repeated after any crash. Nothing here rests on the engine's memory of tokens (docs/design/exactly_once.md).
 *
 * Throws `AssayError`: `FACTS_UNAVAILABLE` (retryable) as the engine does, `FACTS_DAMAGED` when a table does not keep
 * what is written into it.
 */
export interface FinalWriter {
  /** To be called before a network, or a range of it, is written: takes away what an earlier writer of the same was doing. */
  open(network: string): Promise<void>;
  /** The record. Returns what each table holds now, of those that hold something. */
  writeRecord(
    range: NetworkRange,
    record: SegmentRecord,
    options?: FinalOptions,
  ): Promise<ReadonlyMap<TableName, RowSum>>;
  /** The layouts that follow from the record. */
  writeLayouts(range: NetworkRange, options?: FinalOptions): Promise<void>;
  /** The sums of a segment in both tables of balances. */
  writeBalances(segment: NetworkRange, options?: FinalOptions): Promise<void>;
  /** Takes the sums of some pairs (as hex) out of a table of balances. */
  removePairs(
    table: "balances" | "balances_by_holder",
    network: string,
    pairs: readonly { readonly token: string; readonly holder: string }[],
  ): Promise<void>;
}

/** The table of the record whose sums are the balances. */
const SUMMED = "transfers";

/** Of a sum of an earlier version, which hashed fewer columns, the count alone can be compared. */
const isSameSealed = ({ columns, ...sealed }: SealedSum, sum: RowSum): boolean =>
  columns === TABLES[SUMMED].length ? isSame(sealed, sum) : sealed.rows === sum.rows;

/** Of a segment that has no more rows some tables are written at one time. */
const FEW_ROWS = 20_000;
const LANES = 3;

/** Tables of a segment are blocks as large as it is in the engine's memory: of a large one there is one at a time (docs/design/exactly_once.md). */
const lanesFor = (rows: number | undefined): number => (rows !== undefined && rows <= FEW_ROWS ? LANES : 1);

/** A table and what its part of a range shall amount to. */
interface RangeTarget {
  readonly table: TableName;
  readonly expected: RowSum;
  readonly write: () => Promise<void>;
}

/** Whether every layout holds as many rows of a range as follow from the record. */
const haveLayoutCounts = async (engine: Engine, range: NetworkRange): Promise<boolean> => {
  const counts = LAYOUT_TABLES.map(
    (table) =>
      `SELECT (SELECT count() FROM ${derived(table, range).from}) = (SELECT count() FROM ${tableRange(table, range).from}) AS is_right`,
  );
  const rows = await engine.query(`SELECT min(is_right) FROM (${counts.join(" UNION ALL ")})`, {
    params: rangeParams(range),
  });
  return Number(rows[0]?.[0]) === 1;
};

/** @param range_name of a writer that fills one range; null for a network's indexer. */
export const openFinalWriter = (engine: Engine, range_name: string | null): FinalWriter =>
  new Finals(engine, range_name);

class Finals implements FinalWriter {
  readonly #engine: Engine;
  readonly #range_name: string | null;
  readonly #statements: ReturnType<typeof openStatements>;
  readonly #balances: readonly BalanceWriter[];
  readonly #stages = new Map<string, StagingTables>();

  constructor(engine: Engine, range_name: string | null) {
    this.#engine = engine;
    this.#range_name = range_name;
    this.#statements = openStatements(engine, range_name);
    this.#balances = nodesOf(engine).map((node) => openBalanceWriter(node, range_name));
  }

  async open(network: string): Promise<void> {
    await this.#statements.quiet(network, {});
    for (const node of nodesOf(this.#engine)) await removeStages(node, this.#range_name ?? network);
    this.#stages.delete(network);
    for (const balances of this.#balances) balances.forget(network);
  }

  async removePairs(...[table, network, pairs]: Parameters<FinalWriter["removePairs"]>): Promise<void> {
    await this.#statements.quiet(network, {});
    await this.#statements.removePairs(table, network, pairs);
  }

  async writeRecord(range: NetworkRange, record: SegmentRecord, options: FinalOptions = {}) {
    await this.#statements.quiet(range.network, options);
    const written = options.is_fresh === true ? await this.#writeUnseen(range, record, options) : null;
    return written ?? (await this.#writeSeen(range, record, options));
  }

  async writeLayouts(range: NetworkRange, options: FinalOptions = {}): Promise<void> {
    const { insert, optionsOf, quiet } = this.#statements;
    const write = (table: LayoutName) => insert(table, layoutSelect(table, range), optionsOf(range, options));
    if (options.is_fresh === true) {
      await inLanes(lanesFor(options.rows), LAYOUT_TABLES, write);
      if (await haveLayoutCounts(this.#engine, range)) return;
    }
    await quiet(range.network, options);
    const expected = await readSums(
      this.#engine,
      LAYOUT_TABLES.map((table) => derived(table, range)),
      optionsOf(range, options),
    );
    const targets = LAYOUT_TABLES.map((table): RangeTarget => {
      return { table, expected: expected.get(table) ?? NO_ROWS, write: () => write(table) };
    });
    await this.#hold(range, targets, options);
  }

  async writeBalances(segment: NetworkRange, options: FinalOptions = {}): Promise<void> {
    if (options.is_fresh !== true) await this.#statements.quiet(segment.network, options);
    await Promise.all(this.#balances.map((balances) => balances.write(segment, options)));
  }

  #stageOf(network: string): StagingTables {
    const stage = this.#stages.get(network) ?? openStaging(this.#engine, this.#range_name ?? network);
    this.#stages.set(network, stage);
    return stage;
  }

  /** Writes a range of which nothing can be there yet. Null when what is there afterwards is not as much as was written. */
  async #writeUnseen(range: NetworkRange, { rows }: SegmentRecord, options: FinalOptions) {
    const { optionsOf } = this.#statements;
    const filled = [...rows.keys()];
    await inLanes(lanesFor(options.rows), [...rows], ([table, { pieces }]) =>
      this.#engine.insert({ table, columns: columnsOf(table) }, Buffer.concat(pieces), optionsOf(range, options)),
    );
    const found = await readSums(
      this.#engine,
      filled.map((table) => tableRange(table, range)),
      optionsOf(range, options),
    );
    const is_right = filled.every((table) => found.get(table)?.rows === rows.get(table)?.rows);
    return is_right ? new Map(filled.map((table) => [table, found.get(table) ?? NO_ROWS])) : null;
  }

  /** Compares everything with what is to be written, and writes what differs. */
  async #writeSeen(range: NetworkRange, { tables, rows }: SegmentRecord, options: FinalOptions) {
    const { insert, optionsOf, quiet } = this.#statements;
    await quiet(range.network, options);
    const stage = this.#stageOf(range.network);
    const filled = [...rows.keys()];
    await Promise.all(
      [...rows].map(([table, { pieces }]) => stage.fill(table, Buffer.concat(pieces), optionsOf(range, options))),
    );
    const expected = await readSums(
      this.#engine,
      filled.map((table) => stage.source(table)),
    );
    const targets = tables.map((table): RangeTarget => {
      const select = `SELECT ${columnsOf(table).join(", ")} FROM ${stage.source(table).from}`;
      const write = () => insert(table, select, optionsOf(range, options));
      return { table, expected: expected.get(table) ?? NO_ROWS, write };
    });
    await this.#takeSumsOut(range, expected.get(SUMMED) ?? NO_ROWS, options);
    await this.#hold(range, targets, options);
    await stage.empty(filled);
    return new Map(filled.map((table) => [table, expected.get(table) ?? NO_ROWS]));
  }

  /**
   * Where other transfers have entered the balances than are to be written, they are taken out first, while they are there
   * (docs/design/exactly_once.md). Where the same ones have, and rows of them are lost, the balances are right already.
   */
  async #takeSumsOut(range: NetworkRange, expected: RowSum, options: FinalOptions): Promise<void> {
    if (options.entered === undefined || options.entered === null) return;
    const entered = readSumsText(options.entered).get(SUMMED) ?? { ...NO_ROWS, columns: TABLES[SUMMED].length };
    const isEntered = (sum: RowSum) => isSameSealed(entered, sum);
    if (isEntered(expected)) return;
    const found = await readSums(this.#engine, [tableRange(SUMMED, range)], this.#statements.optionsOf(range, options));
    // Lost besides: `assay facts verify --repair` compares all balances with the ledger.
    if (!isEntered(found.get(SUMMED) ?? NO_ROWS)) return;
    const seen = { ...options, is_fresh: false };
    await Promise.all(this.#balances.map((balances) => balances.takeOut(range, seen)));
  }

  /** Makes every target hold what it shall. */
  async #hold(range: NetworkRange, targets: readonly RangeTarget[], options: FinalOptions): Promise<void> {
    const { optionsOf, remove } = this.#statements;
    let wrong = targets;
    for (let attempt = 0; attempt <= ATTEMPTS; attempt += 1) {
      const sources = wrong.map(({ table }) => tableRange(table, range));
      const found = await readSums(this.#engine, sources, optionsOf(range, options));
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
  }
}
