/** A tool's input schema as fields of a form, and their values as arguments. */
import { fieldsOf, isFields, type JsonObject } from "../api/answer.ts";
import type { PortalTool } from "../api/client.ts";

export interface FormField {
  readonly name: string;
  readonly type: "text" | "number" | "integer" | "integer_or_text" | "date" | "choice" | "yes_or_no" | "list";
  readonly is_required: boolean;
  readonly description: string;
  /** Default value; null without one. */
  readonly fallback: string | null;
  readonly choices: readonly string[];
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** Types of the forms that a field may have. */
const formsOf = ({ anyOf }: JsonObject): readonly unknown[] =>
  Array.isArray(anyOf) ? anyOf.map((form) => (isFields(form) ? form.type : null)) : [];

const typeOf = (schema: JsonObject): FormField["type"] => {
  if (formsOf(schema).includes("integer") && formsOf(schema).includes("string")) return "integer_or_text";
  if (Array.isArray(schema.enum)) return "choice";
  if (schema.type === "integer" || schema.type === "number") return schema.type;
  if (schema.type === "boolean") return "yes_or_no";
  if (schema.type === "array") return "list";
  return schema.format === "date" ? "date" : "text";
};

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

export const fieldsOfTool = ({ input_schema }: PortalTool): readonly FormField[] => {
  const required = Array.isArray(input_schema.required) ? input_schema.required : [];
  return Object.entries(fieldsOf(input_schema.properties)).flatMap(([name, schema]) => {
    if (!isFields(schema)) return [];
    const fallback = schema.default;
    return [
      {
        name,
        type: typeOf(schema),
        is_required: required.includes(name),
        description: typeof schema.description === "string" ? schema.description : "",
        fallback: fallback === undefined ? null : String(fallback),
        choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
        minimum: numberOf(schema.minimum),
        maximum: numberOf(schema.maximum),
      },
    ];
  });
};

const meantBy = ({ type }: FormField, text: string): unknown => {
  if (type === "yes_or_no") return text === "true";
  if (type === "list")
    return text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  // A text that is not a number is sent unchanged, and the service reports the fault.
  if (type === "integer_or_text") return /^\d+$/.test(text) ? Number(text) : text;
  if (type === "number" || type === "integer") return Number.isFinite(Number(text)) ? Number(text) : text;
  return text;
};

/** Arguments from the form; empty fields are omitted. */
export const argsOf = (fields: readonly FormField[], written: (name: string) => string): JsonObject =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = written(field.name).trim();
      return text === "" ? [] : [[field.name, meantBy(field, text)]];
    }),
  );

/** Names of the required fields that are still empty. */
export const openFields = (fields: readonly FormField[], args: JsonObject): readonly string[] =>
  fields.filter(({ name, is_required }) => is_required && !Object.hasOwn(args, name)).map(({ name }) => name);

export const writtenOf = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : String(value));
