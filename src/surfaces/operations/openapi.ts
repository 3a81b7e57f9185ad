import * as z from "zod";
import { type JsonSchema, mapSchemas } from "../openapi/describe_tool.ts";
import { schemas } from "../openapi/shared_schemas.ts";
import type { Operation, Operations } from "./operation.ts";

const NOT_OURS = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Without zod's additions, which readers of the document do not need. */
const plain = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) =>
        keyword !== "$schema" && !(["maximum", "minimum"].includes(keyword) && NOT_OURS.some((one) => one === value)),
    ),
  );

const schemaOf = (schema: z.ZodObject, io: "input" | "output"): JsonSchema =>
  mapSchemas({ ...z.toJSONSchema(schema, { io, target: "draft-2020-12", reused: "inline" }) }, plain);

/** zod puts its JSON type into `$defs`, where it refers to itself; a document needs a schema of its own instead. */
const JSON_VALUE: JsonSchema = { description: "Any JSON value." };

const withoutDefs = (schema: JsonSchema): JsonSchema => {
  const { $defs: _, ...rest } = schema;
  return mapSchemas(rest, (part) => (typeof part.$ref === "string" ? JSON_VALUE : part));
};

const pathNames = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** An error answer, by its description. */
export const errorResponse = (description: string, schema = "detail"): JsonSchema => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
});

/** The error answers of an interface, by status. */
export interface ErrorResponses {
  readonly always: Readonly<Record<number, JsonSchema>>;
  /** Additional answers of operations that change something. */
  readonly changing: Readonly<Record<number, JsonSchema>>;
}

const describe = (id: string, operation: Operation<never>, errors: ErrorResponses): JsonSchema => {
  const { path, method, summary, input, output } = operation;
  const schema = withoutDefs(schemaOf(input, "input"));
  // `properties` of an object schema maps names to schemas.
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const in_path = pathNames(path);
  const [, first = "", second = first] = path.replace(/^\/api/, "").split("/");
  const tag = second.startsWith("{") ? first : second;
  const rest = Object.entries(properties).filter(([name]) => !in_path.includes(name));
  const query = method === "GET" ? rest : [];
  const parameters = [
    ...in_path.map((name) => ({ name, in: "path", required: true, schema: properties[name] })),
    ...query.map(([name, part]) => ({ name, in: "query", required: required.includes(name), schema: part })),
  ];
  const body = {
    type: "object",
    properties: Object.fromEntries(rest),
    required: required.filter((name) => !in_path.includes(name)),
    additionalProperties: false,
  };
  return {
    operationId: id,
    summary,
    tags: [tag],
    parameters,
    ...(method === "GET" || rest.length === 0
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: {
      200: {
        description: "Done.",
        content: {
          "application/json": { schema: withoutDefs(schemaOf(output, "output")) },
          ...(operation.csv === undefined ? {} : { "text/csv": { schema: { type: "string" } } }),
        },
      },
      ...errors.always,
      ...(method === "GET" ? {} : errors.changing),
    },
  };
};

/** The paths of an OpenAPI document. */
export const pathsOf = (
  operations: Operations<never>,
  errors: ErrorResponses,
): Readonly<Record<string, JsonSchema>> => {
  const paths: Record<string, JsonSchema> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const at = paths[operation.path] ?? {};
    paths[operation.path] = { ...at, [operation.method.toLowerCase()]: describe(id, operation, errors) };
  }
  return paths;
};

/** The schemas that error answers refer to. */
export const ERROR_SCHEMAS = { detail: schemas.detail, invalid_request: schemas.invalid_request };

/** 422, by a list where a field is wrong and by a sentence where the store refuses it. */
export const INVALID_INPUT: JsonSchema = {
  description: "The input is invalid: a list of field errors, or a sentence when the accounts store rejects it.",
  content: {
    "application/json": {
      schema: {
        anyOf: [{ $ref: "#/components/schemas/detail" }, { $ref: "#/components/schemas/invalid_request" }],
      },
    },
  },
};
