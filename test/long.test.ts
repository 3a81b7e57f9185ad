import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pathsOf, testFiles } from "./test_files.ts";

const ROOT = join(import.meta.dirname, "..");
const files = testFiles(ROOT);

test("has files that state how they run: many have a slice, some run only in the long run, and none states both", () => {
  expect(pathsOf(files, ({ is_sliced }) => is_sliced).length).toBeGreaterThan(50);
  expect(pathsOf(files, ({ is_long_alone }) => is_long_alone).length).toBeGreaterThan(30);
  expect(pathsOf(files, ({ is_sliced, is_long_alone }) => is_sliced && is_long_alone)).toEqual([]);
});

test("has markers only on the first line, and only known ones", () => {
  const stray = files.filter(({ path }) => {
    const lines = readFileSync(join(ROOT, path), "utf8").split("\n");
    return lines.some(
      (line, i) => /^\/\/ @(long|check)\b/.test(line) && (i > 0 || !/^\/\/ @(long: alone|check)$/.test(line)),
    );
  });
  expect(stray.map(({ path }) => path)).toEqual([]);
});

test("runs files that share the demo worlds with others, also in the long run", () => {
  expect(pathsOf(files, ({ is_answers }) => is_answers)).toEqual(
    expect.arrayContaining([
      "test/e2e/all_tools.test.ts",
      "test/identities/trades.test.ts",
      "test/portal/pages.test.ts",
    ]),
  );
  expect(pathsOf(files, ({ is_answers, is_long_alone }) => is_answers && is_long_alone)).toEqual([]);
});

test("runs every test of the accounts that opens them through the shared opening on both engines", () => {
  const both = pathsOf(files, ({ is_of_accounts }) => is_of_accounts);
  expect(both).toEqual(expect.arrayContaining(["src/accounts/charge.test.ts", "src/accounts/watch_floods.test.ts"]));
  expect(both.filter((path) => /sqlite|postgres|passwords|secret/.test(path))).toEqual([]);
});

test("names every file that only runs in the long run, with the test that proves its rule in every run", () => {
  const page = readFileSync(join(ROOT, "docs/design/tests.md"), "utf8");
  expect(pathsOf(files, ({ is_long_alone }) => is_long_alone).filter((path) => !page.includes(path))).toEqual([]);
  const named = [...page.matchAll(/\b(?:bench|scripts|src|test)\/[\w./-]*\w/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
