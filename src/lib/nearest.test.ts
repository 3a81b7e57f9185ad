import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test("a field with the right ending names the known field", () => {
  expect(nearest("wallet_address", ["address", "network", "page"])).toBe("address");
});
test("a typo of one letter or a swap is found", () => {
  expect(nearest("netwrok", ["address", "network", "page"])).toBe("network");
  expect(nearest("pge", ["address", "network", "page"])).toBe("page");
});
test("a word that is near nothing names nothing", () => {
  expect(nearest("zebra", ["address", "network", "page"])).toBeNull();
});
