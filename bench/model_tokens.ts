// Tokens (o200k) that a model reads over MCP: the list of tools, and the answers of the tools' pages, whole and
// compact.
// node dist/bench/model_tokens.js, a table for bench/model_tokens.md.

import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { NETWORKS } from "../src/chains/networks/index.ts";
import { toJson } from "../src/surfaces/http/json.ts";
import { listedTools } from "../src/surfaces/mcp/tools.ts";
import { type DescribedNetwork, describeTool } from "../src/surfaces/openapi/describe_tool.ts";
import { readExamples } from "../src/surfaces/openapi/examples.ts";
import { compactOf } from "../src/surfaces/view/compact.ts";
import { isMembers } from "../src/surfaces/view/shape.ts";
import { tools } from "../src/tools/index.ts";

const examples = readExamples(join(import.meta.dirname, "../../docs/examples"));
const credits = Object.fromEntries(tools.map((tool) => [tool.name, tool.credits]));
const tokensOf = (value: unknown): string => countTokens(toJson(value)).toLocaleString("en");

const listOn = (networks: readonly DescribedNetwork[]) => {
  const described = tools.map((tool) => describeTool(tool, networks));
  return { tools: listedTools(described, { version: "", credits }) };
};

const demo = NETWORKS.filter(({ id }) => id.startsWith("demo"));
const rows = tools.map((tool) => {
  const whole = examples[tool.name];
  if (!isMembers(whole)) throw new Error(`docs/examples has no answer of ${tool.name}`);
  const compact = compactOf(tool, describeTool(tool, demo).output_schema);
  return [tool.name, tokensOf(whole), tokensOf(compact(whole))];
});

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
process.stdout.write(
  [
    ["of", "whole", "compact"],
    ["---", "---", "---"],
    ["tools/list on the demo's networks", "", tokensOf(listOn(demo))],
    ["tools/list on every known network", "", tokensOf(listOn(NETWORKS))],
    ...rows,
  ]
    .map(line)
    .join(""),
);
