// @check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectPaths, ROOT } from "./project_files.ts";

/** Files that may define the same type name. */
const FILES_MAX = 2;

/** Words that name no subject: `TransfersQuery` instead of `Asked`. */
const GENERIC = new Set(
  (
    "Asked Found Held Kept Wanted Given Place Part Parts Ground Entry Mark Move Line Book Pool Row Answer Read Input Pair Told Store " +
    "Subject Sent Step Known Side Listed Call Span Fields Change Judged Said Ask Work Shown Value Cell Running Wish Made At Story Scene " +
    "Stage Desk Letter Door Gate Pulse Stall Purse Shelf Tenure"
  ).split(" "),
);

/** A single word in the form of a past participle. */
const PARTICIPLE =
  /^(?:[A-Z][a-z]+[^e]ed|Held|Told|Kept|Made|Found|Said|Sent|Shown|Known|Drawn|Given|Written|Taken|Spoken|Chosen|Hidden|Broken|Driven|Spent|Lent|Lost|Bought|Sold|Built|Left|Met|Paid|Read|Run|Seen|Set|Thrown|Bound|Frozen|Burnt|Stolen)$/;

const DEFINITION = /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;

const definitions = new Map<string, string[]>();
for (const path of projectPaths("src", "test", "scripts", "bench", "portal", "sdk", "assembly"))
  if (/\.tsx?$/.test(path) && !path.includes(".gen."))
    for (const [, name = ""] of new Set(
      [...readFileSync(join(ROOT, path), "utf8").matchAll(DEFINITION)].map((found) => found),
    ))
      definitions.set(name, [...(definitions.get(name) ?? []), path]);

const naming = (has: (name: string) => boolean): readonly string[] =>
  [...definitions].filter(([name]) => has(name)).map(([name, paths]) => `${name}: ${paths.join(", ")}`);

describe("a type name", () => {
  test("is defined in at most two files", () => {
    expect(definitions.size).toBeGreaterThan(1_500);
    expect(naming((name) => new Set(definitions.get(name)).size > FILES_MAX)).toEqual([]);
  });

  test("names a subject", () => {
    expect(naming((name) => GENERIC.has(name))).toEqual([]);
  });

  test("is a noun, not a past participle", () => {
    expect(naming((name) => PARTICIPLE.test(name))).toEqual([]);
  });
});
