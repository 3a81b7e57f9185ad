import * as z from "zod";
import { type JsonSchema, mapSchemas } from "../describe.ts";
import { schemas } from "../openapi_schemas.ts";
import { type Operation, operations } from "./operations.ts";

const NOT_OURS = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Without what zod adds and nobody outside needs. */
const plain = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) =>
        keyword !== "$schema" && !(["maximum", "minimum"].includes(keyword) && NOT_OURS.some((one) => one === value)),
    ),
  );

const schemaOf = (schema: z.ZodObject, io: "input" | "output"): JsonSchema =>
  mapSchemas({ ...z.toJSONSchema(schema, { io, target: "draft-2020-12", reused: "inline" }) }, plain);

/** JSON as zod names it stands in `$defs`, and refers to itself from there; in a document that is a schema of its own. */
const JSON_VALUE: JsonSchema = { description: "Any JSON value." };

const withoutDefs = (schema: JsonSchema): JsonSchema => {
  const { $defs: _, ...rest } = schema;
  return mapSchemas(rest, (part) => (typeof part.$ref === "string" ? JSON_VALUE : part));
};

const pathNames = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

const error = (description: string, schema = "detail"): JsonSchema => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
});

const ERRORS = {
  400: error("The body cannot be read."),
  401: error("No valid operator token."),
  404: error("There is no such account, key or tool."),
  409: error("The plan's number of keys is reached, or the key is revoked."),
  413: error("The body is too large."),
  422: {
    description: "The input is invalid: a list where a field is, a sentence where the store refuses it.",
    content: {
      "application/json": {
        schema: {
          anyOf: [{ $ref: "#/components/schemas/detail" }, { $ref: "#/components/schemas/invalid_request" }],
        },
      },
    },
  },
  500: error("A failure of the service."),
  503: error("The accounts store is busy or away. Nothing was changed."),
};

/** Of operations that change something. */
const MAY_ONLY_READ = { 403: error("The token may only read (`operator.read_token`). Nothing was changed.") };

const describe = (id: string, { path, method, summary, input, output }: Operation): JsonSchema => {
  const schema = withoutDefs(schemaOf(input, "input"));
  // `properties` of an object schema maps names to schemas.
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const in_path = pathNames(path);
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
    tags: [path.split("/")[2] ?? "operator"],
    parameters,
    ...(method === "GET" || rest.length === 0
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: {
      200: {
        description: "Done.",
        content: { "application/json": { schema: withoutDefs(schemaOf(output, "output")) } },
      },
      ...ERRORS,
      ...(method === "GET" ? {} : MAY_ONLY_READ),
    },
  };
};

/** The OpenAPI 3.1 document of the operator API. */
export const operatorOpenapi = (): JsonSchema => {
  const paths: Record<string, JsonSchema> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const at = paths[operation.path] ?? {};
    // Each operation takes its own input; describing looks at its schemas only.
    paths[operation.path] = {
      ...at,
      [operation.method.toLowerCase()]: describe(id, operation as unknown as Operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Assay operator API",
      version: "1.0.0",
      description:
        "Accounts, plans, keys, grants, prices, the allowlist of tools and the audit trail. On a listener of its own, with a token of its own; not part of the public interface.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "http://127.0.0.1:8788", description: "operator.listen of the configuration." }],
    security: [{ operator_token: [] }],
    paths,
    components: {
      securitySchemes: {
        operator_token: {
          type: "http",
          scheme: "bearer",
          description: "operator.token; operator.read_token for what is read.",
        },
      },
      schemas: { detail: schemas.detail, invalid_request: schemas.invalid_request },
    },
  };
};
