import fc from "fast-check";
import { describe, expect, test } from "vitest";
import "../../test/draw.ts";
import { csvOf } from "./csv.ts";

test("writes a header, empty cells for missing values, and quotes for quotes, commas and line ends", () => {
  const rows = [{ name: 'a "b", c', count: 3 }, { name: "two\nlines", count: null }, { count: -1 }];
  expect(csvOf(["name", "count"], rows)).toBe('name,count\r\n"a ""b"", c",3\r\n"two\nlines",\r\n,-1\r\n');
});

const written = (text: string): string => csvOf(["name"], [{ name: text }]).slice("name\r\n".length, -"\r\n".length);

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["-1+cmd", "'-1+cmd"],
  ["＝1+1", "'＝1+1"],
  ["－1", "'－1"],
  [" =1", "' =1"],
  ["\ufeff=1", "'\ufeff=1"],
  ['"=1', '"\'""=1"'],
  [";=1+1", '";\'=1+1"'],
  ["a;\u00a0@x", '"a;\'\u00a0@x"'],
  ["a\n=cmd", '"a\n\'=cmd"'],
  ["\ttext", '"\'\ttext"'],
])("a formula is made text: %j", (text, line) => {
  expect(written(text)).toBe(line);
});

test.each([
  "-1",
  "12345678901234567890123",
  "-0.5",
  "1e-7",
  "a-b",
  "1+1",
  "x=y",
  "a@b.example",
  "2026-01-31T00:00:00Z",
])("a number, and a text that no spreadsheet evaluates, stay as they are: %j", (text) => {
  expect(written(text)).toBe(text);
});

/** Cells of RFC 4180 text, as a program with this `separator` reads them. */
const cellsOf = (text: string, separator: string): string[] => {
  const cells: string[] = [];
  let [cell, is_quoted] = ["", false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (is_quoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else is_quoted = false;
    } else if (sign === '"' && cell === "") is_quoted = true;
    else if (sign === separator || sign === "\n") {
      cells.push(cell);
      cell = "";
    } else if (sign !== "\r") cell += sign;
  }
  return cells;
};

const SIGNS = [
  "=",
  "+",
  "-",
  "@",
  "＝",
  "＋",
  "－",
  "＠",
  ";",
  ",",
  "\t",
  "\r",
  "\n",
  '"',
  "'",
  " ",
  "\ufeff",
  "\u200b",
  "|",
  "1",
  "a",
];
const drawn = fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((signs) => signs.join(""));
const evaluated = /^[\s"'\ufeff\u200b]*[=+@＝＋＠－-]/u;
const number = /^-?\d+(\.\d+)?$/;
/** With `'` before the sign, a spreadsheet shows it as text. */
const isInert = (cell: string): boolean =>
  number.test(cell) || !evaluated.test(cell) || /^[\s"\ufeff\u200b]*'/u.test(cell);

describe("any text", () => {
  test("yields no formula cell with any separator", () => {
    fc.assert(
      fc.property(drawn, drawn, (first, second) => {
        const text = csvOf(
          ["a", "b"],
          [
            { a: first, b: second },
            { a: 1, b: -2 },
          ],
        );
        for (const separator of [",", ";", "\t", "|"])
          for (const cell of cellsOf(text, separator))
            if (!isInert(cell)) throw new Error(JSON.stringify([cell, text]));
      }),
      { numRuns: 1_000 },
    );
  });

  test("survives a round trip through RFC 4180, except the marks before formulas; numbers survive exactly", () => {
    fc.assert(
      fc.property(drawn, fc.double({ noNaN: true, noDefaultInfinity: true }), (text, amount) => {
        const [, , name = "", count = ""] = cellsOf(csvOf(["name", "count"], [{ name: text, count: amount }]), ",");
        expect(name.replaceAll("'", "")).toBe(text.replaceAll("'", ""));
        expect(Number(count)).toBe(amount === 0 ? 0 : amount);
      }),
      { numRuns: 1_000 },
    );
  });
});
