import fc from "fast-check";
import type { JsonSchema } from "../../src/surfaces/openapi/describe_tool.ts";

const isSchema = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const numbers = ({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> => {
  const min = typeof minimum === "number" ? minimum : Number.MIN_SAFE_INTEGER;
  const max = typeof maximum === "number" ? maximum : Number.MAX_SAFE_INTEGER;
  // Small ones are what people send, large ones what breaks sums.
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 50) }), fc.integer({ min, max }));
};

const doubleBounds = ({ minimum, maximum }: JsonSchema) => ({
  min: typeof minimum === "number" ? minimum : -Number.MAX_VALUE,
  max: typeof maximum === "number" ? maximum : Number.MAX_VALUE,
});

const objects = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const model = Object.fromEntries(
    properties.flatMap(([name, part]) => (isSchema(part) ? [[name, schemaValues(part)] as const] : [])),
  );
  return fc.record(model, { requiredKeys: Array.isArray(schema.required) ? schema.required : [] });
};

/**
 * Values that a JSON Schema allows, of the keywords that the operator API's inputs use. Throws on a schema without a type
 * that it knows, so that a new keyword cannot go untested.
 */
export const schemaValues = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.filter(isSchema).map(schemaValues));
  switch (schema.type) {
    case "object":
      return objects(schema);
    case "array": {
      const items = isSchema(schema.items) ? schemaValues(schema.items) : fc.jsonValue();
      return fc.array(items, { minLength: Number(schema.minItems ?? 0), maxLength: 4 });
    }
    case "string":
      if (typeof schema.pattern === "string") return fc.stringMatching(new RegExp(schema.pattern));
      return fc.string({
        unit: fc.constantFrom("a", "0", " ", "-", "/", "%", "ü", "😀"),
        minLength: Number(schema.minLength ?? 0),
        maxLength: Math.min(Number(schema.maxLength ?? 40), 40),
      });
    case "integer":
      return numbers(schema);
    case "number":
      return fc.oneof(numbers(schema), fc.double({ ...doubleBounds(schema), noNaN: true }));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`);
  }
};
