import { expect, test } from "vitest";
import { cleanText } from "./text.ts";

test("controls, bidi overrides, zero-width and tag characters are gone and the visible text stays", () => {
  expect(cleanText("\u202eUS\u200bDC\u0007\u{e0041}\ufeff", 64)).toBe("USDC");
});

test("a cut falls between characters, never inside one", () => {
  // "é" is 2 bytes: 3 bytes hold one whole "é" and not a half of the second.
  expect(cleanText("éé", 3)).toBe("é");
  expect(cleanText("😀😀", 7)).toBe("😀");
});

test("a lone surrogate becomes the replacement character", () => {
  expect(cleanText("a\ud800b", 64)).toBe("a\ufffdb");
});
