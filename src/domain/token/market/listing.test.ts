import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { broughtToken, readMovers, readNewPools } from "./listing.ts";

const network = "demo";
const BLOCK_S = 600;
const BLOCKS = 300;
const T0 = hourOf(1_700_000_000);
/** The newest block is in the middle of an hour: prices end with the hour before it. */
const END = T0 + (BLOCKS - 4) * BLOCK_S;
const NEWEST = hourOf(END) - HOUR_S;
const DAY = 24 * HOUR_S;

const [UP, DOWN, THIN, NEW, STALE, COIN, FACTORY] = [1, 2, 3, 4, 5, 6, 7].map((number) => testAddress(number)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

const priceRow = (token: Uint8Array, hour: number, price_usd: number, more: object = {}) => ({
  ...{ network, token, hour, price_usd, volume_usd: 100, depth_usd: 5_000, cost_to_move_usd: 500 },
  ...{ sell_reserve: 1_000, sell_payout_usd: 1_000, method: "market", confidence: "high" as const, version: 1 },
  ...more,
});

const poolRow = (number: number, block: number, venue: string) => ({
  ...{ network, block_number: block, tx_index: 0, log_index: number, time: T0 + block * BLOCK_S },
  ...{ tx_hash: testAddress(block), pool: testAddress(0xa00 + number), family: "uniswap_v2", venue, factory: FACTORY },
  ...{ creator: FACTORY, token0: COIN, token1: testAddress(number), fee_ppm: 3_000, tick_spacing: 0, hooks: "" },
});

let store: TestFacts;
let scope: SnapshotContext;
beforeAll(async () => {
  store = await openTestFacts();
  const pools = [poolRow(1, 50, "uni"), poolRow(2, 290, "uni"), poolRow(3, 291, ""), poolRow(4, 292, "sushi")];
  await store.seed({ network, from: 0, to: BLOCKS - 4, time: T0, block_s: BLOCK_S }, { pools });
  await store.writer.insert("prices", [
    // 2 to 3 USD with a smaller confidence before: +50 %. An hour between counts as volume only.
    priceRow(UP, NEWEST - DAY, 2, { confidence: "low" }),
    priceRow(UP, NEWEST - 5 * HOUR_S, 9, { volume_usd: 40 }),
    priceRow(UP, NEWEST, 3),
    priceRow(DOWN, NEWEST - DAY, 4),
    priceRow(DOWN, NEWEST, 1),
    priceRow(THIN, NEWEST - DAY, 1, { depth_usd: 9_000 }),
    priceRow(THIN, NEWEST, 100, { depth_usd: 900 }),
    // No price a day ago; no price now.
    priceRow(NEW, NEWEST, 5),
    priceRow(STALE, NEWEST - DAY, 5),
    // A dollar coin is no mover.
    priceRow(COIN, NEWEST - DAY, 1, { method: "anchor" }),
    priceRow(COIN, NEWEST, 1.2, { method: "anchor" }),
  ]);
  const chain = fixedChain({ blocks: [], network: { id: network, wrapped_native: toHex(COIN) } });
  const snapshot = await store.facts.snapshot(network, null);
  scope = { facts: store.facts, chain, snapshot, signal: new AbortController().signal };
});
afterAll(() => store.close());

const page = { window_s: DAY, limit: 10, offset: 0 };

test("movers are tokens with a market price at both ends of the window, the largest change first", async () => {
  const query = { ...page, are_gainers: true, depth_usd_min: 1_000 };
  expect(await readMovers(scope, query)).toEqual({
    rows: [
      {
        ...{ token: toHex(UP), hour: NEWEST, price_usd: 3, before_usd: 2, depth_usd: 5_000 },
        // The hours after the earlier one: 40 and 100 USD.
        ...{ volume_usd: 140, confidence: "low" },
      },
      {
        ...{ token: toHex(DOWN), hour: NEWEST, price_usd: 1, before_usd: 4, depth_usd: 5_000 },
        ...{ volume_usd: 100, confidence: "high" },
      },
    ],
    has_more: false,
  });
});

test("losers come first when asked for, a lower minimum of depth shows thin tokens, and pages join", async () => {
  const tokens = async (more: object): Promise<readonly Hex[]> =>
    (await readMovers(scope, { ...page, are_gainers: true, depth_usd_min: 0, ...more })).rows.map(({ token }) => token);
  expect(await tokens({ are_gainers: false, depth_usd_min: 1_000 })).toEqual([toHex(DOWN), toHex(UP)]);
  expect(await tokens({})).toEqual([toHex(THIN), toHex(UP), toHex(DOWN)]);
  expect(await tokens({ limit: 2 })).toEqual([toHex(THIN), toHex(UP)]);
  expect(await tokens({ limit: 2, offset: 2 })).toEqual([toHex(DOWN)]);
  const first = await readMovers(scope, { ...page, limit: 2, are_gainers: true, depth_usd_min: 0 });
  expect(first.has_more).toBe(true);
});

test("new pools are those that known factories announced in the window, the newest first", async () => {
  const { rows, has_more } = await readNewPools(scope, page);
  expect(rows.map(({ pool, venue, block_number }) => [pool, venue, block_number])).toEqual([
    [toHex(testAddress(0xa04)), "sushi", 292],
    [toHex(testAddress(0xa02)), "uni", 290],
  ]);
  expect(has_more).toBe(false);
  expect(rows.map((row) => broughtToken(scope, row))).toEqual([toHex(testAddress(4)), toHex(testAddress(2))]);
});

test("a pool of a dollar coin and the wrapped coin brings no token", () => {
  expect(broughtToken(scope, { token0: toHex(COIN), token1: toHex(COIN) })).toBeNull();
});
