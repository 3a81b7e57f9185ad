import { AssayError } from "../lib/errors.ts";
import type { Engine } from "./engine.ts";
import { type FinalOptions, openStatements } from "./final_statements.ts";
import { questionText } from "./question_text.ts";
import { openStage, removeStages, type Stage } from "./stage.ts";
import {
  type BlockRange,
  columnsOf,
  derived,
  held,
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
 * be repeated after any crash. Nothing here rests on the engine's memory of tokens (docs/decisions/0036).
 *
 * Throws `AssayError`: `FACTS_UNAVAILABLE` (retryable) as the engine does, `FACTS_DAMAGED` when a table does not keep
 * what is written into it.
 */
export interface FinalWriter {
  /** To be called before a network is written: takes away what an earlier writer of it was doing. */
  open(network: string): Promise<void>;
  /** The record. Returns what each table holds now, of those that hold something. */
  writeRecord(range: BlockRange, record: SegmentRecord, options?: FinalOptions): Promise<ReadonlyMap<TableName, Sum>>;
  /** The layouts that follow from the record. */
  writeLayouts(range: BlockRange, options?: FinalOptions): Promise<void>;
  /** The sums of a segment in both tables of balances. */
  writeBalances(segment: BlockRange, options?: FinalOptions): Promise<void>;
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

const damaged = (range: BlockRange, tables: readonly string[]): AssayError =>
  new AssayError({
    code: "FACTS_DAMAGED",
    message: `${range.network}: blocks ${range.from} to ${range.to} do not stay in ${tables.join(", ")} as they are written`,
    public: "The index is not available right now.",
    retryable: true,
  });

const BALANCES = ["balances", "balances_by_holder"] as const;
const NONE_ENTERED = { balances: 0, balances_by_holder: 0 };

/** The sums of a segment, as often as `times` says: negative takes back. Counters are numbers modulo 2^64. */
const timesSelect = (table: (typeof BALANCES)[number], from: string, times: number): string => {
  const columns = columnsOf(table).join(", ");
  if (times === 1) return `SELECT ${columns} FROM ${from}`;
  const replaced = `amount * ${times} AS amount, toUInt64(transfers * ${times}) AS transfers`;
  return `SELECT ${columns} FROM (SELECT * REPLACE (${replaced}) FROM ${from})`;
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

export const openFinalWriter = (engine: Engine): FinalWriter => new Finals(engine);

class Finals implements FinalWriter {
  readonly #engine: Engine;
  readonly #statements: ReturnType<typeof openStatements>;
  readonly #stages = new Map<string, Stage>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#statements = openStatements(engine);
  }

  async open(network: string): Promise<void> {
    await this.#statements.quiet(network, {});
    await removeStages(this.#engine, network);
    this.#stages.delete(network);
  }

  async removePairs(...[table, network, pairs]: Parameters<FinalWriter["removePairs"]>): Promise<void> {
    await this.#statements.quiet(network, {});
    await this.#statements.removePairs(table, network, pairs);
  }

  async writeRecord(range: BlockRange, record: SegmentRecord, options: FinalOptions = {}) {
    await this.#statements.quiet(range.network, options);
    const written = options.is_fresh === true ? await this.#writeUnseen(range, record, options) : null;
    return written ?? (await this.#writeSeen(range, record, options));
  }

  async writeLayouts(range: BlockRange, options: FinalOptions = {}): Promise<void> {
    const { insert, optionsOf, quiet } = this.#statements;
    const write = (table: Layout) => insert(table, layoutSelect(table), optionsOf(range, options));
    if (options.is_fresh === true) {
      await Promise.all(LAYOUT_TABLES.map(write));
      if (await haveLayoutCounts(this.#engine, range)) return;
    }
    await quiet(range.network, options);
    const expected = await readSums(this.#engine, LAYOUT_TABLES.map(derived), optionsOf(range, options));
    const targets = LAYOUT_TABLES.map((table): Target => {
      return { table, expected: expected.get(table) ?? NO_ROWS, write: () => write(table) };
    });
    await this.#hold(range, targets, options);
  }

  async writeBalances(segment: BlockRange, options: FinalOptions = {}): Promise<void> {
    const { insert, optionsOf, quiet } = this.#statements;
    if (options.is_fresh !== true) await quiet(segment.network, options);
    let counted = options.is_fresh === true ? NONE_ENTERED : await readEntered(this.#engine, segment);
    const wrongOnes = () => BALANCES.filter((table) => counted[table] !== 1);
    for (let attempt = 0; attempt < ATTEMPTS && wrongOnes().length > 0; attempt += 1) {
      // Summed up once, for both orders.
      const stage = this.#stageOf(segment.network);
      await stage.make("balances", unordered(questionText("segment_balances")), optionsOf(segment, options));
      const { from } = stage.source("balances");
      for (const table of wrongOnes()) {
        const select = timesSelect(table, from, 1 - counted[table]);
        await insert(table, select, optionsOf(segment, options));
      }
      await stage.empty(["balances"]);
      counted = await readEntered(this.#engine, segment);
    }
    if (wrongOnes().length > 0) throw damaged(segment, wrongOnes());
  }

  #stageOf(network: string): Stage {
    const stage = this.#stages.get(network) ?? openStage(this.#engine, network);
    this.#stages.set(network, stage);
    return stage;
  }

  /** Writes a range of which nothing can be there yet. Null when what is there afterwards is not as much as was written. */
  async #writeUnseen(range: BlockRange, { rows }: SegmentRecord, options: FinalOptions) {
    const { optionsOf } = this.#statements;
    const filled = [...rows.keys()];
    await Promise.all(
      [...rows].map(([table, { pieces }]) =>
        this.#engine.insert({ table, columns: columnsOf(table) }, Buffer.concat(pieces), optionsOf(range, options)),
      ),
    );
    const found = await readSums(this.#engine, filled.map(held), optionsOf(range, options));
    const is_right = filled.every((table) => found.get(table)?.rows === rows.get(table)?.rows);
    return is_right ? new Map(filled.map((table) => [table, found.get(table) ?? NO_ROWS])) : null;
  }

  /** Compares everything with what is to be written, and writes what differs. */
  async #writeSeen(range: BlockRange, { tables, rows }: SegmentRecord, options: FinalOptions) {
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
    const targets = tables.map((table): Target => {
      const select = `SELECT ${columnsOf(table).join(", ")} FROM ${stage.source(table).from}`;
      const write = () => insert(table, select, optionsOf(range, options));
      return { table, expected: expected.get(table) ?? NO_ROWS, write };
    });
    await this.#hold(range, targets, options);
    await stage.empty(filled);
    return new Map(filled.map((table) => [table, expected.get(table) ?? NO_ROWS]));
  }

  /** Makes every target hold what it shall. */
  async #hold(range: BlockRange, targets: readonly Target[], options: FinalOptions): Promise<void> {
    const { optionsOf, remove } = this.#statements;
    let wrong = targets;
    for (let attempt = 0; attempt <= ATTEMPTS; attempt += 1) {
      const sources = wrong.map(({ table }) => held(table));
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
