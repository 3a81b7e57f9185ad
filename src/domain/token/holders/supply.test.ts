import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { DEPTH_RATIO_MAX, marketValueOf, type Supply } from "./supply.ts";

/** A million coins of 2 decimals. */
const SUPPLY: Supply = {
  ...{ token: hex("aa".repeat(20)), decimals: 2, total_supply: 100_000_000n, burned: 0n },
  ...{ circulating: 100_000_000n, reason: null },
};
const LIMITED = { price_usd: 3, sells: { reserve: 500, payout_max_usd: 1_500 } };

test("a market value needs pools that could pay a thousandth of it", () => {
  expect(DEPTH_RATIO_MAX).toBe(1_000);
  // 3,000,000 USD over 3,000 USD of liquidity is 1,000; over 2,999 it is more.
  expect(marketValueOf(SUPPLY, LIMITED, 3_000)).toEqual({
    ...{ market_cap_usd: 3_000_000, unrealizable_market_cap_usd: null, depth_ratio: 1_000, gap: null },
  });
  expect(marketValueOf(SUPPLY, LIMITED, 2_999)).toEqual({
    ...{ market_cap_usd: null, unrealizable_market_cap_usd: 3_000_000, gap: "liquidity_too_thin" },
    depth_ratio: 3_000_000 / 2_999,
  });
});

test("pools without liquidity back nothing, and unknown liquidity proves nothing", () => {
  expect(marketValueOf(SUPPLY, LIMITED, 0)).toMatchObject({ market_cap_usd: null, depth_ratio: null });
  expect(marketValueOf(SUPPLY, LIMITED, null)).toMatchObject({ market_cap_usd: 3_000_000, depth_ratio: null });
});

test("a price that is not limited needs no pools", () => {
  const pegged = { price_usd: 1, sells: null };
  expect(marketValueOf(SUPPLY, pegged, 10)).toMatchObject({ market_cap_usd: 1_000_000, depth_ratio: 100_000 });
});

test("a missing part is the reason", () => {
  expect(marketValueOf(SUPPLY, null, 10).gap).toBe("the token has no price");
  expect(marketValueOf({ ...SUPPLY, decimals: null }, LIMITED, 10).gap).toBe("the token's decimals are unknown");
  expect(marketValueOf({ ...SUPPLY, circulating: null, reason: "told" }, LIMITED, 10).gap).toBe("told");
});
