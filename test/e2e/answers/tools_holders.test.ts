import { beforeAll, expect, test } from "vitest";
import { SUNRISE_POOL } from "../../../src/demo/evm/scenarios/tokens.ts";
import { BOB_SUNRISE } from "../../fixtures/evm_expected.ts";
import { expectNear } from "../near.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, swapOf, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

interface HolderAnswerRow {
  readonly address: string;
  readonly balance_raw: string;
  readonly holder_type: string;
  readonly ownership_percentage: number;
  readonly buy_volume_usd: number;
  readonly sell_volume_usd: number;
}

/** The whole story: from its first day. */
const readHolders = async (token: string, args: Readonly<Record<string, unknown>> = {}) => {
  const token_address = token === "native" ? token : truth.addressOf(token);
  const asked = { token_address, network: "demo", from_date: "2026-08-01", limit: 100, ...args };
  return (await stage.told("get_token_holders_traders", asked)).body;
};

interface ExpectedHolding {
  readonly address: string;
  readonly amount: bigint;
}

/** Its holders by the node, from the balances of all addresses. Largest first. */
const holdersOf = async (token: string, block?: number): Promise<readonly ExpectedHolding[]> => {
  const everybody = [...new Set(truth.everybody)];
  const amounts = await truth.balances(token, everybody, block);
  return everybody
    .map((address, at) => ({ address, amount: amounts[at] ?? 0n }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) =>
      a.amount === b.amount
        ? a.address.toLowerCase() < b.address.toLowerCase()
          ? -1
          : 1
        : a.amount > b.amount
          ? -1
          : 1,
    );
};

const amountsOf = (rows: readonly HolderAnswerRow[]): readonly ExpectedHolding[] =>
  rows.map(({ address, balance_raw }) => ({ address, amount: BigInt(balance_raw) }));

test.each(["sunrise", "harbor", "honeypot", "usdc", "weth", "drift"])(
  "lists every address with a balance of %s, with its share of the supply",
  async (token) => {
    const body = await readHolders(token);
    const holders = await holdersOf(token);
    // totalSupply returns a uint256.
    const supply = (await truth.read(token, "totalSupply() view returns (uint256)", {})) as bigint;
    expect(amountsOf(body.holders)).toEqual(holders);
    expect(body.has_more_holders).toBe(false);
    expect(BigInt(body.supply.total.amount_raw)).toBe(supply);
    // Drift was rebased on day 45: its transfers do not add up to its balances.
    const codes = body.metadata.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(token === "drift" ? ["BALANCE_RECONCILED"] : []);
    for (const row of body.holders) {
      const share = Number((BigInt(row.balance_raw) * 10n ** 20n) / supply) / 1e18;
      expect(row.ownership_percentage).toBeCloseTo(share, 12);
    }
  },
);

test("shows the largest holders with a smaller limit, and says that there are more", async () => {
  const whole = await readHolders("usdc");
  const some = await readHolders("usdc", { limit: 3 });
  expect(amountsOf(some.holders)).toEqual(amountsOf(whole.holders).slice(0, 3));
  expect(some.has_more_holders).toBe(true);
  expect(some.concentration).toEqual(whole.concentration);
});

test("computes the concentration of Sunrise from three balances", async () => {
  const { concentration, holders } = await readHolders("sunrise");
  // dave has 9,900,000 of 10,000,000, the pool its reserves, bob the rest.
  const [dave, pool, bob] = [9_900_000, Number(BOB_SUNRISE.pool.sunrise) / 1e18, Number(BOB_SUNRISE.left) / 1e18];
  expect(holders.map(({ holder_type }: HolderAnswerRow) => holder_type)).toEqual(["eoa", "lp_pool", "eoa"]);
  expect(concentration).toMatchObject({
    all: { top1_percent: 99, top10_percent: 100, top50_percent: 100, top100_percent: 100 },
    flag: "high",
    holders_ranked: 3,
  });
  // The pool's coins have no single owner.
  const without_pool = (100 * (dave + bob)) / 1e7;
  expectNear(concentration.adjusted, { top1_percent: 99, top10_percent: without_pool, top100_percent: without_pool });
  // Gini of x1 <= x2 <= x3: (2 * (1 x1 + 2 x2 + 3 x3)) / (3 * sum) - 4 / 3.
  const gini = (2 * (bob + 2 * pool + 3 * dave)) / (3 * 1e7) - 4 / 3;
  expectNear(concentration, { gini, hhi: (dave / 1e7) ** 2 + (pool / 1e7) ** 2 + (bob / 1e7) ** 2 });
});

test("excludes the pool from the honeypot's concentration", async () => {
  const { concentration, holders, supply } = await readHolders("honeypot");
  // mallory kept half of a million, then sold a fifth of it into the pool; heidi holds what she bought.
  expect(BigInt(supply.total.amount_raw)).toBe(10n ** 24n);
  expect(holders.map(({ address, holder_type }: HolderAnswerRow) => [address, holder_type])).toEqual([
    [truth.addressOf("pair_honeypot_weth"), "lp_pool"],
    [truth.addressOf("mallory"), "eoa"],
    [truth.addressOf("heidi"), "eoa"],
  ]);
  const heidi = (100 * (Number(await truth.balance("honeypot", "heidi")) / 1e18)) / 1e6;
  expect(concentration.adjusted.top1_percent).toBe(40);
  expectNear(concentration.adjusted, { top10_percent: 40 + heidi });
  // 42 % is above 30 and below 50.
  expect(concentration.flag).toBe("medium");
});

test("shows bob as the only trader of Sunrise: a purchase and a sale at the prices that the pool held", async () => {
  const body = await readHolders("sunrise");
  const { buy_volume_usd, sell_volume_usd } = await (await volumesOf("sunrise", "pair_sunrise_usdc", "usdc"))("bob");
  expect(body.traders).toHaveLength(1);
  expect(body.traders[0]).toMatchObject({
    ...{ address: truth.addressOf("bob"), buy_count: 1, sell_count: 1, is_bot: false },
    balance_raw: BOB_SUNRISE.left.toString(),
  });
  expect(body.traders[0].ownership_percentage).toBeUndefined();
  expectNear(body.traders[0], { buy_volume_usd, sell_volume_usd, net_usd: buy_volume_usd - sell_volume_usd });
  const volumes = body.holders.map(({ buy_volume_usd }: HolderAnswerRow) => buy_volume_usd);
  // dave added liquidity, which is no trade.
  expect([volumes[0], volumes[1]]).toEqual([0, 0]);
  expectNear(body.holders[2], { buy_volume_usd, sell_volume_usd });
  expect(body).toMatchObject({ has_more_traders: false, traders_unavailable_reason: null });
  // The pool would pay for dave's coins what x * y = k leaves of its dollars.
  const [dollars, coins] = [Number(BOB_SUNRISE.pool.usdc) / 1e6, Number(BOB_SUNRISE.pool.sunrise) / 1e18];
  expectNear(body.holders[0], { value_usd: (dollars * 9_900_000) / (coins + 9_900_000), token_balance: 9_900_000 });
  expect(SUNRISE_POOL.sunrise).toBe(100_000n * 10n ** 18n);
});

test("has holders and a reason for missing traders in a window without trades", async () => {
  const body = await readHolders("sunrise", { from_date: "2026-09-11", to_date: "2026-10-01" });
  expect(body).toMatchObject({
    traders: [],
    has_more_traders: false,
    traders_unavailable_reason: "no_trades_in_window",
  });
  expect(body.metadata.date_range).toEqual({ from: "2026-09-11", to: "2026-10-01" });
  expect(body.holders).toHaveLength(3);
  expect((await readHolders("copper")).traders_unavailable_reason).toBe("no_dex_pool");
});

/** Volumes in a v2 pool: tokens at the price that the pool held for half of the hour. */
const volumesOf = async (token: string, pair: string, quote: "weth" | "usdc" = "weth") => {
  const swaps = truth.sent.flatMap(({ logs, time, from }) =>
    logs
      .filter(({ address }) => address.toLowerCase() === truth.addressOf(pair).toLowerCase())
      .flatMap((log) => {
        const amounts = swapOf(log);
        if (amounts === null) return [];
        const is_first = truth.addressOf(token).toLowerCase() < truth.addressOf(quote).toLowerCase();
        const tokens = amounts[is_first ? 0 : 1];
        // Swap(sender, amount0In, amount1In, amount0Out, amount1Out, to): the first word is the input of token 0.
        const came_in = BigInt(`0x${log.data.slice(2 + 64 * (is_first ? 0 : 1), 66 + 64 * (is_first ? 0 : 1))}`) > 0n;
        return [{ from: from.toLowerCase(), hour: time - (time % 3_600), tokens, is_sale: came_in }];
      }),
  );
  return async (trader: string) => {
    const totals = { buy_volume_usd: 0, sell_volume_usd: 0, buy_count: 0, sell_count: 0 };
    for (const swap of swaps.filter(({ from }) => from === truth.addressOf(trader).toLowerCase())) {
      const pool = { pool: pair, base: token, quote, version: 2 } as const;
      const held = (await truth.poolPrice(pool, swap.hour)) ?? Number.NaN;
      const ether = quote === "usdc" ? 1e12 : ((await truth.etherUsd(swap.hour)) ?? Number.NaN);
      const usd = (Number(swap.tokens) / 1e18) * held * ether;
      totals[swap.is_sale ? "sell_volume_usd" : "buy_volume_usd"] += usd;
      totals[swap.is_sale ? "sell_count" : "buy_count"] += 1;
    }
    return totals;
  };
};

test("computes alice's and mallory's volumes in Harbor from their swaps at the hours' prices", async () => {
  const { traders } = await readHolders("harbor");
  const expected = await volumesOf("harbor", "pair_harbor_weth");
  expect(traders.map(({ address }: HolderAnswerRow) => address)).toEqual([
    truth.addressOf("alice"),
    truth.addressOf("mallory"),
  ]);
  expectNear(traders[0], await expected("alice"));
  expectNear(traders[1], await expected("mallory"));
  // Sandwich and wash trades leave no balance.
  expect(traders[1].balance_raw).toBe("0");
});

test("shows the honeypot's buyer who never sold and its seller who never bought", async () => {
  const { traders } = await readHolders("honeypot");
  const expected = await volumesOf("honeypot", "pair_honeypot_weth");
  expect(traders.map(({ address }: HolderAnswerRow) => address)).toEqual([
    truth.addressOf("mallory"),
    truth.addressOf("heidi"),
  ]);
  expectNear(traders[0], await expected("mallory"));
  expectNear(traders[1], await expected("heidi"));
  expect(traders[0]).toMatchObject({ buy_count: 0, sell_count: 1 });
  expect(traders[1]).toMatchObject({ buy_count: 1, sell_count: 0 });
});

test("matches changes of Harbor balances with the node", async () => {
  const { holders } = await readHolders("harbor");
  const { head } = stage.world;
  for (const { address, balance_raw, ...row } of holders) {
    for (const [field, days] of [
      ["balance_change_24h", 1],
      ["balance_change_7d", 7],
      ["balance_change_30d", 30],
    ] as const) {
      const before = await truth.balance("harbor", address, truth.blockAt(head.time - days * 86_400));
      expect([field, row[field]]).toEqual([field, expect.closeTo(Number(BigInt(balance_raw) - before) / 1e18, 6)]);
    }
  }
});

test("has holders and no traders of the native coin", async () => {
  const body = await readHolders("native");
  expect(body).toMatchObject({ traders: [], traders_unavailable_reason: "native_asset", has_more_holders: false });
  const wei = amountsOf(body.holders);
  expect(wei).toEqual(await holdersOf("native"));
  // All coins of the chain: the bank's balance at genesis.
  const total = wei.reduce((sum, { amount }) => sum + amount, 0n);
  const burnt = 10n ** 24n - total;
  // Base fees are burnt. The stage pays 1 gwei a unit of gas at most, so this is below all fees.
  expect(burnt >= 0n && burnt <= truth.sent.reduce((sum, { fee }) => sum + fee, 0n)).toBe(true);
});

test("lists the holders at an earlier block", async () => {
  for (const block of [420, 200]) {
    const body = await readHolders("harbor", { as_of_block: block, from_date: undefined });
    expect(amountsOf(body.holders)).toEqual(await holdersOf("harbor", block));
    expect(body.metadata.as_of.block_number).toBe(block);
  }
});
