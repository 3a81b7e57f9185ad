// @check
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./project_files.ts";

const ROWS_MAX = 30;

const rows = readFileSync(join(ROOT, "docs/glossary.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, term = "", meaning = "", paths = ""]) => ({ term, meaning, paths }));

test("the glossary has at most thirty terms, sorted and each once", () => {
  const terms = rows.map(({ term }) => term);
  expect(terms.length).toBeGreaterThan(ROWS_MAX / 2);
  expect(terms.length).toBeLessThanOrEqual(ROWS_MAX);
  expect(terms).toEqual([...new Set(terms)].sort());
});

test("each term has a meaning of at most 140 characters, in whole sentences", () => {
  expect(rows.filter(({ meaning }) => !/^[A-Z].+\.$/.test(meaning) || meaning.length > 140)).toEqual([]);
});

test("each term is implemented in a file or folder that exists", () => {
  const located = rows.map(({ term, paths }) => ({ term, paths: [...paths.matchAll(/`([^`]+)`/g)] }));
  expect(located.filter(({ paths }) => paths.length === 0)).toEqual([]);
  const missing = located.flatMap(({ term, paths }) =>
    paths.flatMap(([, path = ""]) => (existsSync(join(ROOT, path)) ? [] : [`${term}: ${path}`])),
  );
  expect(missing).toEqual([]);
});
