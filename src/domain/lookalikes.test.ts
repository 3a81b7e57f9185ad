import fc from "fast-check";
import { expect, test } from "vitest";
import { skeletonOf } from "./lookalikes.ts";

test("a text of ASCII is read as any other one", () => {
  // An accent on its end is taken off again; with it the text is none of ASCII any more.
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
