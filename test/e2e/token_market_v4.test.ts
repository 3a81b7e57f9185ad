// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { ETHER } from "../../src/demo/evm/act.ts";
import { payPlaza } from "../../src/demo/evm/scenarios/plaza.ts";
import { DOWN_2_PERCENT, sqrtTarget } from "../../src/domain/token/market/pool_depth.ts";
import { expectNear } from "./near.ts";
import { openDemoWorld, type WorldService } from "./served_world.ts";
import { openTruth, runMore, type Truth } from "./truth.ts";

let stage: WorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await openDemoWorld();
  truth = await openTruth(stage.world);
});
afterAll(() => stage?.close());

const market = async () =>
  (await stage.ask("get_token_market_analysis", { token_address: truth.addressOf("plaza"), network: "demo" })).body;

/** v4-core IPoolManager: Swap(id, sender, amount0, amount1, sqrtPriceX96, liquidity, tick, fee). */
const SWAP = "0x40e9cecb";

const lastSwap = (): readonly bigint[] => {
  const log = truth.sent
    .flatMap(({ logs }) => logs)
    .findLast(({ topics, address }) => topics[0]?.startsWith(SWAP) && address === lower("v4_manager"));
  return (log?.data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
};
const lower = (name: string): string => truth.addressOf(name).toLowerCase();
const isPlazaFirst = (): boolean => lower("plaza") < lower("usdc");

test("holds the manager's balance in the pool, whose price makes the market", async () => {
  const { price, liquidity } = await market();
  const [plaza, dollars] = await Promise.all([
    truth.balance("plaza", "v4_manager"),
    truth.balance("usdc", "v4_manager"),
  ]);
  // 100,000 Plaza and 50,000 dollars went in, then 1,000 dollars: the manager holds nothing else.
  expect(Number(dollars) / 1e6).toBeCloseTo(51_000, 4);
  const root = Number(lastSwap()[2] ?? 0n) / 2 ** 96;
  const raw = isPlazaFirst() ? root * root : 1 / (root * root);
  expectNear(price, { usd: raw * 1e12 });
  expect(price).toMatchObject({ confidence: "medium" });
  expect(liquidity.pool_count).toBe(1);
  expect(liquidity.top_pools[0]).toMatchObject({ dex: "Uniswap v4", fee_percent: 0.3 });
  expect(liquidity.top_pools[0].address).toMatch(/^0x[0-9a-f]{64}$/);
  // Amounts of a range are computed in doubles.
  const total_usd = Number(dollars) / 1e6 + (Number(plaza) / 1e18) * raw * 1e12;
  expectNear(liquidity, { total_usd }, 1e-7);
});

test("has the depth that a real sale pays until the price has fallen by 2 %", async () => {
  const { depth } = (await market()).liquidity;
  const limit = sqrtTarget(lastSwap()[2] ?? 0n, isPlazaFirst(), DOWN_2_PERCENT);
  const before = await truth.balance("usdc", "piet");
  const block = await runMore(stage, (world) => payPlaza(world, "plaza", [1_000_000n * ETHER, limit]));
  const after = await truth.balance("usdc", "piet", block);
  expectNear({ got: Number(after - before) / 1e6 }, { got: depth.minus_2pct_usd }, 1e-8);
});
