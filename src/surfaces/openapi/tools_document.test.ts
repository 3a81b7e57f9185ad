import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import * as z from "zod";
import * as fields from "../../tools/fields.ts";
import { type AnyTool, defineTool } from "../../tools/tool.ts";
import { describeTool, type JsonSchema } from "./describe_tool.ts";
import { openapi } from "./tools_document.ts";

const node = z.strictObject({
  name: z.string(),
  get children() {
    return z.array(node);
  },
});

const tool: AnyTool = defineTool({
  name: "walk_tree",
  title: "Walk a tree",
  description: "Has a recursive answer and every kind of field.",
  credits: 3,
  families: ["evm"],
  input: z.strictObject({
    address: fields.address("The wallet."),
    network: fields.network(),
    networks: fields.networks(),
    from_date: fields.date("First day."),
    page: fields.page(),
    as_of_block: fields.asOfBlock(),
  }),
  output: z.strictObject({
    type: z.literal("tree"),
    tree: node,
    note: fields.chainText("Said by a stranger.").nullable(),
  }),
  example: { address: "0x00", network: "demo", networks: "all" },
  run: async () => {
    throw new Error("not run here");
  },
});

const NETWORKS = [
  { id: "ethereum", family: "evm" },
  { id: "solana", family: "solana" },
  { id: "demo", family: "evm" },
];
const card = describeTool(tool, NETWORKS);
const answer = { type: "tree", tree: { name: "a", children: [{ name: "b", children: [] }] }, note: null };
const document = openapi([card], { walk_tree: 4 }, { walk_tree: answer });

const everything = (value: unknown, path = "#"): readonly (readonly [path: string, value: unknown])[] =>
  value === null || typeof value !== "object"
    ? [[path, value]]
    : [[path, value], ...Object.entries(value).flatMap(([key, part]) => everything(part, `${path}/${key}`))];

const at = (path: string): unknown =>
  path
    .slice(2)
    .split("/")
    .reduce<unknown>(
      (value, key) => (value !== null && typeof value === "object" ? Reflect.get(value, key) : undefined),
      document,
    );

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, unknown>>;
}

// The document's own shape: path -> method -> operation.
const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
  Object.values(path),
);

test("every reference leads somewhere and every component is used", () => {
  const refs = everything(document).flatMap(([path, value]) => (path.endsWith("/$ref") ? [String(value)] : []));
  expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
  const used = new Set(refs);
  for (const kind of ["schemas", "responses", "parameters", "headers"])
    for (const name of Object.keys(Object(at(`#/components/${kind}`))))
      expect(used, `${kind}/${name}`).toContain(`#/components/${kind}/${name}`);
});

test("every operation has an id of its own, a summary, a description, a known tag, a success and a 4xx", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const operation of operations) {
    expect(operation.operationId).toMatch(/^[a-z0-9_]+$/);
    for (const text of [operation.summary, operation.description]) expect(text.length).toBeGreaterThan(3);
    for (const tag of operation.tags) expect(["discovery", "tools"]).toContain(tag);
    expect(Object.keys(operation.responses).filter((status) => status.startsWith("2"))).toEqual(["200"]);
    expect(Object.keys(operation.responses).some((status) => status.startsWith("4"))).toBe(true);
  }
});

test("the document names licence, contact, server and security", () => {
  expect(document.info).toMatchObject({
    version: "1.0.0",
    license: { identifier: "Apache-2.0" },
    contact: { name: expect.any(String) },
  });
  expect(document.servers).toEqual([{ url: "/", description: expect.any(String) }]);
  expect(document.security).toEqual([{ api_key: [] }]);
});

test("each schema is a valid JSON Schema and the examples are as described, recursion included", () => {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: true,
    allowUnionTypes: true,
    validateFormats: false,
  });
  ajv.addVocabulary(["x-untrusted"]);
  for (const name of Object.keys(Object(at("#/components/schemas")))) {
    // A component with everything that it may refer to.
    const whole = {
      ...JSON.parse(JSON.stringify({ components: document.components })),
      $ref: `#/components/schemas/${name}`,
    };
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(whole);
    if (name === "walk_tree_output") {
      expect(validate(answer)).toBe(true);
      expect(validate({ ...answer, more: 1 })).toBe(true);
      expect(validate({ ...answer, tree: { name: "a", children: [{ name: 5, children: [] }] } })).toBe(false);
    }
    if (name === "walk_tree_input") {
      expect(validate(tool.example)).toBe(true);
      expect(validate({ ...tool.example, more: 1 })).toBe(false);
      expect(validate({ ...tool.example, network: "solana" })).toBe(false);
    }
  }
  expect(ajv.validateSchema(card.input_schema)).toBe(true);
  expect(ajv.validateSchema(card.output_schema)).toBe(true);
  expect(ajv.compile(card.input_schema)(tool.example)).toBe(true);
});

test("networks are those that are enabled and that the tool serves, in the order of the configuration", () => {
  expect(card.networks).toEqual(["ethereum", "demo"]);
  // `properties` of an object schema maps names to schemas.
  const properties = card.input_schema.properties as Record<string, JsonSchema>;
  expect(properties.network).toEqual({ type: "string", description: expect.any(String), enum: ["ethereum", "demo"] });
  expect(properties.networks?.enum).toEqual(["ethereum", "demo", "evm", "all"]);
  expect(properties.as_of_block).toEqual({
    anyOf: [{ type: "integer", minimum: 0 }, { type: "string" }],
    description: expect.any(String),
    examples: [18_000_000, "2026-01-31"],
  });
  expect(properties.from_date).toMatchObject({ format: "date", examples: ["2026-01-31"] });
  expect(card.input_schema.required).toEqual(["address", "network", "networks"]);
});

test("text of strangers stays marked, and a price is the catalog's", () => {
  expect(JSON.stringify(card.output_schema)).toContain('"x-untrusted":true');
  expect(at("#/paths")).toHaveProperty(["/api/tools/walk_tree", "post", "x-credits"], 4);
});
