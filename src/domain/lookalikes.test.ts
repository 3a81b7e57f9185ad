import fc from "fast-check";
import { expect, test } from "vitest";
import { skeletonOf } from "./lookalikes.ts";

test("a text of ASCII is read as any other one", () => {
  // An accent at its end is removed again, but makes the text non-ASCII.
  const ascii = fc.string({ unit: "binary-ascii" });
  fc.assert(
    fc.property(ascii, (text) => {
      expect(skeletonOf(text)).toBe(skeletonOf(`${text}\u0301`));
    }),
  );
});

test("letters of other scripts, full width and accents are read as what they look like", () => {
  expect(skeletonOf("USDС")).toBe("usdc"); // Cyrillic С
  expect(skeletonOf("Ｗeb")).toBe("web");
  expect(skeletonOf("Crédit")).toBe("credit");
});
