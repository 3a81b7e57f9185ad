import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { toHex } from "../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../lib/time.ts";
import { marketMovers, marketNewPools } from "./market_lists.ts";

const network = "demo";
const T0 = hourOf(1_700_000_000);
const LAST = 150;
const BLOCK_S = 3_600;
const NEWEST = T0 + (LAST - 1) * BLOCK_S;
const [TOKEN, COIN, FACTORY] = [1, 2, 3].map((number) => testAddress(number)) as [Uint8Array, Uint8Array, Uint8Array];
const address = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`;

const price = (hour: number, price_usd: number) => ({
  ...{ network, token: TOKEN, hour, price_usd, volume_usd: 10, depth_usd: 2_000, cost_to_move_usd: 500 },
  ...{ sell_reserve: 1_000, sell_payout_usd: 1_000, method: "market", confidence: "medium" as const, version: 1 },
});

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const pool = {
    ...{ network, block_number: 140, tx_index: 0, log_index: 3, time: T0 + 140 * BLOCK_S, tx_hash: testAddress(9) },
    ...{ pool: testAddress(0x900), family: "uniswap_v2", venue: "uni", factory: FACTORY, creator: FACTORY },
    ...{ token0: COIN, token1: TOKEN, fee_ppm: 3_000, tick_spacing: 0, hooks: "" },
  };
  await store.seed({ network, from: 0, to: LAST, time: T0, block_s: BLOCK_S }, { pools: [pool] });
  await store.writer.insert("prices", [price(NEWEST - 24 * HOUR_S, 4), price(NEWEST, 5)]);
});
afterAll(() => store.close());

/** No contract answers: every trait is unknown. */
const state: FixedState = { network: { id: network, wrapped_native: toHex(COIN), stablecoins: [] } };
const context = () => callContext({ facts: store.facts, chain: () => fixedChain(state) });

/** The answer, which has the tool's shape. */
const movers = async (asked: Partial<z.input<typeof marketMovers.input>> = {}) => {
  const outcome = await runTool(marketMovers, { network, ...asked }, context());
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return marketMovers.output.parse(outcome.data);
};

const newPools = async (asked: Partial<z.input<typeof marketNewPools.input>> = {}) => {
  const outcome = await runTool(marketNewPools, { network, ...asked }, context());
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return marketNewPools.output.parse(outcome.data);
};

const NOTHING_LEFT_OUT = { has_trait: 0, unknown_trait: 0, thin: 0 };

test("a mover has both prices, its change and the hour, and no traits without a filter", async () => {
  const answer = await movers();
  expect(answer).toMatchObject({
    type: "market_movers",
    movers: [
      {
        ...{ token_address: address(1), price_usd: 5, earlier_price_usd: 4, change_percent: 25, volume_usd: 10 },
        ...{ depth_usd: 2_000, confidence: "medium", hour: "2023-11-21T03:00:00Z" },
        ...{ traits: null, traits_reason: "`without` is empty." },
      },
    ],
    listing: { skip: 0, read: 1, left_out: NOTHING_LEFT_OUT, has_more_data: false },
    metadata: { window_hours: 24, without: [], as_of: { block_number: LAST } },
  });
});

test("a filter leaves out a token of which the trait is unknown, and counts it", async () => {
  const answer = await movers({ without: ["is_honeypot"] });
  expect(answer).toMatchObject({
    movers: [],
    listing: { read: 1, left_out: { ...NOTHING_LEFT_OUT, unknown_trait: 1 } },
  });
});

test("a new pool names its exchange, its block and the token that it brings", async () => {
  const answer = await newPools();
  expect(answer).toMatchObject({
    type: "market_new_pools",
    pools: [{ token_address: address(1), pool: address(0x900), exchange: "uni", block_number: 140 }],
    listing: { read: 1, left_out: NOTHING_LEFT_OUT },
  });
});

test("a minimum of liquidity leaves out a pool whose token has none that is known", async () => {
  const answer = await newPools({ min_liquidity_usd: 1 });
  expect(answer).toMatchObject({ pools: [], listing: { read: 1, left_out: { ...NOTHING_LEFT_OUT, thin: 1 } } });
});

test("an older block has the pools of its own window", async () => {
  const answer = await newPools({ as_of_block: 139 });
  expect(answer).toMatchObject({ pools: [], metadata: { as_of: { block_number: 139 } } });
});
