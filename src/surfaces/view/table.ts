import { columnOf, type DrawnRows, namesIn, type ViewColumn } from "../../tools/view.ts";
import type { JsonSchema } from "../openapi/describe_tool.ts";
import { type Drawing, drawPlain } from "./drawing.ts";
import { type AnswerMembers, isFullOnly, isMembers, itemOf, memberOf, namesOf } from "./shape.ts";

type ViewCell = string | number | boolean | null;

/** A list of objects: names once, then a list of values for each row; null is not known, or none. */
export interface ViewTable {
  readonly columns: readonly string[];
  /** Columns that say the same in every row, and what. */
  readonly same?: Readonly<Record<string, ViewCell>>;
  readonly rows: readonly (readonly ViewCell[])[];
}

export interface TableSource {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly drawn: DrawnRows;
  readonly of: Drawing;
}

/** Of tables that must do without columns, this many stay. */
const COLUMNS_LEAST = 3;

const NOT_DRAWN = new Set(["unavailable", "same"]);

/** Every plain member of the rows, in the order of the schema and then of the rows. */
const plainColumns = (rows: readonly AnswerMembers[], schema: JsonSchema): readonly string[] => {
  const names = new Set([...namesOf(schema), ...rows.flatMap((row) => Object.keys(row))]);
  return [...names].flatMap((name) => {
    if (isFullOnly(name) || NOT_DRAWN.has(name)) return [];
    const values = rows.map((row) => row[name]);
    const inner = values.filter(isMembers);
    if (inner.length > 0) return plainColumns(inner, memberOf(schema, name)).map((below) => `${name}.${below}`);
    const is_list = values.some((value) => Array.isArray(value) && value.some((item) => typeof item === "object"));
    return is_list ? [] : [name];
  });
};

const COMMA = ", ";

const drawCell = (row: AnswerMembers, column: ViewColumn, { schema, path, drawn, of }: TableSource): ViewCell => {
  let value: unknown = row;
  let at = schema;
  for (const step of column.steps) {
    value = isMembers(value) && Object.hasOwn(value, step) ? value[step] : null;
    at = memberOf(at, step);
  }
  const name = `${path}.${column.name}`;
  const place = { name, of, most: drawn.texts?.[column.name] };
  if (column.is_day && typeof value === "string") return value.slice(0, "2026-01-31".length);
  if (!Array.isArray(value)) return drawPlain(value, at, place);
  const item = itemOf(at);
  const texts = value.flatMap((one) => {
    const parts = isMembers(one)
      ? column.members.map((member) =>
          drawPlain(one[member], memberOf(item, member), { name: `${name}.${member}`, of }),
        )
      : [drawPlain(one, item, place)];
    const known = parts.filter((part) => part !== null);
    return known.length === 0 ? [] : [known.join(" ")];
  });
  return texts.length === 0 ? null : texts.join(COMMA);
};

/** Columns whose field is not known in some rows, with the reason: once for all rows. */
const noteUnknown = (
  rows: readonly AnswerMembers[],
  columns: readonly ViewColumn[],
  { path, of }: TableSource,
): void => {
  const drawn = new Set(columns.map(({ name }) => name));
  rows.forEach(({ unavailable }, at) => {
    if (!Array.isArray(unavailable)) return;
    for (const { field, reason } of unavailable.filter(isMembers)) {
      if (!drawn.has(String(field))) continue;
      const text = `${path}.${String(field)}: ${String(reason)}`;
      of.unknown.set(text, [...(of.unknown.get(text) ?? []), at + 1]);
    }
  });
};

const visibleRows = (rows: readonly AnswerMembers[], { path, drawn, of }: TableSource): readonly AnswerMembers[] => {
  if (rows.length < (drawn.rows_min ?? 0)) return [];
  if (drawn.is === "page") of.page_rows += rows.length;
  if (drawn.is !== undefined) return rows;
  const most = Math.min(drawn.rows_max ?? of.level.rows, of.level.rows);
  if (rows.length > most) of.cut.add(`${path}: ${most} of ${rows.length} rows`);
  return rows.slice(0, most);
};

const columnsOf = (rows: readonly AnswerMembers[], { schema, drawn }: TableSource): readonly ViewColumn[] => [
  ...(drawn.key === undefined ? [] : [columnOf(drawn.key)]),
  ...(drawn.columns === undefined ? plainColumns(rows, schema) : namesIn(drawn.columns))
    .filter((name) => name !== drawn.key)
    .map(columnOf),
];

interface DrawnColumn {
  readonly name: string;
  readonly cells: readonly ViewCell[];
}

/** The columns that the level bears: the last go first, alerts keep all. */
const borne = (columns: readonly DrawnColumn[], { path, drawn, of }: TableSource): readonly DrawnColumn[] => {
  const spared = drawn.is === "alerts" ? 0 : Math.max(0, Math.min(of.level.spared, columns.length - COLUMNS_LEAST));
  const left = columns.slice(columns.length - spared);
  if (left.length > 0) of.cut.add(`${path}: columns ${left.map(({ name }) => name).join(COMMA)}`);
  return columns.slice(0, columns.length - spared);
};

/** Says the same in every row; the first column names the rows and stays. */
const isSame = ({ cells }: DrawnColumn, at: number): boolean =>
  at > 0 && cells.length > 1 && cells.every((cell) => cell === cells[0]);

/** The rows as a table without empty columns; null when nothing is left of it. */
export const drawTable = (rows: readonly AnswerMembers[], table: TableSource): ViewTable | null => {
  const shown = visibleRows(rows, table);
  if (shown.length === 0) return null;
  const wanted = columnsOf(shown, table);
  noteUnknown(shown, wanted, table);
  const drawn = wanted
    .map((column) => ({ name: column.name, cells: shown.map((row) => drawCell(row, column, table)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== null));
  const same = drawn.filter(isSame);
  const columns = borne(
    drawn.filter((column, at) => !isSame(column, at)),
    table,
  );
  return {
    columns: columns.map(({ name }) => name),
    ...(same.length > 0 && { same: Object.fromEntries(same.map(({ name, cells }) => [name, cells[0] ?? null])) }),
    rows: shown.map((_, at) => columns.map(({ cells }) => cells[at] ?? null)),
  };
};

/** An object of objects as rows, each with its name. */
export const rowsOf = (members: AnswerMembers, key: string): readonly AnswerMembers[] =>
  Object.entries(members).flatMap(([name, row]) => (isMembers(row) ? [{ [key]: name, ...row }] : []));
