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
 * Schema of the compact view of a tool: its members in order and the columns of lists. Its types are loose enough for the full
 * answer and for `no_data` too, so that one schema describes every result of a call over MCP.
 */
export const compactSchema = ({ view }: Pick<AnyTool, "view">, output: JsonSchema): JsonSchema => {
  const names = view === undefined ? namesOf(output).filter((name) => !isFullOnly(name)) : namesIn(view.members);
  const members = names.map((name) => {
    const columns = columnsOf(view?.drawn?.[name] || undefined, memberOf(output, name));
    return [name, columns.length === 0 ? {} : { description: columns.join(", ") }];
  });
  return { type: "object", properties: Object.fromEntries(members) };
};

/** The same schema for REST, where `view` is required: it distinguishes a compact answer from a full one. */
export const compactAnswer = (compact: JsonSchema): JsonSchema => {
  const properties = isMembers(compact.properties) ? compact.properties : {};
  return { ...compact, properties: { view: { const: "compact" }, ...properties }, required: ["view"] };
};
