/** Expands the compact view, as a reader would. */

type CompactCell = string | number | boolean | null;
type Compact = Readonly<Record<string, unknown>>;

interface CompactTable {
  readonly columns: readonly string[];
  readonly same?: Readonly<Record<string, CompactCell>>;
  readonly rows: readonly (readonly CompactCell[])[];
}

const isTable = (value: unknown): value is CompactTable =>
  value !== null && typeof value === "object" && "columns" in value && "rows" in value;

/** The rows of a table as objects: references resolved, and columns that all rows share in each. */
export const rowsIn = (answer: Compact, name: string): readonly Readonly<Record<string, CompactCell>>[] => {
  const table = answer[name];
  if (table === undefined) return [];
  if (!isTable(table)) throw new Error(`${name} is no table`);
  // `refs` maps names to texts.
  const refs = (answer.refs ?? {}) as Readonly<Record<string, string>>;
  return table.rows.map((row) => ({
    ...table.same,
    ...Object.fromEntries(
      table.columns.map((column, at) => {
        const cell = row[at] ?? null;
        return [column, typeof cell === "string" ? (refs[cell] ?? cell) : cell];
      }),
    ),
  }));
};

type PathValue = readonly [path: string, value: unknown];

/** Every value of an answer with its path, cells of tables as `data.rows[].column`. */
export const everythingIn = (value: unknown, path = ""): readonly PathValue[] => {
  const own: PathValue = [path, value];
  if (isTable(value)) {
    const { columns, same, rows } = value;
    const cells = rows.flatMap((row) => row.map((cell, at): PathValue => [`${path}.rows[].${columns[at]}`, cell]));
    return [own, ...(same === undefined ? [] : everythingIn(same, `${path}.same`)), ...cells];
  }
  if (Array.isArray(value)) return [own, ...value.flatMap((item) => everythingIn(item, `${path}[]`))];
  if (value === null || typeof value !== "object") return [own];
  return [own, ...Object.entries(value).flatMap(([name, member]) => everythingIn(member, `${path}.${name}`))];
};

/** Significant digits of a number. */
export const digitsOf = (value: number): number =>
  (value.toExponential().split("e", 1)[0] ?? "").replace(/[^\d]/g, "").length;
