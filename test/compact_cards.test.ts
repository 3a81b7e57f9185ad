import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { NETWORKS } from "../src/chains/networks/index.ts";
import { toJson } from "../src/surfaces/http/json.ts";
import { listedTools } from "../src/surfaces/mcp/tools.ts";
import { describeTool } from "../src/surfaces/openapi/describe_tool.ts";
import { compactOf } from "../src/surfaces/view/compact.ts";
import { itemOf, namesOf, schemaAt } from "../src/surfaces/view/shape.ts";
import { tools } from "../src/tools/index.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import { columnOf, namesIn } from "../src/tools/view.ts";
import { rowsIn } from "./compact_rows.ts";
import { fixedChain } from "./fixed_chain.ts";
import { drawsOf } from "./random.ts";

const CARDS = tools.map((tool) => {
  const { output_schema: schema } = describeTool(tool, [fixedChain().network]);
  const compact = compactOf(tool, schema);
  // The example answer on the tool's page.
  const read = () => JSON.parse(readFileSync(join(import.meta.dirname, `../docs/examples/${tool.name}.json`), "utf8"));
  return { name: tool.name, tool, schema, compact, read };
});

/** Every path in a card's view, including those inside lists and maps. */
const pathsOf = ({ view }: AnyTool): readonly string[] => [
  ...namesIn(view?.members ?? ""),
  ...Object.entries(view?.drawn ?? {}).flatMap(([path, drawn]) => {
    const { columns, key } = typeof drawn === "string" ? { columns: drawn } : { columns: "", key: "", ...drawn };
    const row = typeof drawn === "object" && "key" in drawn && key !== "" ? `${path}.*` : path;
    if (columns === "") return [path];
    return namesIn(columns).flatMap((text) => {
      const { name, members } = columnOf(text);
      return members.length === 0 ? [`${row}.${name}`] : members.map((member) => `${row}.${name}.${member}`);
    });
  }),
];

test.each(CARDS)("$name: names only existing fields in its view", ({ tool, schema }) => {
  expect(Object.hasOwn(tool.input.shape, "detail") || Object.hasOwn(tool.input.shape, "view")).toBe(false);
  for (const path of pathsOf(tool)) {
    const [first = "", ...rest] = path.split(".");
    const steps = rest[0] === "*" ? [namesOf(schemaAt(schema, first))[0] ?? "", ...rest.slice(1)] : rest;
    const whole = [first, ...steps];
    const parent = whole.slice(0, -1).reduce((at, name) => schemaAt(at, name), schema);
    const inside = namesOf(parent).length > 0 ? parent : itemOf(parent);
    // Only the parts of an ABI that its author wrote are known.
    const is_known = path.startsWith("abi.") || namesOf(inside).includes(whole.at(-1) ?? "");
    expect([path, is_known]).toEqual([path, true]);
  }
});

test("keeps the list of tools below 15,000 tokens even with every known network enabled", () => {
  const described = tools.map((tool) => describeTool(tool, NETWORKS));
  const credits = Object.fromEntries(tools.map((tool) => [tool.name, tool.credits]));
  const listed = listedTools(described, { version: "", credits });
  expect(countTokens(toJson({ tools: listed }))).toBeLessThan(15_000);
});

/** The same value with every address, hash and amount replaced: values that no two rows of a busy wallet share. */
const another = (value: unknown, next: () => number): unknown => {
  if (typeof value === "number" && !Number.isInteger(value)) return value * (0.5 + next());
  if (typeof value === "string" && /^0x[0-9a-fA-F]{40,}$/.test(value)) {
    const digits = Array.from({ length: value.length - 2 }, () => Math.floor(next() * 16).toString(16));
    // Mixed case, as in a checksum, costs more.
    return `0x${digits.map((digit) => (value.length === 42 && next() < 0.5 ? digit.toUpperCase() : digit)).join("")}`;
  }
  if (Array.isArray(value)) return value.map((item) => another(item, next));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, another(member, next)]));
};

/** Lists that form the default page of a tool, and its rows. */
const PAGES = CARDS.flatMap((card) => {
  const lists = Object.entries(card.tool.view?.drawn ?? {}).flatMap(([name, drawn]) =>
    typeof drawn === "object" && drawn.is === "page" && drawn.key === undefined ? [name] : [],
  );
  return lists.length === 0 || card.name === "get_wallet_account_meta" ? [] : [{ ...card, lists }];
});

describe.each(PAGES)("$name", ({ tool, compact, read, lists }) => {
  const most = tool.view?.tokens ?? 1_500;
  const filled = (rows_each: number, change: (row: object) => object = (row) => row) => {
    const next = drawsOf(7);
    const body = read();
    for (const list of lists) {
      const rows: object[] = body[list];
      body[list] = Array.from({ length: rows_each }, (_, at) => change(Object(another(rows[at % rows.length], next))));
    }
    return body;
  };
  const default_rows = (tool.view?.rows ?? 20) / lists.length;

  test("keeps every row and its tokens in a full default page of rows that have nothing in common", () => {
    const drawn = compact(filled(default_rows));
    for (const list of lists) expect(rowsIn(drawn, list).length).toBe(default_rows);
    expect(countTokens(toJson(drawn))).toBeLessThanOrEqual(most);
  });

  test("keeps rows, warnings, coverage and notes in a page of a hundred rows with names of ten thousand characters", () => {
    const long = (row: object): object =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          ["symbol", "token_symbol", "token", "name"].includes(name) && typeof value !== "object"
            ? "𝕏".repeat(10_000)
            : value,
        ]),
      );
    const body = filled(100, long);
    const warnings = Array.from({ length: 50 }, (_, at) => ({
      code: "GAP",
      message: `Warning ${at} ${"w".repeat(200)}`,
    }));
    body.metadata.warnings = warnings;
    const drawn = compact(body);
    for (const list of lists) expect(rowsIn(drawn, list).length).toBe(100);
    expect(drawn.warnings).toEqual(warnings.map(({ code, message }) => `${code}: ${message}`));
    const { as_of, coverage, networks } = body.metadata;
    if (networks === undefined)
      expect(drawn.metadata).toMatchObject({
        as_of: { block_number: as_of.block_number },
        coverage: { to_block: coverage.to_block },
      });
    else
      expect(drawn.metadata).toMatchObject({
        networks: networks.map(({ network }: { network: string }) => ({ network })),
      });
    expect(drawn.reading).toContain("detail 'full'");
    if (toJson(drawn).includes("𝕏")) expect(drawn.reading).toContain("Strangers wrote the text in");
    expect(toJson(drawn)).not.toContain("𝕏".repeat(20));
  });
});
