import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectPaths, ROOT } from "./project_files.ts";

/** Lists themselves state the number of tools and networks: a handwritten number is wrong after the next addition. */

/** Records of a dated count. */
const RECORDS = /^(bench\/results|bench\/history\/)/;

const TENS = "twenty|thirty|forty|fifty|sixty";
const NUMBER = `(?:\\d{2,}|(?:${TENS})(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)`;
const COUNTED = "(?:EVM |known |demo |shipped |other )?(?:tools?|networks?|chains|cards)";
const COUNT = new RegExp(
  `\\b${NUMBER}(?: of ${NUMBER})? ${COUNTED}\\b|\\b(?:all|the|same) (?:${TENS}) (?:tools|networks|cards)\\b`,
  "i",
);

/** Lines with a handwritten count, with their numbers. */
const countsIn = (text: string): string[] =>
  text.split("\n").flatMap((line, at) => (COUNT.test(line) ? [`${at + 1}: ${line.trim().slice(0, 100)}`] : []));

test("finds a count in figures and in words", () => {
  const found = [
    "asked by thirty tools",
    "30 of 30 tools ready",
    "35 networks are known",
    "the thirty-one EVM networks",
    "All 42 tools",
  ];
  for (const text of found) expect([text, countsIn(text).length]).toEqual([text, 1]);
  const others = ["two tools", "a network of 30 blocks", "thirty calls", "30 s of the tools", "three networks"];
  for (const text of others) expect([text, countsIn(text)]).toEqual([text, []]);
});

test("states no handwritten number of tools or networks", () => {
  const paths = projectPaths("*.md", "*.ts", "*.sh", "*.yaml", "assay");
  const own = "test/hand_counts.test.ts";
  const found = paths
    .filter((path) => path !== own && !RECORDS.test(path) && !path.endsWith(".gen.ts"))
    .flatMap((path) => countsIn(readFileSync(join(ROOT, path), "utf8")).map((line) => `${path}:${line}`));
  expect(found).toEqual([]);
});
