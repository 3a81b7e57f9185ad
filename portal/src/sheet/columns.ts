/** Views as what the sheet draws, and a view for an answer that none was written for. */
import { fieldsOf, isFields, type JsonObject } from "../api/answer.ts";
import { wordsOf } from "../ui/format.ts";
import { type DisplayKind, kindOf } from "./kinds.ts";
import { at, rowsAt } from "./read.ts";
import { type NamedPath, type TableView, type View, viewOf } from "./views.ts";

export interface SheetColumn {
  readonly title: string;
  readonly path: string;
  /** Null: derived from the name and the value. */
  readonly kind: DisplayKind | null;
}

/** `Title=path:kind`; the kind, and the title, may be left out. */
const columnOf = (named: NamedPath): SheetColumn => {
  const [title = "", where] = named.includes("=") ? named.split("=", 2) : [wordsOf(named), named];
  const [path = "", kind] = (where ?? "").split(":", 2);
  // Views are this page's own, and name kinds that there are.
  return { title, path, kind: kind === undefined ? null : (kind as DisplayKind) };
};

const OWN_PARTS = ["metadata", "unavailable", "pagination", "status"];
const COLUMNS_MAX = 12;

const isScalar = (value: unknown): boolean => value === null || typeof value !== "object";

const scalarPaths = (row: JsonObject, prefix = ""): readonly string[] =>
  Object.entries(row).flatMap(([name, value]) => {
    if (OWN_PARTS.includes(name) || name.endsWith("_raw")) return [];
    if (isScalar(value)) return [`${prefix}${name}`];
    return isFields(value) && prefix.split(".").length < 3 ? scalarPaths(value, `${prefix}${name}.`) : [];
  });

const listsIn = (fields: JsonObject, prefix = ""): readonly TableView[] =>
  Object.entries(fields).flatMap(([name, value]): readonly TableView[] => {
    if (OWN_PARTS.includes(name)) return [];
    const path = `${prefix}${name}`;
    if (isFields(value)) return prefix.split(".").length < 3 ? listsIn(value, `${path}.`) : [];
    if (!Array.isArray(value) || !isFields(value[0])) return [];
    return [{ title: wordsOf(path), rows: path, columns: scalarPaths(fieldsOf(value[0])).slice(0, COLUMNS_MAX) }];
  });

/** All members of an answer, in order. */
const wholeView = (body: JsonObject): View => ({
  figures: [],
  tables: [
    { title: "Answer", rows: "", columns: scalarPaths(body).filter((path) => path !== "type") },
    ...listsIn(body),
  ],
});

export interface SheetTable {
  readonly title: string;
  readonly path: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly JsonObject[];
  /** One row, shown as names and values below each other. */
  readonly is_record: boolean;
}

export interface SheetFigure extends SheetColumn {
  readonly value: unknown;
}

/** A column that only repeats the network of the page says nothing. */
const isInformative = ({ path }: SheetColumn, rows: readonly JsonObject[], network: string | null): boolean =>
  (path !== "chain" && path !== "network") || network === null || rows.some((row) => row[path] !== network);

export interface SheetContent {
  readonly figures: readonly SheetFigure[];
  readonly tables: readonly SheetTable[];
  /** The sentence that says it all, where the tool has one. */
  readonly lead: string | null;
}

const isRight = (kind: DisplayKind, value: unknown): boolean => value !== null || kind !== "text";

/** Displayed parts of a tool's answer. */
export const sheetContent = (tool: string, body: JsonObject, network: string | null): SheetContent => {
  const known = viewOf(tool);
  const view = known === null || known.figures.length + known.tables.length === 0 ? wholeView(body) : known;
  const told = view.lead === undefined ? null : at(body, view.lead);
  const lead = typeof told === "string" ? told : null;
  const figures = view.figures.map(columnOf).map((column) => ({ ...column, value: at(body, column.path) }));
  const tables = view.tables.flatMap(({ title, rows: path, columns: named }): readonly SheetTable[] => {
    const columns = named.map(columnOf);
    if (path === "") return [{ title, path, columns, rows: [body], is_record: true }];
    const rows = rowsAt(body, path);
    if (rows.length === 0) return [];
    const telling = columns.filter((column) => isInformative(column, rows, network));
    return [{ title, path, columns: telling, rows, is_record: false }];
  });
  return { figures: figures.filter(({ kind, value }) => isRight(kind ?? "count", value)), tables, lead };
};

/** The kind of a column: its own, or what its name and first value tell. */
export const kindIn = ({ kind, path }: SheetColumn, rows: readonly JsonObject[]): DisplayKind =>
  kind ?? kindOf(path, rows.map((row) => at(row, path)).find((value) => value !== null) ?? null);
