// @long: alone
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOLLAR, ETHER, FOREVER } from "../../src/demo/evm/act.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import { approve } from "../../src/demo/evm/scenarios/exchanges.ts";
import { EXACT_INPUT_SINGLE, SWAP_TOKENS } from "../../src/demo/evm/scenarios/market.ts";
import { balanceOf } from "../../src/demo/evm/scenarios/traders.ts";
import {
  concentratedDepth,
  constantProductDepth,
  DOWN_2_PERCENT,
  sqrtTarget,
  UP_2_PERCENT,
} from "../../src/domain/token/market/pool_depth.ts";
import { DAY_S } from "../../src/lib/time.ts";
import { openDemoWorld, T0, type WorldService } from "./served_world.ts";
import { openTruth, runMore, swapOf, type Truth } from "./truth.ts";

let stage: WorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await openDemoWorld();
  truth = await openTruth(stage.world);
});
afterAll(() => stage.close());

const callTool = async (tool: string, token: string, more: object = {}) =>
  (
    await stage.ask(tool, {
      token_address: token === "native" ? token : truth.addressOf(token),
      network: "demo",
      ...more,
    })
  ).body;
const marketOf = (token: string, more: object = {}) => callTool("get_token_market_analysis", token, more);

const reservesOf = async (pair: string): Promise<readonly [bigint, bigint]> => {
  const answer = await truth.read(pair, "getReserves() view returns (uint112,uint112,uint32)", {});
  // getReserves returns (reserve0, reserve1, time).
  const [zero, one] = answer as readonly [bigint, bigint];
  return [zero, one];
};

const headTime = (): number => stage.world.head.time;
const etherUsd = async (time = headTime()): Promise<number> => (await truth.etherUsd(time)) ?? Number.NaN;

/** Logs of a contract, newest last, with their transaction. */
const logsOf = (contract: string) => {
  const address = truth.addressOf(contract).toLowerCase();
  return truth.sent.flatMap((sent) =>
    sent.logs.filter((log) => log.address.toLowerCase() === address).map((log) => ({ sent, log })),
  );
};

const HARBOR_POOL = { pool: "pair_harbor_weth", base: "harbor", quote: "weth", version: 2 } as const;

describe("the market of Harbor", () => {
  test("has the liquidity, the depth and the locked shares of its one pool", async () => {
    const { liquidity, price, token_age_days, quality } = await marketOf("harbor");
    const ether = await etherUsd();
    // Harbor's address is the lower one: token0. Both sides are worth the same at the pool's own price.
    const [harbor, weth] = await reservesOf("pair_harbor_weth");
    expect(price.usd / ((Number(weth) / Number(harbor)) * ether)).toBeCloseTo(1, 10);
    expect(liquidity.total_usd / ((2 * Number(weth) * ether) / 1e18)).toBeCloseTo(1, 10);
    const share = async (signature: string, args: readonly unknown[]) =>
      Number(await truth.read("pair_harbor_weth", `${signature} view returns (uint256)`, { args }));
    const locked = await share("balanceOf(address)", [`0x${"dead".padStart(40, "0")}`]);
    const void_shares = await share("balanceOf(address)", [`0x${"0".repeat(40)}`]);
    expect(liquidity.top_pools).toHaveLength(1);
    expect(liquidity.top_pools[0].lp_locked_percent).toBeCloseTo(
      (100 * (locked + void_shares)) / (await share("totalSupply()", [])),
      9,
    );
    expect(liquidity.top_pools[0]).toMatchObject({ pair: "HRB/WETH", fee_percent: 0.3 });
    expect(quality.single_pool).toBe(true);
    expect(token_age_days).toBe(Math.floor((headTime() - (logsOf("harbor")[0]?.sent.time ?? 0)) / DAY_S));
  });

  test("matches the volume in its pool's logs, at the pool's price of each hour", async () => {
    const { volume, trades } = await marketOf("harbor", { timeframe: "30d" });
    const swaps = logsOf("pair_harbor_weth").flatMap(({ sent, log }) => {
      const moved = swapOf(log);
      return moved === null || sent.time <= headTime() - 30 * DAY_S
        ? []
        : [{ time: sent.time, from: sent.from, moved, log }];
    });
    expect(swaps.length).toBeGreaterThan(5);
    expect(trades.count).toBe(swaps.length);
    expect(volume.amount_raw).toBe(swaps.reduce((sum, { moved }) => sum + moved[0], 0n).toString());
    const values = await Promise.all(
      swaps.map(async ({ time, moved }) => {
        const ratio = (await truth.poolPrice(HARBOR_POOL, time - (time % 3_600))) ?? Number.NaN;
        return (Number(moved[0]) / 1e18) * ratio * (await etherUsd(time));
      }),
    );
    expect(volume.usd / values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
    // Words of a Swap log: in0, in1, out0, out1. A purchase takes Harbor, token0, out.
    expect(trades.buys).toBe(swaps.filter(({ log }) => BigInt(`0x${log.data.slice(130, 194)}`) > 0n).length);
    expect(trades.unique_traders).toBe(new Set(swaps.map(({ from }) => from)).size);
  });
});

test("reports the liquidity of a pool too thin for a price, marked as low", async () => {
  const { price, liquidity, signals, unavailable } = await marketOf("thin");
  const [zero, one] = await reservesOf("pair_thin_weth");
  const weth = truth.addressOf("thin").toLowerCase() < truth.addressOf("weth").toLowerCase() ? one : zero;
  expect(price.usd).toBeNull();
  expect(liquidity.total_usd / ((2 * Number(weth) * (await etherUsd())) / 1e18)).toBeCloseTo(1, 10);
  expect(signals.map(({ code }: { code: string }) => code)).toContain("low_liquidity");
  expect(unavailable.map(({ field }: { field: string }) => field)).toContain("price.usd");
});

test("gives the native coin the market of its wrapped form", async () => {
  const [native, wrapped] = await Promise.all([marketOf("native"), marketOf("weth")]);
  expect(native.price.usd / (await etherUsd())).toBeCloseTo(1, 10);
  expect(native.price.native).toBe(1);
  expect(native.liquidity).toEqual(wrapped.liquidity);
  expect(native).toMatchObject({ supply: { total: null }, token: { address: "native", symbol: "ETH" } });
});

test("has no data for a token that never had a pool, and rejects a wallet", async () => {
  expect(await marketOf("copper")).toMatchObject({ status: "no_data", type: "token_market" });
  expect(await marketOf("alice")).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
});

/** `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

describe("flows of Harbor over the whole story", () => {
  const whole = { from_date: new Date(T0 * 1000).toISOString().slice(0, 10), records_per_page: 100 };

  test("match its Transfer logs", async () => {
    const { summary, data, largest_transfers } = await callTool("get_token_flows", "harbor", whole);
    const amounts = logsOf("harbor").flatMap(({ log }) => (log.topics[0] === TRANSFER ? [BigInt(log.data)] : []));
    expect(summary.transfer_count).toBe(amounts.length);
    expect(summary.transfer_volume_raw).toBe(amounts.reduce((sum, amount) => sum + amount, 0n).toString());
    expect(summary).toMatchObject({ minted: 10_000_000, burned: 0, rows: 90 });
    expect(data[0].segment_balance_raw).toBe((10_000_000n * ETHER).toString());
    const balances = await Promise.all(truth.everybody.map((holder) => truth.balance("harbor", holder)));
    expect(data[0].holders_count).toBe(balances.filter((amount) => amount > 0n).length);
    expect(largest_transfers[0]).toMatchObject({ amount: 10_000_000, from: `0x${"0".repeat(40)}` });
    // Before its third day the token did not exist.
    expect(data.at(-1)).toMatchObject({
      date: whole.from_date,
      transfer_count: 0,
      holders_count: 0,
      segment_balance: 0,
    });
  });

  test("of whales start with large holders", async () => {
    const asked = { from_date: "2026-08-10", segment: "whale", records_per_page: 100 };
    const { segment, data } = await callTool("get_token_flows", "harbor", asked);
    // Dave held 9,000,000 of 10,000,000; the pool does not count, and alice had less than 1 %.
    expect(segment.member_count).toBe(1);
    expect(data[0].segment_balance_raw).toBe((await truth.balance("harbor", "dave")).toString());
  });

  test("of smart traders are rejected before their first list, and of unlabelled funds unknown", async () => {
    const asked = { token_address: truth.addressOf("harbor"), network: "demo", segment: "smart_trader" };
    const smart = await stage.ask("get_token_flows", { ...asked, as_of_block: 100 });
    expect(smart.body).toMatchObject({ status: "error", code: "COVERAGE_INCOMPLETE" });
    expect(smart.headers.get("x-credits-charged")).toBe("0");
    // The only smart trader never held Harbor.
    const { summary } = await callTool("get_token_flows", "harbor", { segment: "smart_trader" });
    expect(summary).toMatchObject({ transfer_count: 0, net_flow_amount: 0 });
    const fund = await callTool("get_token_flows", "harbor", { segment: "fund" });
    expect(fund.data[0]).toMatchObject({ transfer_count: null, net_flow_amount: null, minted: 0 });
    // The hot wallet is labelled by the operator's list and never held Harbor: a measured zero.
    const exchange = await callTool("get_token_flows", "harbor", { segment: "exchange" });
    expect(exchange.data[0]).toMatchObject({ transfer_count: 0, net_flow_amount: 0, segment_balance: 0 });
  });
});

test("matches the balances of USDC holders with its contract, day after day", async () => {
  const { data } = await callTool("get_token_flows", "usdc", { records_per_page: 30 });
  for (const { date, segment_balance_raw } of data.filter((_: unknown, i: number) => i % 7 === 0)) {
    const block = truth.blockAt(Date.parse(`${date}T23:59:59Z`) / 1000);
    const supply = await truth.read("usdc", "totalSupply() view returns (uint256)", { block });
    expect(segment_balance_raw).toBe(String(supply));
  }
});

const SLOT0 = "slot0() view returns (uint160,int24,uint16,uint16,uint16,uint8,bool)";
const MINT = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)) payable";
const SPACING = 200;
const FULL = 887_200;

/** Changes of a wallet's tokens by an action. Afterwards the chain is reset. */
const gains = async (
  tokens: readonly string[],
  play: (world: EvmScenarioChain) => Promise<unknown>,
): Promise<readonly bigint[]> => {
  const { rpc } = stage.world;
  const kept = await rpc.call("evm_snapshot");
  // A block header of the JSON-RPC specification.
  const { timestamp } = (await rpc.call("eth_getBlockByNumber", "latest", false)) as { timestamp: string };
  const world = openScenarioChain(rpc, "demo", Number(timestamp));
  for (const [name, address] of Object.entries(stage.world.contracts)) world.name(name, address);
  const holdings = async () => {
    const amounts: bigint[] = [];
    for (const token of tokens) amounts.push(await balanceOf(world, "dave", token));
    return amounts;
  };
  const before = await holdings();
  await play(world);
  const after = await holdings();
  await rpc.call("evm_revert", kept);
  return after.map((amount, i) => amount - (before[i] ?? 0n));
};

const near = (a: bigint, b: bigint): number => Math.abs(Number(a - b));

/** These tests add actions after the story, so they come last. */
describe("depth matches real swaps", () => {
  test("in a constant-product pool", async () => {
    const [harbor, weth] = await reservesOf("pair_harbor_weth");
    const { depth } = (await marketOf("harbor")).liquidity;
    const ether = await etherUsd();
    const fee_ppm = 3_000;
    const down = constantProductDepth({ reserve_in: harbor, reserve_out: weth, fee_ppm }, DOWN_2_PERCENT);
    const up = constantProductDepth({ reserve_in: weth, reserve_out: harbor, fee_ppm }, UP_2_PERCENT);
    await runMore(stage, async (world) => {
      await world.act({ from: "dave", to: "weth", call: ["deposit() payable", []], value: 5n * ETHER });
      await approve(world, "dave", { token: "weth", spender: "v2_router" });
    });
    const swap = (world: EvmScenarioChain, amount: bigint, path: readonly [string, string]) => {
      const args = [amount, 0n, path, "@dave", FOREVER];
      return world.act({ from: "dave", to: "v2_router", call: [SWAP_TOKENS, args] });
    };
    const sold = await gains(["harbor", "weth"], (world) => swap(world, down.amount_in, ["@harbor", "@weth"]));
    expect(sold).toEqual([-down.amount_in, down.amount_out]);
    expect((Number(sold[1]) / 1e18) * ether).toBeCloseTo(depth.minus_2pct_usd, 6);
    const bought = await gains(["harbor", "weth"], (world) => swap(world, up.amount_in, ["@weth", "@harbor"]));
    expect(bought).toEqual([up.amount_out, -up.amount_in]);
    expect((Number(-(bought[1] ?? 0n)) / 1e18) * ether).toBeCloseTo(depth.plus_2pct_usd, 6);
    // The reserves after the sale: the price fell by 2 % and not more.
    const price = (100n * (weth - down.amount_out) * harbor) / 98n;
    expect(price).toBeGreaterThanOrEqual(weth * (harbor + down.amount_in));
    expect(Number(price) / Number(weth * (harbor + down.amount_in))).toBeCloseTo(1, 12);
  });

  test("in a concentrated pool with positions of several widths", async () => {
    const pool = "pool_v3_juniper_usdc";
    // slot0 returns seven values: the root of the price and the tick are the first two.
    const [root, tick] = (await truth.read(pool, SLOT0, {})) as readonly [bigint, number];
    const floor = Math.floor(tick / SPACING) * SPACING;
    const mint = (world: EvmScenarioChain, ticks: readonly [number, number], amounts: readonly [bigint, bigint]) => {
      const key = ["@juniper", "@usdc", 10_000n, BigInt(ticks[0]), BigInt(ticks[1])];
      const args = [...key, ...amounts, 0n, 0n, "@dave", FOREVER];
      return world.act({ from: "dave", to: "v3_positions", call: [MINT, [args]], gas: 5_000_000 });
    };
    const block = await runMore(stage, async (world) => {
      // Around the price, and one below it that only a fall of the price reaches.
      await mint(world, [floor - SPACING, floor + SPACING], [20_000n * ETHER, 20_000n * DOLLAR]);
      await mint(world, [floor - 2 * SPACING, floor - SPACING], [0n, 5_000n * DOLLAR]);
      await approve(world, "dave", { token: "juniper", spender: "v3_router" });
      await approve(world, "dave", { token: "usdc", spender: "v3_router" });
    });
    const netAt = async (at: number): Promise<bigint> => {
      const signature = "ticks(int24) view returns (uint128,int128,uint256,uint256,int56,uint160,uint32,bool)";
      // ticks returns eight values: the second is the liquidity that begins there.
      const [, net] = (await truth.read(pool, signature, { args: [at], block })) as readonly [bigint, bigint];
      return net;
    };
    const [full, lower, upper] = await Promise.all([netAt(-FULL), netAt(floor - 2 * SPACING), netAt(floor + SPACING)]);
    const ranges = [
      { tick_lower: -FULL, tick_upper: FULL, liquidity: full },
      { tick_lower: floor - SPACING, tick_upper: floor + SPACING, liquidity: -upper },
      { tick_lower: floor - 2 * SPACING, tick_upper: floor - SPACING, liquidity: lower },
    ];
    expect(await truth.read(pool, "liquidity() view returns (uint128)", { block })).toBe(full - upper);
    const shape = { sqrt_price_x96: root, tick, fee_ppm: 10_000, ranges };
    const { depth } = (await marketOf("juniper")).liquidity;
    const swap = (world: EvmScenarioChain, paid: "juniper" | "usdc", [most, limit]: readonly [bigint, bigint]) => {
      const bought = paid === "usdc" ? "juniper" : "usdc";
      const args = [`@${paid}`, `@${bought}`, 10_000n, "@dave", FOREVER, most, 0n, limit];
      return world.act({ from: "dave", to: "v3_router", call: [EXACT_INPUT_SINGLE, [args]], gas: 5_000_000 });
    };
    const down = concentratedDepth(shape, true, DOWN_2_PERCENT);
    const floor_price = sqrtTarget(root, true, DOWN_2_PERCENT);
    const sold = await gains(["juniper", "usdc"], (world) => swap(world, "juniper", [1_000_000n * ETHER, floor_price]));
    // The pool rounds each of its steps; this computation has fewer.
    expect(near(-(sold[0] ?? 0n), down.amount_in)).toBeLessThan(100);
    expect(near(sold[1] ?? 0n, down.amount_out)).toBeLessThan(10);
    expect(depth.minus_2pct_usd).toBeCloseTo(Number(sold[1]) / 1e6, 4);
    const up = concentratedDepth(shape, false, UP_2_PERCENT);
    const roof_price = sqrtTarget(root, false, UP_2_PERCENT);
    const bought = await gains(["juniper", "usdc"], (world) => swap(world, "usdc", [50_000n * DOLLAR, roof_price]));
    expect(near(-(bought[1] ?? 0n), up.amount_in)).toBeLessThan(10);
    expect(near(bought[0] ?? 0n, up.amount_out)).toBeLessThan(100);
    expect(depth.plus_2pct_usd).toBeCloseTo(Number(-(bought[1] ?? 0n)) / 1e6, 4);
  });
});
