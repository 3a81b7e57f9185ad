import { expect, test } from "vitest";
import { displayName, displayText, fitted, widthIn, worded } from "./words.ts";

test("shows invisible characters as marks and keeps a line a line", () => {
  expect(displayText("US\u202EDC\u200B")).toBe("US\uFFFDDC\uFFFD");
  expect(displayText("a\nb\tc\u0000")).toBe("a b c\uFFFD");
  expect(displayText(`a${"\u200B".repeat(300)}b`)).toBe("a\uFFFDb");
  expect(displayText(`Z${"\u0300".repeat(50)}`)).toBe("Z\u0300\u0300");
});

test("a text of any length is cut to its width, with an ellipsis", () => {
  const cut = fitted("W".repeat(10_000), 100, 12);
  expect(cut.endsWith("…")).toBe(true);
  expect(widthIn(cut, 12)).toBeLessThanOrEqual(100);
  expect(fitted("ETH", 100, 12)).toBe("ETH");
  // Not even a letter and the ellipsis.
  expect(fitted("ETH and more", 8, 12)).toBe("");
});

test("shortens an address, keeps a name, and writes a word for nothing", () => {
  expect(displayName("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC")).toBe("0x3C44…93BC");
  expect(displayName("So11111111111111111111111111111111111111112")).toBe("So1111…1112");
  expect(displayName("Uniswap v2 pool")).toBe("Uniswap v2 pool");
  expect([displayName(null), displayName(" \u200B"), displayName("")]).toEqual(["unnamed", "\uFFFD", "unnamed"]);
});

test("writes a code with its words of the list, else its own", () => {
  expect(worded("lp_pool")).toBe("liquidity pool");
  expect(worded("fresh_start")).toBe("fresh start");
  // A name that objects have is no word of the list.
  expect(worded("constructor")).toBe("constructor");
});
