import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test("finds the field with the same ending", () => {
  expect(nearest("wallet_address", ["address", "network", "page"])).toBe("address");
});
test("finds a word with one wrong or two swapped letters", () => {
  expect(nearest("netwrok", ["address", "network", "page"])).toBe("network");
  expect(nearest("pge", ["address", "network", "page"])).toBe("page");
});
test("finds nothing for a distant word", () => {
  expect(nearest("zebra", ["address", "network", "page"])).toBeNull();
});
