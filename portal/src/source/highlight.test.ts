import { expect, test } from "vitest";
import { highlighted } from "./highlight.ts";

const hues = (text: string) =>
  highlighted(text)
    .filter(({ hue }) => hue !== "plain")
    .map(({ hue, text: piece }) => [hue, piece]);

test("comments, strings, numbers, words and types have their hues", () => {
  expect(hues('function f(uint256 a) public { return "x // y"; } // end\n')).toEqual([
    ["word", "function"],
    ["type", "uint256"],
    ["word", "public"],
    ["word", "return"],
    ["string", '"x // y"'],
    ["comment", "// end"],
  ]);
  expect(hues("a = 0xff + 1_000; /* one\ntwo */ b")).toEqual([
    ["number", "0xff"],
    ["number", "1_000"],
    ["comment", "/* one\ntwo */"],
  ]);
});

test("the pieces together are the text, whatever it is", () => {
  for (const text of ["", 'an open "string', "/* an open comment", "日本語 \u202e $x_1 \\", "'it\\'s'", "a/b # c"])
    expect(
      highlighted(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
});

test("takes linear time for a million quotes and slashes", () => {
  const text = "\"/'\\".repeat(250_000);
  const started = performance.now();
  expect(
    highlighted(text)
      .map((piece) => piece.text)
      .join("").length,
  ).toBe(1_000_000);
  expect(performance.now() - started).toBeLessThan(20_000);
});
