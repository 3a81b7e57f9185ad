import { join } from "node:path";
import { expect, test } from "vitest";
import { chosenFiles, needBuild } from "./chosen_files.ts";
import { testFiles } from "./test_files.ts";

const ROOT = join(import.meta.dirname, "..");
const all = testFiles(ROOT);

const chosen = (...line: readonly string[]) => {
  const { files, refusal, notes } = chosenFiles(line, all, ROOT);
  return { paths: files.map(({ path }) => path), refusal, notes };
};

test("a file, a folder, an absolute path or a part of a path chooses its files", () => {
  const file = { paths: ["src/lib/csv.test.ts"], refusal: null, notes: [] };
  expect(chosen("src/lib/csv.test.ts")).toEqual(file);
  expect(chosen("./src/lib/csv.test.ts")).toEqual(file);
  expect(chosen(join(ROOT, "src/lib/csv.test.ts"))).toEqual(file);
  expect(chosen("src/charts").paths.every((path) => path.startsWith("src/charts/"))).toBe(true);
  expect(chosen("src/charts").paths.length).toBeGreaterThan(3);
  expect(chosen("-t", "kills", "src/lib/csv.test.ts")).toEqual(file);
});

test("a path that no test file has is refused in a sentence", () => {
  expect(chosen("src/lib/csvv")).toEqual({
    paths: [],
    refusal: "no test file has 'src/lib/csvv' in its path",
    notes: [],
  });
});

test("a file of the long run alone is refused with the line that runs it, and named beside others", () => {
  expect(chosen("test/e2e/kills.test.ts").refusal).toBe(
    "test/e2e/kills.test.ts runs only in the long run: ./assay test --long test/e2e/kills.test.ts",
  );
  const mixed = chosen("test/e2e/kills.test.ts", "src/lib/csv.test.ts");
  expect(mixed.paths).toEqual(["src/lib/csv.test.ts"]);
  expect(mixed.notes).toHaveLength(1);
});

test("--long runs long and sliced files; another one is refused with the reason", () => {
  expect(chosen("--long", "test/e2e/kills.test.ts").paths).toEqual(["test/e2e/kills.test.ts"]);
  expect(chosen("--long", "src/lib/csv.test.ts").refusal).toBe("src/lib/csv.test.ts runs in full without --long");
  expect(chosen("--long", "--shard", "1/3").paths.length).toBeGreaterThan(80);
});

test("only files that reach the built program need the build", () => {
  const needs = (path: string): boolean => needBuild(chosenFiles([path], all, ROOT).files, ROOT);
  expect(needs("src/lib/csv.test.ts")).toBe(false);
  expect(needs("src/charts")).toBe(false);
  expect(needs("test/tidy.test.ts")).toBe(false);
  // They start the engine's process, the accounts' thread and the command line from dist.
  expect(needs("src/store/writer.test.ts")).toBe(true);
  expect(needs("src/accounts/charge.test.ts")).toBe(true);
  expect(needs("test/e2e/command_line.test.ts")).toBe(true);
  // It names the command line in a text of its own, and asks Ajv from a package's dist folder.
  expect(needs("src/surfaces/openapi/tools_document.test.ts")).toBe(false);
});
