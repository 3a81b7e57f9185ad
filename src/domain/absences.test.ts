import { expect, test } from "vitest";
import { narrowedBy, networkWords, pageOr, windowWords } from "./absences.ts";

test("networks are named up to four, then counted", () => {
  expect(networkWords(["demo"])).toBe("demo");
  expect(networkWords(["demo", "demo-solana", "demo-tron"])).toBe("demo, demo-solana and demo-tron");
  expect(networkWords(["a", "b", "c", "d", "e"])).toBe("5 networks");
});

test("only inputs that narrow the search are listed", () => {
  expect(narrowedBy({ direction: "all", min_usd: 0, include_spam: false, token_address: undefined })).toBe("");
  expect(narrowedBy({ direction: "in", min_usd: 5 })).toBe(" with direction=in and min_usd=5");
});

test("a window is described by the ends that it has", () => {
  expect(windowWords({ from: "2026-01-01", to: "2026-01-31" })).toBe(" from 2026-01-01 to 2026-01-31");
  expect(windowWords({ from: null, to: "2026-01-31" })).toBe(" up to 2026-01-31");
  expect(windowWords({ from: "2026-01-01", to: null })).toBe(" since 2026-01-01");
  expect(windowWords({ from: "", to: "" })).toBe("");
});

test("explains a page after the last one, but not the first page", () => {
  expect(pageOr("Nothing.", { page: 1, is_empty: false })).toBe("Nothing.");
  expect(pageOr("Nothing.", { page: 9, is_empty: true })).toBe("Nothing.");
  expect(pageOr("Nothing.", { page: 9, is_empty: false })).toContain("Page 9");
});
