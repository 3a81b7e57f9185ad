import fc from "fast-check";
import { describeTool, type JsonSchema } from "../../src/surfaces/openapi/describe_tool.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { fixedChain } from "../fixed_chain.ts";

/** Midnight of the day on which the contract tests live. */
export const NOW_MS = Date.UTC(2026, 10, 20);

const DAY_MS = 86_400_000;
const dayBefore = (days: number): string => new Date(NOW_MS - days * DAY_MS).toISOString().slice(0, 10);

/** The published input of a tool on the network `demo`, and arguments that are right by it and by every rule across fields. */
export const publishedInput = (tool: AnyTool) => {
  const { input_schema } = describeTool(tool, [fixedChain().network]);
  // `properties` of an object schema maps names to schemas; an example is an object of arguments.
  const properties = input_schema.properties as Record<string, JsonSchema>;
  // On one network and for a few days, so that rules across fields have nothing to say to a change of one.
  const narrow = Object.entries({ network: "demo", from_date: dayBefore(3) }).filter(([field]) => field in properties);
  // `required` of a JSON Schema is a list of names; every tool requires something.
  const required = input_schema.required as readonly string[];
  const needed = Object.entries(tool.example).filter(([field]) => required.includes(field));
  const example: Record<string, unknown> = Object.fromEntries([...needed, ...narrow]);
  return { name: tool.name, input_schema, properties, required, example };
};

/** Values that one field may take by its published schema; null where only the example is known to be right. */
export const rightValues = (field: string, schema: JsonSchema): fc.Arbitrary<unknown> | null => {
  const { type, enum: words, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, format } = schema;
  if (Array.isArray(words)) return fc.constantFrom(...words);
  if (type === "boolean") return fc.boolean();
  // Paging ends at a deepest row, which no schema of one field can say.
  if (type === "integer")
    return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), Number(minimum) + 99) });
  const [nearest, farthest] = field === "to_date" ? [1, 3] : [3, 28];
  return format === "date" ? fc.integer({ min: nearest, max: farthest }).map(dayBefore) : null;
};

/** Values that one field may not take by its published schema: another type, or beyond what the schema says. */
export const wrongValues = (schema: JsonSchema): readonly unknown[] => {
  const { type, enum: words, minimum, maximum, maxLength, minLength, pattern, format } = schema;
  const own = type === "integer" ? "number" : type;
  const types = [{}, [], null, 1.5, "7", true].filter((value) =>
    value === 1.5 ? type !== "number" : typeof value !== own,
  );
  return [
    ...types,
    ...(Array.isArray(words) ? ["", "Nothing of these"] : []),
    ...(typeof minimum === "number" ? [minimum - 1] : []),
    ...(typeof maximum === "number" ? [maximum + 1] : []),
    ...(typeof maxLength === "number" ? ["x".repeat(maxLength + 1)] : []),
    ...(typeof minLength === "number" ? ["x".repeat(minLength - 1)] : []),
    ...(typeof pattern === "string" || format === "date" ? ["", "neither"] : []),
  ];
};

/** Changes to right arguments: any value in any field, a field less, a field more. */
export const changedArguments = (example: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...fields, "colour", "__proto__"),
        fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((changes) =>
      Object.fromEntries([...Object.entries(example), ...changes].filter(([, value]) => value !== undefined)),
    );
