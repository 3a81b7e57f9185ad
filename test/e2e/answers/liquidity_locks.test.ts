import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
import { ADDRESSES, DEMO_CONTRACTS } from "../../../src/demo/evm/characters.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

/**
 * simon's 3,000 · 10^18 shares: 2,895 locked until day 200, 60 until day 60, 15 until day 100, the rest his own. The
 * story ends on day 90, so the 60 are still in the locker and can be withdrawn.
 */
let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const callTool = async (tool: string, more: Readonly<Record<string, unknown>> = {}) => {
  const { body } = await stage.ask(tool, { token_address: DEMO_CONTRACTS.ballast, network: "demo", ...more });
  return body;
};
const iso = (seconds: number): string => new Date((T0 + seconds) * 1000).toISOString().replace(".000Z", "Z");
const LONG_LOCK = iso(on(200, 0));

test("counts a locker's shares as locked, except withdrawable ones, and dates the lock without small parts", async () => {
  const [pool] = (await callTool("get_token_risk_traits")).liquidity.pools;
  expect(pool.lp_locked_percent).toBeCloseTo((100 * (2_895 + 15)) / 3_000, 9);
  // 15 are less than a hundredth of 2,910: their end on day 100 says nothing about the pool.
  expect(pool.lock_until).toBe(LONG_LOCK);
  expect(pool.lp_holders).toEqual([
    { address: DEMO_CONTRACTS.locker, label: "Demo Locker", share_percent: expect.closeTo(99, 9) },
    { address: ADDRESSES.simon, label: null, share_percent: expect.closeTo(1, 9) },
  ]);
});

test("counts all of the locker's shares as locked before day 60, with the earliest end", async () => {
  const as_of_block = truth.blockAt(T0 + on(50, 0));
  const [pool] = (await callTool("get_token_risk_traits", { as_of_block })).liquidity.pools;
  expect(pool.lp_locked_percent).toBeCloseTo(99, 9);
  expect(pool.lock_until).toBe(iso(on(60, 0)));
});

test("shows the developer's liquidity as locked", async () => {
  const { developer_actions, flags, unavailable } = await callTool("analyze_token_developer");
  expect(developer_actions).toMatchObject({ lp_status: "locked", lock_until: LONG_LOCK });
  expect(flags.map(({ code }: { code: string }) => code)).not.toContain("liquidity_not_locked");
  const fields = unavailable.map(({ field }: { field: string }) => field);
  expect(fields).not.toContain("developer_actions.lock_until");
});

test("shows the same locked share in the market's pool", async () => {
  const { liquidity } = await callTool("get_token_market_analysis");
  expect(liquidity.top_pools[0].lp_locked_percent).toBeCloseTo(97, 9);
});
