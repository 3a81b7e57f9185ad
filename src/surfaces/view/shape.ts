import type { JsonSchema } from "../openapi/describe_tool.ts";

/** Members of an answer by name. */
export type AnswerMembers = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is AnswerMembers =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isSchema = (value: unknown): value is JsonSchema => isMembers(value);

/** A schema, and its alternatives if it has any. */
const formsOf = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...(Array.isArray(schema.anyOf) ? schema.anyOf.filter(isSchema) : []),
];

const NOTHING: JsonSchema = {};
const STRANGERS = "x-untrusted";

/** The schema of a member; an empty one if the schema does not name it. */
export const memberOf = (schema: JsonSchema, name: string): JsonSchema => {
  for (const form of formsOf(schema)) {
    const member = isSchema(form.properties) && Object.hasOwn(form.properties, name) ? form.properties[name] : null;
    if (isSchema(member)) return within(schema, member);
    if (isSchema(form.additionalProperties)) return within(schema, form.additionalProperties);
  }
  return within(schema, NOTHING);
};

/** The schema of a list's items. */
export const itemOf = (schema: JsonSchema): JsonSchema => {
  for (const { items } of formsOf(schema)) if (isSchema(items)) return within(schema, items);
  return within(schema, NOTHING);
};

/** Everything inside a stranger's text is a stranger's text too. */
const within = (outer: JsonSchema, inner: JsonSchema): JsonSchema =>
  isStrangers(outer) ? { ...inner, [STRANGERS]: true } : inner;

/** Names of the members of a schema, in its order. */
export const namesOf = (schema: JsonSchema): readonly string[] =>
  formsOf(schema).flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []));

/** Text that a stranger wrote (`chainText` of the cards). */
export const isStrangers = (schema: JsonSchema): boolean => formsOf(schema).some((form) => form[STRANGERS] === true);

/** A whole number by its schema: a block, a count, an index. Never rounded. */
export const isWhole = (schema: JsonSchema): boolean =>
  formsOf(schema).some(({ type }) => type === "integer" || (Array.isArray(type) && type.includes("integer")));

/** Members that only the full answer has: base units, and the evidence of a finding. */
export const isFullOnly = (name: string): boolean => name.endsWith("_raw") || name === "evidence";

/** The schema below a path, through lists. */
export const schemaAt = (schema: JsonSchema, path: string): JsonSchema =>
  path.split(".").reduce((at, name) => {
    const inside = namesOf(at).length === 0 ? itemOf(at) : at;
    return memberOf(inside, name);
  }, schema);
