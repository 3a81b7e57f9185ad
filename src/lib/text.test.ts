import fc from "fast-check";
import { expect, test } from "vitest";
import "../../test/draw.ts";
import { cleanText, hasHidden } from "./text.ts";

test("removes controls, bidi overrides, zero-width and tag characters and keeps the visible text", () => {
  expect(cleanText("\u202eUS\u200bDC\u0007\u{e0041}\ufeff", 64)).toBe("USDC");
});

test("cuts between characters", () => {
  // "é" is 2 bytes: 3 bytes hold one whole "é" and not a half of the second.
  expect(cleanText("éé", 3)).toBe("é");
  expect(cleanText("😀😀", 7)).toBe("😀");
});

test("replaces a lone surrogate", () => {
  expect(cleanText("a\ud800b", 64)).toBe("a\ufffdb");
});

/** Zero width, bidi controls, tags, selectors of variants, soft hyphen, fillers, a control, separators. */
const HIDDEN = [
  0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x200e, 0x202a, 0x202e, 0x2066, 0x2069, 0x061c, 0xe0041, 0xe007f,
]
  .concat([0xfe00, 0xfe0f, 0xe0100, 0x00ad, 0x034f, 0x115f, 0x3164, 0xffa0, 0x180e, 0x2800, 0x0007, 0x2028, 0x2029])
  .map((code) => String.fromCodePoint(code));

test("detects invisible characters at any position before they are removed", () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
  const property = fc.property(word, word, fc.constantFrom(...HIDDEN), (left, right, hidden) => {
    expect(hasHidden(left + hidden + right)).toBe(true);
    expect(hasHidden(hidden + left)).toBe(true);
    expect(cleanText(left + hidden + right, 64)).toBe(left + right);
    expect(hasHidden(left + right)).toBe(false);
  });
  fc.assert(property, { numRuns: 500 });
});

test("accepts joiners of words and emoji, and the padding of fixed-size texts", () => {
  for (const text of ["☀️ Sun", "👩‍👩‍👧", "❤️‍🔥", "1️⃣", "می‌خواهم", "क्‍ष", "Ünïcödé ⓤ", "日本円", "\tedge\n", "PAD\0\0\0"])
    expect(hasHidden(text), text).toBe(false);
  // A joiner between Latin letters spells nothing.
  expect(hasHidden("US\u200dDC")).toBe(true);
});
