import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { pegWarnings } from "./peg_warnings.ts";

const [USDX, EURX, OTHER] = [hex("01"), hex("02"), hex("03")];
const network = {
  id: "demo",
  stablecoins: [
    { symbol: "USDX", address: USDX, peg: "USD" as const },
    { symbol: "EURX", address: EURX, peg: "EUR" as const },
  ],
};
const warned = (price_usd: number | null, token = USDX) => pegWarnings(network, [{ token, price_usd }]);

test("reports a dollar coin over 1 % away from a dollar, in either direction", () => {
  expect(warned(0.97)).toEqual([
    {
      code: "OFF_PEG",
      message: "USDX on demo traded 3.0 % below its peg of 1 USD over the hour; values use its market price.",
    },
  ]);
  expect(warned(1.052)[0]?.message).toContain("5.2 % above");
  expect([1, 0.9901, 1.0099, null].flatMap((price) => warned(price))).toEqual([]);
});

test("knows no peg of other coins and tokens", () => {
  expect([EURX, OTHER].flatMap((token) => warned(1.2, token))).toEqual([]);
});
