import { inTurns } from "../lib/turns.ts";
import { type ColumnsOf, decodeColumns } from "./columns.ts";
import type { Engine, Options, ResultCell } from "./engine.ts";
import type { QueryName, QueryRow, SnapshotBounds } from "./facts.ts";
import { encodeParam, type Param } from "./param.ts";
import { QUERIES } from "./queries.gen.ts";
import { questionText } from "./question_text.ts";
import { type Decode, decoderFor } from "./row_json.ts";
import { withShortLists } from "./short_lists.ts";
import { highOf, joinSums } from "./wide_columns.ts";

interface PreparedQuery {
  readonly text: string;
  readonly params: readonly string[];
  readonly columns: readonly ResultColumn[];
}

interface ResultColumn {
  readonly name: string;
  /** Of all cells of a row. */
  readonly read: (cells: readonly ResultCell[]) => unknown;
}

/** The columns of a row: a sum and its `_high` are one. */
const columnsOf = (described: readonly (readonly [string, string])[]): readonly ResultColumn[] => {
  const decoders = described.map(([, type]): Decode => decoderFor(type));
  const at = (index: number, cells: readonly ResultCell[]): unknown => decoders[index]?.(cells[index] ?? null);
  const highs = described.map(([name]) => highOf(name, described));
  return described.flatMap(([name], index): ResultColumn[] => {
    if (highs.includes(index)) return [];
    const high = highs[index] ?? -1;
    if (high < 0) return [{ name, read: (cells) => at(index, cells) }];
    return [{ name, read: (cells) => joinSums(at(index, cells), at(high, cells)) }];
  });
};

const prepared = new Map<QueryName, PreparedQuery>();

const prepare = (name: QueryName): PreparedQuery => {
  const known = prepared.get(name);
  if (known !== undefined) return known;
  const { params, columns } = QUERIES[name];
  const made: PreparedQuery = {
    text: questionText(name),
    params: Object.keys(params),
    columns: columnsOf(columns),
  };
  prepared.set(name, made);
  return made;
};

export type QueryValues = Readonly<Record<string, Param>>;
export type BoundValues = Readonly<Record<SnapshotBounds | "with_sums", Param>>;

/** A missing parameter throws RangeError: a bug. */
const optionsOf = (name: QueryName, values: QueryValues): Options => {
  const encoded: Record<string, string> = {};
  for (const param of prepare(name).params) {
    const value = values[param];
    if (value === undefined) throw new RangeError(`${name}: parameter ${param} is missing`);
    encoded[param] = encodeParam(value);
  }
  return { params: encoded };
};

type QueryEngine = Pick<Engine, "query" | "native">;

/** An engine whose questions end with the signal. */
export const endingWith = (engine: QueryEngine, signal: AbortSignal): QueryEngine => ({
  query: (sql, options) => engine.query(sql, { ...options, signal }),
  native: (sql, options) => engine.native(sql, { ...options, signal }),
});

/** Asks one `.sql` file. `values` holds at least its parameters. A missing one throws RangeError: a bug. */
export const queryRows = async <N extends QueryName>(
  engine: Pick<Engine, "query">,
  name: N,
  values: QueryValues,
): Promise<readonly QueryRow<N>[]> => {
  const { text, columns } = prepare(name);
  const rows = await engine.query(withShortLists(text, values), optionsOf(name, values));
  return rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (const { name: column, read } of columns) row[column] = read(cells);
    // Columns and their types are what DESCRIBE said of this very text (queries.gen.ts).
    return row as QueryRow<N>;
  });
};

/** The same, column by column (see columns.ts), with sums and their `_high` side by side. */
export const queryColumns = async <N extends QueryName>(
  engine: Pick<Engine, "native">,
  name: N,
  values: QueryValues,
): Promise<ColumnsOf<QueryRow<N>>> => {
  const bytes = await engine.native(withShortLists(prepare(name).text, values), optionsOf(name, values));
  // Names and types are compared with what DESCRIBE said of this very text (queries.gen.ts).
  return (await inTurns(decodeColumns(bytes, QUERIES[name].columns))) as ColumnsOf<QueryRow<N>>;
};
