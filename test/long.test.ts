import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONG_ALONE, LONG_FILES } from "./long.ts";

const ROOT = join(import.meta.dirname, "..");

const testFiles = (): readonly string[] =>
  ["bench", "scripts", "src", "test"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith(".test.ts"));

test("every file that has a slice is run whole by the long run, and every file of the long run is there", () => {
  const sliced = testFiles().filter((path) =>
    /\b(sized|eachNth|is_long)\b.*\blong\.ts"/.test(readFileSync(join(ROOT, path), "utf8")),
  );
  expect(sliced.length).toBeGreaterThan(20);
  expect(sliced.filter((path) => !LONG_FILES.includes(path))).toEqual([]);
  expect([...LONG_FILES, ...LONG_ALONE].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("every file that is left to the long run says what proves its rule in every run", () => {
  const page = readFileSync(join(ROOT, "docs/design/tests.md"), "utf8");
  expect(LONG_ALONE.filter((path) => !page.includes(path))).toEqual([]);
  // What proves a rule in every run is there, too.
  const named = [...page.matchAll(/\b(?:bench|scripts|src|test)\/[\w./-]*\w/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
