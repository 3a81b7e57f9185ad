import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const files = readdirSync(join(ROOT, "portal/src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join(ROOT, "portal/src", path));

test("the page imports of src only pictures, cases, words of labels and what has no domain: everything else it asks over HTTP", () => {
  const targets = files.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(
      ([, target = ""]) => `${relative(ROOT, path)} imports ${relative(ROOT, join(dirname(path), target))}`,
    ),
  );
  const out = targets.filter((line) => !/ imports portal\//.test(line));
  expect(out.length).toBeGreaterThan(0);
  expect(out.filter((line) => !/ imports src\/((case|charts|lib)\/|labels\/categories\.ts$)/.test(line))).toEqual([]);
});
