import { describe, expect, test } from "vitest";
import { elements, texts } from "../../../test/drawn_charts.ts";
import { chartOf, type SvgNode } from "../index.ts";
import { lorenz } from "./holders.ts";
import { stepsOf } from "./wallet_risk.ts";

// Figures worked out by hand; every picture is 720 wide, its margin is 12.
const draw = (tool: string, answer: object): SvgNode => {
  const chart = chartOf(tool, answer);
  if (chart === null) throw new Error(`no picture of ${tool}`);
  return chart;
};

const painted = (chart: SvgNode, colour: string, tag = "rect"): readonly SvgNode[] =>
  elements(chart, tag).filter(({ attrs }) => attrs.class === `ac-fill-${colour}`);

const hatched = (chart: SvgNode): number =>
  elements(chart, "rect").filter(({ attrs }) => String(attrs.fill).startsWith("url(#")).length;

describe("holdings", () => {
  const holding = (symbol: string, usd_value: number | null) => ({ symbol, usd_value });
  const answer = (...holdings: readonly object[]) => ({ holdings, summary: { total_value_usd: 400 } });

  test("areas are as the values are", () => {
    const chart = draw("get_wallet_token_holdings", answer(holding("A", 300), holding("B", 100)));
    const [a, b] = painted(chart, "up-soft").filter(({ attrs }) => Number(attrs.height) > 12);
    // 696 pixels and a gap of 2 shared as 3 to 1 are 523.5 and 174.5, each with its gap.
    expect([a?.attrs.width, b?.attrs.width]).toEqual([521.5, 172.5]);
    expect(texts(chart)).toContain("$300 · 75 %");
  });

  test("what has no price is beside them, hatched, under its own name", () => {
    const chart = draw("get_wallet_token_holdings", answer(holding("A", 300), holding("X", null)));
    // The strip, and the sign in the legend.
    expect(hatched(chart)).toBe(2);
    expect(texts(chart)).toContain("X");
    expect(texts(chart)).toContain("$400 in 1 priced row, 1 row without a price");
  });

  test("what is held beyond the listed rows is one tile", () => {
    const held = { ...answer(holding("A", 300)), summary: { holdings_value_usd: 400, total_value_usd: 400 } };
    expect(texts(draw("get_wallet_token_holdings", held))).toEqual(
      expect.arrayContaining(["not listed", "$100 · 25 %"]),
    );
  });
});

test("transactions of one stretch are one bar: in goes up, out goes down, no price is a stub", () => {
  const move = (day: number, direction: string, usd_value: number | null) => ({
    ...{ direction, usd_value, timestamp: `2026-10-${day}T00:00:00Z`, token: "ETH", amount: 1 },
  });
  const data = [move(10, "in", 100), move(10, "in", 100), move(20, "out", 50), move(20, "out", null)];
  const chart = draw("get_wallet_transactions", { data, summary: { total_in_usd: 200, total_out_usd: 50 } });
  const [up, down] = [painted(chart, "up"), painted(chart, "down")];
  // 96 pixels a side, 9 of them for stubs: 200 USD are 87, 50 USD 21.75. Zero is at 48 + 96.
  expect([up[0]?.attrs.y, up[0]?.attrs.height]).toEqual([57, 87]);
  expect([down[0]?.attrs.y, down[0]?.attrs.height]).toEqual([144, 21.75]);
  expect(hatched(chart)).toBe(2);
});

test("draws a square of the week in the size of its count, and none for zero", () => {
  const week = Array.from({ length: 168 }, () => 0);
  week[9] = 4; // Monday, 9
  week[24 + 9] = 1; // Tuesday, 9
  const hours = week.slice(0, 24).map((count, hour) => count + (week[24 + hour] ?? 0));
  const cadence = { hour_of_day_utc: hours, day_of_week: [4, 1, 0, 0, 0, 0, 0], hour_of_week_utc: week };
  const chart = draw("get_wallet_transaction_patterns", { cadence });
  const sides = painted(chart, "up").map(({ attrs }) => attrs.width);
  // 24 pixels a row, 4 of them free: 20, and half of that for a quarter of the count.
  expect(sides).toEqual([20, 10]);
  expect(texts(chart)).toContain("5 own transactions, most at 09:00 (5) and on Mondays (4)");
});

test("rivers are as wide as what flows, and who is not known is named beside them", () => {
  const peer = (label: string, volume_in_usd: number | null, volume_out_usd: number | null) => ({
    ...{ peer: { label, address: "0x1" }, volume_in_usd, volume_out_usd },
  });
  const data = [peer("A", 300, 0), peer("B", 100, 400), peer("C", null, null)];
  const chart = draw("get_wallet_counterparties", { data, summary: { total_in_usd: 400, total_out_usd: 400 } });
  const widths = elements(chart, "path")
    .filter(({ attrs }) => attrs["stroke-opacity"] === 0.45)
    .map(({ attrs }) => Number(attrs["stroke-width"]));
  // In: A and B as 3 to 1; out: B alone as both.
  expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(3, 1);
  expect(widths[2]).toBeCloseTo((widths[0] ?? 0) + (widths[1] ?? 0), 1);
  expect(texts(chart)).toEqual(expect.arrayContaining(["→ $300", "→ $100", "→ $400", "not known: C"]));
});

describe("the spread of a token", () => {
  test("orders holders from the smallest", () => {
    // Of three: 60, 30, 10 of 100.
    expect(lorenz({ shares: [60, 30, 10], count: 3 })).toEqual([
      [0, 0],
      [expect.closeTo(1 / 3, 10), expect.closeTo(0.1, 10)],
      [expect.closeTo(2 / 3, 10), expect.closeTo(0.4, 10)],
      [1, 1],
    ]);
  });

  test("ends where the listed holders end, and what is not listed is hatched", () => {
    // The two largest of four have 80 of 100.
    expect(lorenz({ shares: [50, 30], count: 4 })[0]).toEqual([0.5, expect.closeTo(0.2, 10)]);
    const holders = [
      { address: "0x1", ownership_percentage: 50 },
      { address: "0x2", ownership_percentage: 30 },
    ];
    const chart = draw("get_token_holders_traders", { holders, concentration: { holders_ranked: 4 } });
    expect(elements(chart, "path").filter(({ attrs }) => String(attrs.fill).startsWith("url(#"))).toHaveLength(1);
    expect(texts(chart)).toContain("2 of 4 listed");
  });
});

describe("the risk of a wallet", () => {
  test("adds up: each finding takes its part of the remainder, and the last row is rounding", () => {
    // 40 of 100; then half of the other 60 is 30; 1 - 0.6 * 0.5 = 0.7.
    expect(
      stepsOf(
        [
          { name: "a", alone: 40 },
          { name: "b", alone: 50 },
        ],
        70,
        "rule",
      ),
    ).toEqual([
      { name: "a", from: 0, to: 40 },
      { name: "b", from: 40, to: 70 },
    ]);
    expect(stepsOf([{ name: "a", alone: 23.7 }], 24, "rule").at(-1)).toEqual({ name: "rounding", from: 23.7, to: 24 });
  });

  test("names the rule that had the last word", () => {
    const listed = {
      risk_score: 100,
      risk_level: "severe",
      is_sanctioned: true,
      top_reasons: [{ code: "mixer", weight: 20 }],
    };
    expect(texts(draw("get_wallet_risk_score", listed))).toEqual(expect.arrayContaining(["sanctions list", "+80.0"]));
    const capped = {
      risk_score: 30,
      risk_level: "low",
      service_address: true,
      top_reasons: [{ code: "mixer", weight: 75 }],
    };
    expect(texts(draw("get_wallet_risk_score", capped))).toEqual(
      expect.arrayContaining(["a service: capped", "\u221245.0"]),
    );
  });

  test("without a score is hatched, and no zero", () => {
    const chart = draw("get_wallet_risk_score", { risk_score: null, risk_level: "unknown", top_reasons: [] });
    expect(hatched(chart)).toBe(1);
    expect(texts(chart)).toContain("unknown");
  });
});

test("a coin is clear only where its check ran, and frozen even where it did not", () => {
  const result = (stablecoin: string, is_blacklisted: boolean | null, status: string) => ({
    ...{ stablecoin, network: "ethereum", is_blacklisted, status },
  });
  const results = [
    result("A", false, "ok"),
    result("B", null, "failed"),
    result("C", true, "failed"),
    result("D", false, "failed"),
  ];
  const chart = draw("is_address_blacklisted_by_stablecoin", { is_blacklisted: true, results });
  expect(texts(chart)).toContain("Frozen; 1 clear, 1 frozen, 2 unknown");
  // The two that are unknown, and the sign in the legend.
  expect(hatched(chart)).toBe(3);
});

test("a candle is hollow when it rose and full when it fell, and a stretch without a price is hatched", () => {
  const candle = (hour: number, open_usd: number | null, close_usd: number | null) => ({
    ...{ from: `2026-10-01T0${hour}:00:00Z`, to: `2026-10-01T0${hour + 1}:00:00Z` },
    ...{ open_usd, close_usd, high_usd: open_usd === null ? null : 20, low_usd: open_usd === null ? null : 10 },
  });
  const candles = [candle(0, 10, 20), candle(1, 20, 15), candle(2, null, null)];
  const chart = draw("get_token_market_analysis", { token: { symbol: "T" }, timeframe: "6h", price: { candles } });
  // 190 pixels for 9.4 to 20.6 (6 % of 10 on both sides): 10 USD are 169.64, 5 USD 84.82.
  const heights = elements(chart, "rect").filter(
    ({ attrs }) => attrs.class === "ac-stroke-up" || attrs.class === "ac-stroke-down",
  );
  expect(heights.map(({ attrs }) => [attrs.class, attrs.height])).toEqual([
    ["ac-stroke-up", 169.64],
    ["ac-stroke-down", 84.82],
  ]);
  expect(painted(chart, "paper").map(({ attrs }) => attrs.height)).toEqual([169.64]);
  // The stretch, and the sign in the legend.
  expect(hatched(chart)).toBe(2);
});

test("a life is as long as it lasted", () => {
  const token = (symbol: string, day: string, outcome: string, lifetime_days: number | null) => ({
    ...{ symbol, created_at: `2026-10-${day}T00:00:00Z`, outcome, lifetime_days, peak_liquidity_usd: 5 },
  });
  const tokens = [token("A", "01", "alive", 20), token("B", "11", "rugged", 5)];
  const chart = draw("analyze_token_developer", {
    ...{ history: { tokens_launched: 2, rugged: 1, dead: 0, alive: 1, too_new: 0, tokens } },
    metadata: { as_of: { timestamp: "2026-10-21T00:00:00Z" } },
  });
  // 20 days over the pixels from 116 to 458: 342 for A, 5 days for B from the half on.
  const bars = ["up", "down"].map((colour) => painted(chart, colour)[0]?.attrs);
  expect(bars.map((bar) => [bar?.x, bar?.width])).toEqual([
    [116, 342],
    [287, 85.5],
  ]);
  expect(texts(chart)).toContain("✕ rugged · peak liquidity $5");
});

test("balance changes go to both sides, calls are set in below their caller", () => {
  const change = (address: string, amount: number, usd_value: number | null) => ({
    address,
    symbol: "ETH",
    amount,
    usd_value,
  });
  const call = (depth: number, method: string, succeeded = true) => ({
    depth,
    kind: "call",
    to: "0xabc",
    method,
    succeeded,
  });
  const chart = draw("analyze_transaction", {
    ...{ status: "success", category: "swap", to: { address: "0xrouter" }, method: { name: "go" } },
    asset_changes: [change("0xa", -1, -100), change("0xb", 1, 50), change("0xc", 1, null)],
    internal_calls: [call(1, "first"), call(2, "inner", false)],
  });
  // Bars reach from 192 to 478, zero at 335; 100 USD are 143 - 6, 50 USD half of that.
  const [down, up] = [painted(chart, "down")[0]?.attrs, painted(chart, "up")[0]?.attrs];
  expect([down?.x, down?.width, up?.x, up?.width]).toEqual([198, 137, 335, 68.5]);
  const at = (text: string) => elements(chart, "text").find(({ children }) => children[0] === text)?.attrs.x;
  // 12 + depth * 20 + 78 for the kind of call + 10.
  expect([at("0xrouter.go"), at("0xabc.first"), at("✕ reverted: 0xabc.inner")]).toEqual([100, 120, 140]);
  expect(texts(chart)).toContain("+1 ETH · no price");
});

test("a day without a figure is a gap in the area, and hatched", () => {
  const day = (date: string, inflow_amount: number | null, outflow_amount: number | null) => ({
    ...{ date: `2026-10-${date}`, inflow_amount, outflow_amount, price_usd: 1 },
  });
  const data = [day("01", 100, 0), day("02", null, null), day("03", 0, 50)];
  const chart = draw("get_token_flows", { data, segment: { name: "whale" }, summary: { net_flow_amount: 50 } });
  expect(hatched(chart)).toBe(2);
  // Two runs, each an area above and one below.
  expect([...painted(chart, "up", "path"), ...painted(chart, "down", "path")]).toHaveLength(4);
  expect(texts(chart).find((text) => text.startsWith("Segment whale"))).toContain("net +50 tokens");
});
