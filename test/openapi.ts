import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type OpenApiJson = { readonly [key: string]: unknown };

const isJson = (value: unknown): value is OpenApiJson =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const validators = new WeakMap<object, { readonly ajv: Ajv2020; readonly compiled: Map<string, ValidateFunction> }>();

const pointer = (...steps: readonly (string | number)[]): string =>
  `#/${steps.map((step) => encodeURIComponent(String(step).replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

const follow = (document: OpenApiJson, ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, step) => (isJson(at) ? at[step] : undefined), document);

const resolved = (document: OpenApiJson, ref: string): { readonly ref: string; readonly value: OpenApiJson } => {
  const value = follow(document, ref);
  if (!isJson(value)) throw new Error(`${ref} is not in the OpenAPI document`);
  return typeof value.$ref === "string" ? resolved(document, value.$ref) : { ref, value };
};

const validatorOf = (document: OpenApiJson, ref: string): ValidateFunction => {
  let known = validators.get(document);
  if (known === undefined) {
    // Extensions (`x-untrusted`) and formats are annotations here.
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema(document, "openapi");
    known = { ajv, compiled: new Map() };
    validators.set(document, known);
  }
  let validate = known.compiled.get(ref);
  if (validate === undefined) {
    validate = known.ajv.compile({ $ref: `openapi${ref}` });
    known.compiled.set(ref, validate);
  }
  return validate;
};

const check = (validate: ValidateFunction, value: unknown, what: string): void => {
  if (validate(value)) return;
  const faults = (validate.errors ?? []).slice(0, 5).map(({ instancePath, message }) => `${instancePath} ${message}`);
  throw new Error(`${what} is not as described: ${faults.join("; ")}\n${JSON.stringify(value).slice(0, 2000)}`);
};

/**
 * Throws unless the OpenAPI document describes this answer: path, method, status and body. A path or method that it does
 * not name may only be answered 401, 404, 405 or 5xx with a `detail`.
 */
export const assertDescribed = (
  openapi: OpenApiJson,
  asked: { readonly method: string; readonly path: string },
  { status, body }: { readonly status: number; readonly body: unknown },
): void => {
  const { method } = asked;
  const [path = ""] = asked.path.split("?", 1);
  const what = `${method} ${asked.path} -> ${status}`;
  const operation = follow(openapi, pointer("paths", path, method.toLowerCase()));
  if (!isJson(operation)) {
    if (![400, 401, 404, 405, 408, 413, 429, 431, 500, 503].includes(status))
      throw new Error(`${what} is described nowhere`);
    check(validatorOf(openapi, pointer("components", "schemas", "detail")), body, what);
    return;
  }
  const response = resolved(openapi, pointer("paths", path, method.toLowerCase(), "responses", status));
  const schema = `${response.ref}/content/application~1json/schema`;
  check(validatorOf(openapi, schema), body, what);
};

/** Names of the headers that the document gives an answer. */
export const responseHeaders = (
  openapi: OpenApiJson,
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
): readonly string[] => {
  const { value } = resolved(openapi, pointer("paths", path, method.toLowerCase(), "responses", status));
  return isJson(value.headers) ? Object.keys(value.headers) : [];
};

/** Throws unless the document accepts these arguments for this tool. */
export const assertArgumentsDescribed = (openapi: OpenApiJson, tool: string, args: unknown): void => {
  const schema = pointer("paths", `/api/tools/${tool}`, "post", "requestBody", "content", "application/json", "schema");
  check(validatorOf(openapi, schema), args, `arguments of ${tool}`);
};
