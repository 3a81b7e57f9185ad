import { expect, test } from "vitest";
import { strangeParts } from "./strange.tsx";

const shown = (text: string) =>
  strangeParts(text)
    .parts.map((part) => (part.is_mark ? `[${part.text}]` : part.text))
    .join("");

test("signs that turn the reading or are not seen are named instead", () => {
  expect(shown("US\u202eCD")).toBe("US[U+202E]CD");
  expect(shown("US\u200bDC\n\u0000")).toBe("US[U+200B]DC[U+000A][U+0000]");
  expect(shown("\u3164")).toBe("[U+3164]");
});

test("ten thousand signs are cut to forty, and markup is text", () => {
  const { parts, is_cut } = strangeParts("<b>".repeat(10_000));
  expect([parts.length, parts[0]?.text.length, is_cut]).toEqual([1, 40, true]);
  expect(strangeParts("USDC")).toEqual({ parts: [{ text: "USDC", is_mark: false }], is_cut: false });
});

test("a tower of marks over one letter is two high", () => {
  expect(shown(`A${"\u0301".repeat(200)}B`)).toBe("A\u0301\u0301B");
});
