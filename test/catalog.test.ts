import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NETWORKS } from "../src/chains/networks/index.ts";
import { bindArguments, servedBy } from "../src/surfaces/call/arguments/bind.ts";
import { generateDocs } from "../src/surfaces/generated_docs/pages.ts";
import { describeTool, type JsonSchema, mapSchemas } from "../src/surfaces/openapi/describe_tool.ts";
import { openapi } from "../src/surfaces/openapi/tools_document.ts";
import { tools } from "../src/tools/index.ts";
import { fixedChain } from "./fixed_chain.ts";
import { assertArgumentsDescribed } from "./openapi.ts";
import { PRICES } from "./price_list.ts";

const demo = fixedChain();
const networks = [demo.network];
const described = tools.map((tool) => ({ tool, card: describeTool(tool, networks) }));
const document = openapi(
  described.map(({ card }) => card),
  Object.fromEntries(tools.map(({ name, credits }) => [name, credits])),
);

test("has the tools of the price list, at its prices", () => {
  const prices = new Map(tools.map(({ name, credits }) => [name, credits]));
  for (const [credits, names] of Object.entries(PRICES))
    for (const name of names) expect([name, prices.get(name)]).toEqual([name, Number(credits)]);
});

test("orders tools by price, then by name, each once", () => {
  const names = tools.map(({ name }) => name);
  const inOrder = [...tools].sort((a, b) => b.credits - a.credits || (a.name < b.name ? -1 : 1));
  expect(names).toEqual(inOrder.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

test("lists every tool in src/tools", () => {
  const folder = join(import.meta.dirname, "../src/tools");
  const named = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name, ...(entry.isDirectory() ? ["index.ts"] : []));
    if (!path.endsWith(".ts") || path.endsWith(".test.ts") || !existsSync(path)) return [];
    const card = /\bdefineTool\(\{\s*name: "([^"]+)"/.exec(readFileSync(path, "utf8"));
    return card?.[1] === undefined ? [] : [card[1]];
  });
  expect(tools.map(({ name }) => name).sort()).toEqual(named.sort());
});

describe.each(described)("$tool.name", ({ tool, card }) => {
  test("has a name of plain letters and a price", () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{2,63}$/);
    expect(tool.credits).toBeGreaterThan(0);
  });

  test("is described in complete sentences", () => {
    expect(tool.title).toMatch(/^[A-Z]/);
    expect(tool.description).toMatch(/^[A-Z].*\.$/s);
    expect(tool.families.length).toBeGreaterThan(0);
  });

  test("takes one closed object whose fields are all described", () => {
    const schema = card.input_schema;
    for (const keyword of ["anyOf", "oneOf", "allOf", "$defs"]) expect(schema).not.toHaveProperty(keyword);
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    // `properties` of an object schema maps names to schemas.
    for (const [field, property] of Object.entries(schema.properties as Record<string, JsonSchema>))
      expect(property.description, field).toEqual(expect.any(String));
  });

  test("returns an open object with metadata", () => {
    mapSchemas(card.output_schema, (schema) => {
      expect(schema.additionalProperties).not.toBe(false);
      return schema;
    });
    expect(card.output_schema.properties).toHaveProperty("metadata");
  });

  test("shows an example that binds and that its own schema accepts", () => {
    const chains = servedBy(tool, [demo]);
    const now_ms = Date.UTC(2026, 10, 20);
    expect(bindArguments(tool, tool.example, { chains, now_ms })).toMatchObject({ kind: "bound" });
    assertArgumentsDescribed(document, tool.name, tool.example);
  });
});

test("has generated files that match the cards (`npm run gen` writes them)", () => {
  const root = join(import.meta.dirname, "..");
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const examples = Object.fromEntries(tools.map(({ name }) => [name, JSON.parse(read(`docs/examples/${name}.json`))]));
  const stale = generateDocs({ networks: NETWORKS, examples }).filter(({ path, text }) => read(path) !== text);
  expect(stale.map(({ path }) => path)).toEqual([]);
});

test("has a page per tool, and generated prices, errors and OpenAPI document", () => {
  const paths = generateDocs({ networks }).map(({ path }) => path);
  expect(paths).toEqual([
    "docs/openapi.json",
    "docs/account_openapi.json",
    "docs/operator_openapi.json",
    "docs/prices.md",
    "docs/errors.md",
    "docs/networks.md",
    ...tools.map(({ name }) => `docs/tools/${name}.md`),
  ]);
});
