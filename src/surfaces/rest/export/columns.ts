/** Lists of an answer as tables with the columns of the tool's card. */
import { csvOf } from "../../../lib/csv.ts";
import type { JsonSchema } from "../../openapi/describe_tool.ts";
import { type AnswerMembers, isMembers, itemOf, memberOf, namesOf, schemaAt } from "../../view/shape.ts";

/** Members of a row are nested at most so deep in columns; anything below is JSON in a cell. */
const LEVELS_MAX = 4;
/** Describe the answer, not its subject. */
const NOT_LISTS = new Set(["metadata", "unavailable"]);

/** Paths of the lists of objects in an answer, in the order of its schema. */
export const listsIn = (schema: JsonSchema, level = 0): readonly string[] =>
  namesOf(schema)
    .filter((name) => !NOT_LISTS.has(name))
    .flatMap((name) => {
      const member = memberOf(schema, name);
      if (namesOf(itemOf(member)).length > 0) return [name];
      return level < LEVELS_MAX ? listsIn(member, level + 1).map((path) => `${name}.${path}`) : [];
    });

const pathsIn = (schema: JsonSchema, level = 0): readonly string[] =>
  namesOf(schema).flatMap((name) => {
    const inner = level < LEVELS_MAX ? pathsIn(memberOf(schema, name), level + 1) : [];
    return inner.length === 0 ? [name] : inner.map((path) => `${name}.${path}`);
  });

/** The columns of a list: a nested member is `peer.address`. */
export const columnsOf = (output: JsonSchema, list: string): readonly string[] =>
  pathsIn(itemOf(schemaAt(output, list)));

const valueAt = (members: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (isMembers(value) && Object.hasOwn(value, name) ? value[name] : null), members);

/** The rows of a list; none where the answer leaves the list out. */
export const rowsAt = (answer: AnswerMembers, list: string): readonly AnswerMembers[] => {
  const rows = valueAt(answer, list);
  return Array.isArray(rows) ? rows.filter(isMembers) : [];
};

const cellOf = (value: unknown): string | number | boolean | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("; ");
  return JSON.stringify(value);
};

const drawRows = (columns: readonly string[], rows: readonly AnswerMembers[]): string =>
  csvOf(
    columns,
    rows.map((row) => Object.fromEntries(columns.map((column) => [column, cellOf(valueAt(row, column))]))),
  );

/** The header line, CRLF included. */
export const csvHead = (columns: readonly string[]): string => csvOf(columns, []);

/** The lines of rows, without the header line. */
export const csvRows = (columns: readonly string[], rows: readonly AnswerMembers[]): string =>
  drawRows(columns, rows).slice(csvHead(columns).length);
