import type { AnyTool } from "../../tools/tool.ts";
import { columnOf, type DrawnMembers, namesIn } from "../../tools/view.ts";
import type { JsonSchema } from "../openapi/describe_tool.ts";
import { isFullOnly, isMembers, itemOf, memberOf, namesOf } from "./shape.ts";

const columnsOf = (drawn: DrawnMembers | undefined, schema: JsonSchema): readonly string[] => {
  const { columns, key, is } = typeof drawn === "string" ? { columns: drawn } : (drawn ?? {});
  if (is === "flags") return [];
  const plain = namesOf(itemOf(schema)).filter((name) => !isFullOnly(name) && name !== "unavailable");
  const names = columns === undefined ? plain : namesIn(columns).map((column) => columnOf(column).name);
  return [...(key === undefined ? [] : [key]), ...names];
};

/**
 * What the compact view of a tool may hold: its members in order and, of lists, their columns. It says as little of types as
 * holds for the whole answer and for `no_data` too, so that one schema describes every result of a call over MCP.
 */
export const compactSchema = ({ view }: Pick<AnyTool, "view">, output: JsonSchema): JsonSchema => {
  const names = view === undefined ? namesOf(output).filter((name) => !isFullOnly(name)) : namesIn(view.members);
  const members = names.map((name) => {
    const columns = columnsOf(view?.drawn?.[name] || undefined, memberOf(output, name));
    return [name, columns.length === 0 ? {} : { description: columns.join(", ") }];
  });
  return { type: "object", properties: Object.fromEntries(members) };
};

/** The same as an answer of REST: what tells it from a whole one is required. */
export const compactAnswer = (compact: JsonSchema): JsonSchema => {
  const properties = isMembers(compact.properties) ? compact.properties : {};
  return { ...compact, properties: { view: { const: "compact" }, ...properties }, required: ["view"] };
};
