import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tools } from "../src/tools/index.ts";
import { ranked } from "./tool_choice.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../bench/tool_choice.md"), "utf8");
const QUESTIONS = [...PAGE.matchAll(/^\| (.+) \| ([a-z_]+) \|$/gm)].map(([, question = "", tool = ""]) => ({
  question,
  tool,
}));
const FIRST_LEAST = 54;

test("has sixty questions, two for each tool", () => {
  expect(QUESTIONS.length).toBe(60);
  for (const { name } of tools) expect([name, QUESTIONS.filter(({ tool }) => tool === name).length]).toEqual([name, 2]);
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(60);
});

test(`names and descriptions alone put the right tool first for ${FIRST_LEAST} of them or more, as often as the page says`, () => {
  const documents = tools.map(({ name, description }) => ({ name, text: `${name} ${description}` }));
  const missed = QUESTIONS.filter(({ question, tool }) => ranked(documents, question)[0] !== tool);
  const first = QUESTIONS.length - missed.length;
  expect(first).toBeGreaterThanOrEqual(FIRST_LEAST);
  expect(PAGE).toContain(`**${first} of 60**`);
});

test("weighs a word by how rare it is", () => {
  // Both have one word of two; `a b` is in both, so that only `tax` distinguishes them.
  const documents = [
    { name: "first", text: "token price token" },
    { name: "second", text: "token tax token" },
  ];
  expect(ranked(documents, "token tax")).toEqual(["second", "first"]);
});
