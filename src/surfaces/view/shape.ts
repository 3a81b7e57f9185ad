import type { JsonSchema } from "../openapi/describe_tool.ts";

/** Members of an answer by name. */
export type AnswerMembers = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is AnswerMembers =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isSchema = (value: unknown): value is JsonSchema => isMembers(value);

/** A schema and, of one with several forms, those. */
const formsOf = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...(Array.isArray(schema.anyOf) ? schema.anyOf.filter(isSchema) : []),
];

const NOTHING: JsonSchema = {};
const STRANGERS = "x-untrusted";

/** The schema of a member; an empty one where the schema says nothing of it. */
export const memberOf = (schema: JsonSchema, name: string): JsonSchema => {
  for (const form of formsOf(schema)) {
    const member = isSchema(form.properties) && Object.hasOwn(form.properties, name) ? form.properties[name] : null;
    if (isSchema(member)) return within(schema, member);
    if (isSchema(form.additionalProperties)) return within(schema, form.additionalProperties);
  }
  return within(schema, NOTHING);
};

/** The schema of what a list holds. */
export const itemOf = (schema: JsonSchema): JsonSchema => {
  for (const { items } of formsOf(schema)) if (isSchema(items)) return within(schema, items);
  return within(schema, NOTHING);
};

/** What stands in something that strangers wrote was written by them. */
const within = (outer: JsonSchema, inner: JsonSchema): JsonSchema =>
  isStrangers(outer) ? { ...inner, [STRANGERS]: true } : inner;

/** Names of the members that a schema tells, in its order. */
export const namesOf = (schema: JsonSchema): readonly string[] =>
  formsOf(schema).flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []));

/** Text that a stranger wrote (`chainText` of the cards). */
export const isStrangers = (schema: JsonSchema): boolean => formsOf(schema).some((form) => form[STRANGERS] === true);

/** A whole number by its schema: a block, a count, an index. Never rounded. */
export const isWhole = (schema: JsonSchema): boolean =>
  formsOf(schema).some(({ type }) => type === "integer" || (Array.isArray(type) && type.includes("integer")));

/** What the full answer alone has: base units, and what a finding stands on. */
export const isFullOnly = (name: string): boolean => name.endsWith("_raw") || name === "evidence";

/** The schema below a path, through lists. */
export const schemaAt = (schema: JsonSchema, path: string): JsonSchema =>
  path.split(".").reduce((at, name) => {
    const inside = namesOf(at).length === 0 ? itemOf(at) : at;
    return memberOf(inside, name);
  }, schema);
