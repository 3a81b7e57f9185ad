// @check
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, test } from "vitest";
import { violationsIn } from "./banned_phrases.ts";
import { projectPaths, ROOT } from "./project_files.ts";
import { proseOf } from "./prose.ts";

/**
 * Other files: generated ones follow from texts that the test reads itself, comments of contracts are part of compiled metadata, and
 * lists of phrases name them.
 */
const OTHER =
  /\.gen\.|\/generated\/|^docs\/(?:tools|examples)\/|^sdk-python\/src|^contracts\/|^test\/(?:banned_phrases|language\.test|type_names\.test)\.ts$/;

/** `LANGUAGE_ONLY="src/lib src/web"` reads only files below these paths. */
const only = process.env.LANGUAGE_ONLY;

test("texts use plain English and the terms of the field", () => {
  const paths = projectPaths(...(only === undefined ? [] : only.split(" "))).filter((path) => !OTHER.test(path));
  const read = paths.map((path) => ({ path, prose: proseOf(extname(path), readFileSync(join(ROOT, path), "utf8")) }));
  if (only === undefined) expect(read.flatMap(({ prose }) => prose).length).toBeGreaterThan(10_000);
  const found = read.flatMap(({ path, prose }) =>
    prose.flatMap(violationsIn).map(({ name, excerpt }) => `${path}: ${name}: ${excerpt}`),
  );
  expect(found).toEqual([]);
});
