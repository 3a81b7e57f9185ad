import type { AnyTool } from "../../tools/tool.ts";
import { toJson } from "../http/json.ts";
import type { Description, JsonSchema } from "../openapi/describe_tool.ts";
import { compactOf } from "../view/compact.ts";
import { isMembers } from "../view/shape.ts";
import { table } from "./markdown_table.ts";

const typeOf = (schema: JsonSchema): string => {
  const { type, enum: words, items } = schema;
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(", ");
  if (type === "array" && items !== null && typeof items === "object") return `array of ${typeOf({ ...items })}`;
  if (Array.isArray(type)) return type.join(" or ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((part: JsonSchema) => typeOf(part)).join(" or ");
  return typeof type === "string" ? type : "any";
};

type SchemaFieldRow = readonly [field: string, type: string, note: string];

/** How deep the members of a result are listed; `metadata` is the same everywhere and is not opened. */
const MEMBERS_DEPTH_MAX = 3;

/** Rows of an object schema and, below each object or list of objects, of its members: `holdings[].symbol`. */
const fieldRows = (schema: JsonSchema, path = "", depth = 1): readonly SchemaFieldRow[] => {
  // `properties` of an object schema maps names to schemas.
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const { description, default: preset } = property;
    const need = required.includes(name) ? "" : preset === undefined ? "optional" : `default \`${String(preset)}\``;
    const words = typeof description === "string" ? description : "";
    const note = [need, words].filter((part) => part !== "").join(". ");
    const own: SchemaFieldRow = [`\`${path}${name}\``, typeOf(property), note];
    const inside = depth < MEMBERS_DEPTH_MAX && name !== "metadata" ? membersOf(property) : null;
    return inside === null ? [own] : [own, ...fieldRows(inside.schema, `${path}${name}${inside.mark}.`, depth + 1)];
  });
};

/** The object inside a property: itself, its items, or its form that is not null. */
const membersOf = (property: JsonSchema): { readonly schema: JsonSchema; readonly mark: string } | null => {
  if (property.properties !== undefined) return { schema: property, mark: "" };
  const inner: readonly JsonSchema[] = Array.isArray(property.anyOf) ? property.anyOf : [];
  for (const form of inner) {
    const found = membersOf(form);
    if (found !== null) return found;
  }
  const { items } = property;
  if (items === null || typeof items !== "object") return null;
  const found = membersOf({ ...items });
  return found === null ? null : { schema: found.schema, mark: `[]${found.mark}` };
};

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** Lists of the compact view and their columns. */
const compactRows = ({ compact_schema }: Description): readonly (readonly string[])[] =>
  // `properties` of an object schema maps names to schemas.
  Object.entries((compact_schema.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, { description }]) =>
    typeof description === "string" ? [[`\`${name}\``, description]] : [],
  );

const compactPart = (described: Description, tool: AnyTool, answer: unknown): string => {
  const lists = compactRows(described);
  const shown = isMembers(answer)
    ? `\nThe same answer:\n\n\`\`\`json\n${toJson(compactOf(tool, described.output_schema)(answer))}\n\`\`\`\n`
    : "";
  return `
## Compact view

The form that MCP returns ([MCP](../operating/mcp.md)), and REST with \`?view=compact\`, at the same price.
${lists.length === 0 ? "" : `\n${table(["Member", "Columns or members, when filled and within the size limit"], lists)}\n`}${shown}`;
};

/** `docs/tools/<tool>.md`. @param answer the recorded answer to the example, where there is one. */
export const toolPage = (described: Description, tool: AnyTool, answer: unknown): string => `# ${described.name}

${described.title}. ${described.credits} ${described.credits === 1 ? "credit" : "credits"}. Networks: ${described.networks.length > 0 ? described.networks.join(", ") : tool.families.join(", ")}.

${described.description}

\`POST /api/tools/${described.name}\`

## Arguments

${table(["Field", "Type", "Note"], fieldRows(described.input_schema))}

${json(described.example)}

## Result

More fields may appear.

${table(["Field", "Type", "Note"], fieldRows(described.output_schema))}
${answer === undefined ? "" : `\nThe answer to the arguments above:\n\n${json(answer)}\n`}${compactPart(described, tool, answer)}`;
