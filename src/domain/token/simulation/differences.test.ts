import { describe, expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { differencesOf, isAmbiguous, patternOf } from "./differences.ts";
import type { SimulatedStep } from "./simulator_calls.ts";
import type { SimulatedTrade } from "./trades.ts";

const step = (done: boolean, percent = 0): SimulatedStep => ({
  ...{ done, given: 100n, arrived: BigInt(100 - percent), gas_used: 1, failure: done ? null : "no" },
});
/** `1` a sale, `0` a failure; eight near sales. */
const near = (text: string): SimulatedStep[] => [...text].map((one) => step(one === "1"));
const trade = (text: string, late = true, more: Partial<SimulatedTrade> = {}): SimulatedTrade => ({
  market: {
    ...{ pool: hex("01"), family: "uniswap_v2", token: hex("02"), quote: hex("03"), fee_ppm: 3_000, payee: hex("01") },
    ...{ key: null, depth_raw: 1_000n, depth_usd: 1_000 },
  },
  amount: 1n,
  purchase: step(true),
  move: step(true),
  near_sales: near(text),
  late_sale: step(late),
  last_sale: step(late),
  late_purchase: null,
  ...more,
});
const STEADY = trade("11111111");
const compared = (trades: readonly SimulatedTrade[], more = {}) =>
  differencesOf({ trades, shifted: null, outside: STEADY, far_sale: step(true), paid_sale: null, ...more });

describe("sales in a row of blocks", () => {
  test.each([
    ["11111111", true, "steady"],
    ["00000000", false, "none"],
    // A wait of three blocks, and one longer than eight.
    ["00011111", true, "wait"],
    ["00000000", true, "wait"],
    ["10000000", false, "once"],
  ] as const)("%s, then %s, is %s", (text, late, pattern) => {
    expect(patternOf(trade(text, late), null)).toBe(pattern);
  });

  test("are decided by the block when a later purchase changes nothing, and by a wait when it does", () => {
    // Blocks 2 to 9 after the purchase in block 1; the other purchase is in block 2. Sales work in blocks 5 alone.
    const by_block = trade("00010000", false);
    expect(isAmbiguous(by_block)).toBe(true);
    expect(patternOf(by_block, trade("00100000", false))).toBe("some_blocks");
    // The sale works three blocks after the purchase, whatever the block.
    expect(patternOf(by_block, trade("00010000", false))).toBe("wait");
  });
});

describe("two ways of the same trade", () => {
  test("do not differ for a token that always sells", () => {
    expect(compared([STEADY, STEADY])).toEqual([]);
  });

  test("differ where the router alone is refused", () => {
    const refused = trade("00000000", false);
    expect(compared([refused, refused])).toContain("sells_only_outside_router");
    expect(compared([refused, refused], { outside: refused })).not.toContain("sells_only_outside_router");
  });

  test("differ where small amounts alone can be sold, where sales stop, and where they begin late", () => {
    const refused = trade("00000000", false);
    expect(compared([STEADY, refused])).toEqual(["sells_only_small"]);
    expect(compared([STEADY], { far_sale: step(false) })).toEqual(["stops_selling_later"]);
    expect(compared([trade("11111111", false)])).toEqual(["stops_selling_later"]);
    expect(compared([refused], { outside: null })).toEqual(["sells_only_later"]);
  });

  test("that fail where a base fee is paid are a trap; a wait is no trap", () => {
    expect(compared([STEADY], { paid_sale: step(false) })).toEqual(["sells_only_without_fee"]);
    expect(compared([STEADY], { paid_sale: step(true, 95) })).toEqual(["sells_only_without_fee"]);
    expect(compared([STEADY], { paid_sale: step(true) })).toEqual([]);
    // The sale of that block fails without a base fee too.
    expect(compared([trade("00011111")], { paid_sale: step(false) })).toEqual([]);
  });

  test("differ where a larger sale is taxed more: 10 % and 40 %", () => {
    const taxed = (percent: number): SimulatedTrade =>
      trade("", true, {
        near_sales: [step(true, percent)],
        late_sale: step(true, percent),
        last_sale: step(true, percent),
      });
    expect(compared([taxed(10), taxed(40)])).toEqual(["tax_grows_with_amount"]);
    expect(compared([taxed(10), taxed(11)])).toEqual([]);
  });

  test("name a token that every wallet sells once", () => {
    const once = trade("10000000", false);
    expect(compared([once, once])).toEqual(["one_sale_per_wallet"]);
  });
});
