// @check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The calculations of docs/operating/sizing.md, and that their inputs are measured figures.
const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const page = read("docs/operating/sizing.md");

const UNITS: Readonly<Record<string, number>> = {
  ...{ bytes: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
  ...{ ms: 1e-3, s: 1, "%": 0.01, rows: 1, tools: 1 },
};
const TERM = String.raw`[\d.,]*\d(?: (?:bytes|KB|MB|GB|TB|ms|s|%|rows|tools))?`;
const CALCULATION = new RegExp(`(${TERM}(?: [x/+] ${TERM})+) = (${TERM})`, "g");

const figureOf = (term: string): number => {
  const [figure = "", unit] = term.split(" ");
  return Number(figure.replaceAll(",", "")) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN));
};

/** Left to right, as the page writes them: sums have no products. */
const calculated = (text: string): number => {
  const [first = "", ...rest] = text.split(/ (?=[x/+] )/);
  return rest.reduce((value, step) => {
    const other = figureOf(step.slice(2));
    if (step.startsWith("x")) return value * other;
    return step.startsWith("/") ? value / other : value + other;
  }, figureOf(first));
};

test("every calculation gives its result, as exactly as the page writes it", () => {
  const found = [...page.matchAll(CALCULATION)].map(([, terms = "", result = ""]) => ({ terms, result }));
  expect(found.length).toBeGreaterThan(15);
  // Results have two figures or more.
  const wrong = found.filter(({ terms, result }) => Math.abs(calculated(terms) / figureOf(result) - 1) > 0.03);
  expect(wrong).toEqual([]);
});

test("every input that a bench measured is in its results", () => {
  const results = read("bench/results.md");
  for (const figure of [
    ...["33.7 ms CPU", "149 bytes", "1,572,581 rows", "229 KB", "38.4 ms", "56 KB", "11.1 ms", "87 bytes", "0.99 x"],
    ...[
      "943 MB",
      "1,013 MB",
      "773 MB",
      "367 MB",
      "458",
      "473 + 589",
      "36.4 blocks/s",
      "31.5 blocks/s",
      "109.9 blocks/s",
    ],
    ...["121 KB", "17 KB", "**0.5**", "**0.4**", "| 3.3 |", "| 7.1 |", "4,295 a core"],
  ])
    expect([figure, results.includes(figure)]).toEqual([figure, true]);
});
