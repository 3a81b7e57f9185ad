import { expect, test } from "vitest";
import { argsOf, fieldsOfTool, openFields } from "./fields.ts";

const tool = {
  name: "show",
  title: "Show",
  description: "",
  credits: 1,
  networks: [],
  example: {},
  live_fields: [],
  path: null,
  input_schema: {
    properties: {
      address: { type: "string", description: "Whose." },
      network: { type: "string", enum: ["demo", "all"], default: "all" },
      from_date: { type: "string", format: "date" },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      min_usd: { type: "number", minimum: 0 },
      include_spam: { type: "boolean", default: false },
      coins: { type: "array", items: { type: "string" } },
      as_of_block: { anyOf: [{ type: "integer", minimum: 0 }, { type: "string" }] },
    },
    required: ["address"],
  },
};

test("each kind of field has its control, its bounds and what holds when it is left empty", () => {
  const fields = fieldsOfTool(tool);
  expect(fields.map(({ name, type, is_required, fallback }) => [name, type, is_required, fallback])).toEqual([
    ["address", "text", true, null],
    ["network", "choice", false, "all"],
    ["from_date", "date", false, null],
    ["limit", "integer", false, "20"],
    ["min_usd", "number", false, null],
    ["include_spam", "yes_or_no", false, "false"],
    ["coins", "list", false, null],
    ["as_of_block", "integer_or_text", false, null],
  ]);
  expect([fields[3]?.minimum, fields[3]?.maximum, fields[1]?.choices]).toEqual([1, 100, ["demo", "all"]]);
});

test("converts written values to the types of the schema, and omits empty ones", () => {
  const fields = fieldsOfTool(tool);
  const written: Record<string, string> = {
    address: " 0xab ",
    limit: "5",
    min_usd: "x",
    include_spam: "true",
    coins: "USDC, ,USDT",
  };
  const args = argsOf(fields, (name) => written[name] ?? "");
  expect(args).toEqual({ address: "0xab", limit: 5, min_usd: "x", include_spam: true, coins: ["USDC", "USDT"] });
  const pinned = (as_of_block: string) => argsOf(fields, (name) => (name === "as_of_block" ? as_of_block : ""));
  expect([pinned("870"), pinned("2026-01-31")]).toEqual([{ as_of_block: 870 }, { as_of_block: "2026-01-31" }]);
  expect([openFields(fields, args), openFields(fields, {})]).toEqual([[], ["address"]]);
});
