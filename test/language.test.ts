// @check
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, test } from "vitest";
import { violationsIn } from "./banned_phrases.ts";
import { projectPaths, ROOT } from "./project_files.ts";
import { proseOf } from "./prose.ts";

/** Generated files follow from texts that are read themselves; the lists of phrases name them. */
const isOwnText = (path: string): boolean =>
  !/\.gen\.|\/generated\/|^docs\/(?:tools|examples)\/|^sdk-python\/src|^test\/(?:banned_phrases|language\.test)\.ts$/.test(
    path,
  );

/** Violations of files that are still to be rewritten: a number may only shrink. */
const baseline: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "language_baseline.json"), "utf8"),
);

/** `LANGUAGE_ONLY="src/lib src/web"` shows every violation below these paths. */
const only = process.env.LANGUAGE_ONLY;

test("texts use plain English and the terms of the field", () => {
  const found = projectPaths(...(only === undefined ? [] : only.split(" ")))
    .filter((path) => isOwnText(path))
    .flatMap((path) => {
      const violations = proseOf(extname(path), readFileSync(join(ROOT, path), "utf8")).flatMap(violationsIn);
      const is_known = only === undefined && violations.length <= (baseline[path] ?? 0);
      return is_known ? [] : violations.map(({ name, excerpt }) => `${path}: ${name}: ${excerpt}`);
    });
  expect(found).toEqual([]);
});
