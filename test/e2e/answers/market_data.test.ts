import { beforeAll, describe, expect, test } from "vitest";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, swapOf, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
let end: number;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
  const { as_of } = (await read("price", { token: "native" })).body;
  end = Date.parse(as_of.time) / 1000;
});

const HOUR_S = 3_600;
const iso = (time: number): string => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;

// biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes, each asserted where it is read.
type AnyBody = any;

const read = async (what: string, query: Record<string, string>) => {
  const text = new URLSearchParams({ network: "demo", ...query });
  const response = await fetch(`${stage.service.url}/api/market/${what}?${text}`, {
    headers: { authorization: `Bearer ${stage.key}` },
  });
  return {
    status: response.status,
    charged: response.headers.get("x-credits-charged"),
    body: (await response.json()) as AnyBody,
  };
};

describe("a price", () => {
  test("is that of the hour, by the pools' own states, and free", async () => {
    for (const back of [1, 24, 24 * 20]) {
      const time = end - back * HOUR_S;
      const expected = await truth.etherUsd(time);
      const { body, charged } = await read("price", { token: "native", at: iso(time) });
      expect(charged).toBe("0");
      expect(body).toMatchObject({ token: "native", hour: iso(time - (time % HOUR_S)), reason: null });
      expect(body.price_usd / (expected ?? Number.NaN)).toBeCloseTo(1, 6);
    }
  });

  test("is null with a reason where there is none", async () => {
    const none = await read("price", { token: truth.addressOf("copper") });
    expect(none.body).toMatchObject({
      price_usd: null,
      method: null,
      reason: expect.stringContaining("No verified pool"),
    });
    const later = await read("price", { token: "native", at: "2100-01-01" });
    expect(later.body).toMatchObject({ price_usd: null, reason: expect.stringContaining("after the newest") });
  });
});

/** Every trade of a pair, from the logs of the chain. */
const swapsOf = (pool: string) =>
  truth.sent.flatMap(({ hash, time, from, logs }) =>
    logs
      .filter(({ address }) => address.toLowerCase() === truth.addressOf(pool).toLowerCase())
      .flatMap((log) => {
        const amounts = swapOf(log);
        return amounts === null ? [] : [{ hash, time, from, amounts }];
      }),
  );

const pages = async (query: Record<string, string>) => {
  const trades = [];
  for (let before: string | null = ""; before !== null; ) {
    const { body } = await read("trades", { ...query, limit: "7", ...(before === "" ? {} : { before }) });
    trades.push(...body.trades);
    before = body.next;
  }
  return trades;
};

describe("trades", () => {
  test("of a token are those of the chain, the newest first, each on one page", async () => {
    const trades = await pages({ token: truth.addressOf("harbor") });
    const swaps = swapsOf("pair_harbor_weth");
    expect(swaps.length).toBeGreaterThan(7);
    const expected = [...new Set(swaps.map(({ hash }) => hash))].reverse();
    expect(trades.map(({ tx_hash }) => tx_hash)).toEqual(expected);
    const is_first = truth.addressOf("harbor").toLowerCase() < truth.addressOf("weth").toLowerCase();
    for (const { tx_hash, sold, bought, pool } of trades) {
      const own = swaps.filter(({ hash }) => hash === tx_hash);
      if (own.length > 1) continue;
      const [swap] = own;
      const [harbor, weth] = is_first ? (swap?.amounts ?? []) : [...(swap?.amounts ?? [])].reverse();
      const sides = new Map([sold, bought].map((side) => [side.symbol, side.amount_raw]));
      expect([sides.get("HRBR") ?? sides.get(sold.symbol), pool]).toEqual([
        expect.stringMatching(/^\d+$/),
        truth.addressOf("pair_harbor_weth"),
      ]);
      expect(new Set([sold.amount_raw, bought.amount_raw])).toEqual(new Set([String(harbor), String(weth)]));
    }
  });

  test("of a wallet are those that it made itself", async () => {
    const wallet = truth.addressOf("alice");
    const trades = await pages({ wallet });
    for (const { trader } of trades) expect(trader).toBe(wallet);
    const of_pairs = ["pair_harbor_weth", "pool_v3_juniper_usdc", "pair_weth_usdc"].flatMap(swapsOf);
    const own = of_pairs.filter(({ from }) => from.toLowerCase() === wallet.toLowerCase()).map(({ hash }) => hash);
    const found = new Set(trades.map(({ tx_hash }) => tx_hash));
    expect(own.filter((hash) => !found.has(hash))).toEqual([]);
  });
});

describe("candles", () => {
  test("join, and contain the prices of their hours and the trades of the chain", async () => {
    const from = iso(end - 30 * 86_400).slice(0, 10);
    const token = truth.addressOf("harbor");
    const { body } = await read("candles", { token, from, interval: "1d" });
    expect(body.candles).toHaveLength(31);
    const swaps = new Set(
      swapsOf("pair_harbor_weth")
        .filter(({ time }) => iso(time) >= from)
        .map(({ hash }) => hash),
    );
    const trades = body.candles.reduce((sum: number, one: { trades: number }) => sum + one.trades, 0);
    expect(trades).toBe(swaps.size);
    for (const { open_usd, high_usd, low_usd, close_usd } of body.candles) {
      if (open_usd === null) continue;
      expect(high_usd).toBeGreaterThanOrEqual(Math.max(open_usd, close_usd));
      expect(low_usd).toBeLessThanOrEqual(Math.min(open_usd, close_usd));
    }
    const priced = body.candles.findLast((one: { close_usd: number | null }) => one.close_usd !== null);
    const last = Math.min(Date.parse(priced.to) / 1000 - 1, end);
    const at_end = await read("price", { token, at: iso(last) });
    if (at_end.body.price_usd !== null) expect(priced.close_usd).toBe(at_end.body.price_usd);
    // By hand: hours of a day make the day's candle.
    const day = body.candles.at(-2);
    const { body: hours } = await read("candles", {
      token,
      from: day.from,
      to: iso(Date.parse(day.to) / 1000 - 1),
      interval: "1h",
    });
    const highs = hours.candles.flatMap((one: { high_usd: number | null }) => one.high_usd ?? []);
    expect(hours.candles).toHaveLength(24);
    expect(day.high_usd).toBe(highs.length === 0 ? null : Math.max(...highs));
  });

  test("before the chain and after the newest block have no price, and no trades are claimed after it", async () => {
    const { body } = await read("candles", { token: "native", from: "2100-01-01", to: "2100-01-02" });
    const [first] = body.candles;
    expect(first).toMatchObject({ open_usd: null, close_usd: null, trades: null, volume_usd: null });
    expect(body.as_of.block_hash).toMatch(/^0x[0-9a-f]{64}$/);
    const early = await read("candles", { token: "native", from: "1999-01-01", to: "1999-01-02" });
    // The demo is indexed from its first block: there was nothing before.
    expect(early.body.candles[0]).toMatchObject({ close_usd: null, trades: 0, volume_usd: 0 });
  });

  test("weeks begin on a Monday", async () => {
    const { body } = await read("candles", { token: "native", from: iso(end - 20 * 86_400), interval: "1w" });
    for (const { from } of body.candles) expect(new Date(from).getUTCDay()).toBe(1);
  });
});

test("wrong questions are refused", async () => {
  const token = truth.addressOf("harbor");
  for (const [what, query] of [
    ["price", { token: "0x12" }],
    ["price", { token, at: "yesterday" }],
    ["price", { token, network: "nowhere" }],
    ["candles", { token, from: "2026-02-30" }],
    ["candles", { token, from: "2020-01-01", interval: "1h" }],
    ["candles", { token, from: "2026-01-01", interval: "2h" }],
    ["candles", { token, from: "2099-01-01" }],
    ["trades", {}],
    ["trades", { token, wallet: token }],
    ["trades", { token, before: "1.2" }],
    ["trades", { token, limit: "201" }],
  ] as const)
    expect([what, query, (await read(what, query)).status]).toEqual([what, query, 422]);
});
