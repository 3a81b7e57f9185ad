import type { Engine } from "./engine.ts";
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

/** Asks one `.sql` file. `values` holds at least its parameters. A missing one throws RangeError: a bug. */
export const askEngine = async <N extends QueryName>(
  engine: Engine,
  name: N,
  values: Values,
  signal?: AbortSignal,
): Promise<readonly Row<N>[]> => {
  const { text, params, columns } = prepare(name);
  const encoded: Record<string, string> = {};
  for (const param of params) {
    const value = values[param];
    if (value === undefined) throw new RangeError(`${name}: parameter ${param} is missing`);
    encoded[param] = encodeParam(value);
  }
  const options = signal === undefined ? { params: encoded } : { params: encoded, signal };
  const rows = await engine.query(text, options);
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
