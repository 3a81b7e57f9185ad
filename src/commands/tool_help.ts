/** `assay call TOOL --help`: the parameters and the price of a tool, from its card. */
import { isRecord } from "../lib/record.ts";
import { describeTool, type JsonSchema } from "../surfaces/openapi/describe_tool.ts";
import { tools } from "../tools/index.ts";
import { UsageFault } from "./command.ts";
import { termList, wrapped } from "./help.ts";
import { unknownTool } from "./http.ts";

/** A longer choice is left to the description. */
const WORDS_MAX = 12;

const typeOf = (schema: JsonSchema): string => {
  if (Array.isArray(schema.enum)) {
    const words = schema.enum.map(String);
    return words.length > WORDS_MAX ? "string" : words.join("|");
  }
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.filter(isRecord).map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${isRecord(schema.items) ? typeOf(schema.items) : "values"}`;
  return typeof schema.type === "string" ? schema.type : "value";
};

const parameterText = (schema: JsonSchema, is_required: boolean): string => {
  const { description, default: preset } = schema;
  const need = is_required ? "required" : preset === undefined ? "optional" : `default ${JSON.stringify(preset)}`;
  const words = typeof description === "string" ? ` ${description.replace(/\s+/g, " ")}` : "";
  return `${typeOf(schema)}, ${need}.${words}`;
};

/** A value as a shell reads it back: text as it is, everything else as JSON. */
const exampleValue = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
};

/** Null without a tool's name. @throws UsageFault for a tool that does not exist */
export const toolHelp = ([name]: readonly string[]): string | null => {
  if (name === undefined) return null;
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new UsageFault(unknownTool(name, tools));
  // Which networks a service enables is known to that service alone.
  const described = describeTool(tool, []);
  const { properties, required } = described.input_schema;
  const needed = Array.isArray(required) ? required : [];
  const rows = Object.entries(isRecord(properties) ? properties : {}).map(
    ([field, schema]) => [field, parameterText(isRecord(schema) ? schema : {}, needed.includes(field))] as const,
  );
  const example = Object.entries(tool.example).map(([field, value]) => `${field}=${exampleValue(value)}`);
  const price = `${tool.credits} ${tool.credits === 1 ? "credit" : "credits"}`;
  return [
    `usage: assay call ${name} ${rows.map(([field]) => (needed.includes(field) ? `${field}=…` : `[${field}=…]`)).join(" ")}`,
    `${tool.title}: ${price} a call, unless the operator has set another price ('assay tools' shows the current one).`,
    "",
    wrapped(tool.description.replace(/\s+/g, " "), 0),
    "",
    `${termList(rows)}`,
    `example: assay call ${name} ${example.join(" ")}`,
    "'assay call --help' shows the flags.",
    "",
  ].join("\n");
};
