import { type ColumnsOf, decodeColumns } from "./columns.ts";
import type { Engine, Options } from "./engine.ts";
import type { Bounds, QueryName, Row } from "./facts.ts";
import { encodeParam, type Param } from "./param.ts";
import { QUERIES } from "./queries.gen.ts";
import { type Decode, decoderFor } from "./row_json.ts";

interface Prepared {
  readonly text: string;
  readonly params: readonly string[];
  readonly columns: readonly { readonly name: string; readonly decode: Decode }[];
}

const prepared = new Map<QueryName, Prepared>();

const prepare = (name: QueryName): Prepared => {
  const known = prepared.get(name);
  if (known !== undefined) return known;
  const { text, params, columns } = QUERIES[name];
  const made: Prepared = {
    text,
    params: Object.keys(params),
    columns: columns.map(([column, type]) => ({ name: column, decode: decoderFor(type) })),
  };
  prepared.set(name, made);
  return made;
};

export type Values = Readonly<Record<string, Param>>;
export type BoundValues = Readonly<Record<Bounds, Param>>;

/** A missing parameter throws RangeError: a bug. */
const optionsOf = (name: QueryName, values: Values, signal: AbortSignal | undefined): Options => {
  const encoded: Record<string, string> = {};
  for (const param of prepare(name).params) {
    const value = values[param];
    if (value === undefined) throw new RangeError(`${name}: parameter ${param} is missing`);
    encoded[param] = encodeParam(value);
  }
  return signal === undefined ? { params: encoded } : { params: encoded, signal };
};

/** Asks one `.sql` file. `values` holds at least its parameters. A missing one throws RangeError: a bug. */
export const askEngine = async <N extends QueryName>(
  engine: Engine,
  name: N,
  values: Values,
  signal?: AbortSignal,
): Promise<readonly Row<N>[]> => {
  const { text, columns } = prepare(name);
  const rows = await engine.query(text, optionsOf(name, values, signal));
  return rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      if (column !== undefined) row[column.name] = column.decode(cells[index] ?? null);
    }
    // Columns and their types are what DESCRIBE said of this very text (queries.gen.ts).
    return row as Row<N>;
  });
};

/** The same, column by column (see columns.ts). */
export const askColumns = async <N extends QueryName>(
  engine: Engine,
  name: N,
  values: Values,
  signal?: AbortSignal,
): Promise<ColumnsOf<Row<N>>> => {
  const bytes = await engine.native(prepare(name).text, optionsOf(name, values, signal));
  // Names and types are compared with what DESCRIBE said of this very text (queries.gen.ts).
  return decodeColumns(bytes, QUERIES[name].columns) as ColumnsOf<Row<N>>;
};
