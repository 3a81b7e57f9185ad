import { beforeAll, expect, test } from "vitest";
import { expectNear } from "../near.ts";
import { paidBy } from "../sale.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, type Truth, type TruthPool } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
// biome-ignore lint/suspicious/noExplicitAny: rows are walked freely in assertions, after validation.
const rows = new Map<string, any>();
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
  const { body } = await stage.ask("get_wallet_pnl", {
    address: truth.addressOf("stella"),
    network: "demo",
    records_per_page: 100,
  });
  for (const row of body.data) rows.set(row.token_id === null ? row.token_address : "position", row);
});

const rowOf = (name: string) => rows.get(name === "position" ? name : truth.addressOf(name));

/** Words of the data of stella's events with this first topic, oldest first. */
const eventWords = (topic: string): readonly (readonly bigint[])[] =>
  truth
    .sentBy("stella")
    .flatMap(({ logs }) => logs)
    .filter(({ topics }) => topics[0]?.startsWith(topic))
    .map(({ data }) => (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`)));
/** The position manager's IncreaseLiquidity and DecreaseLiquidity: liquidity, amount0, amount1 (v3-periphery). */
const INCREASE = "0x3067048b";
const DECREASE = "0x26f6a048";
/** The pair's Burn(address,uint256,uint256,address). */
const BURN = "0xdccd412f";
/** The dollars and the Terrace of a pair of amounts of the v3 pool. */
const inOrder = ([first = 0n, second = 0n]: readonly bigint[]): readonly [dollars: number, terrace: number] =>
  truth.addressOf("usdc").toLowerCase() < truth.addressOf("terrace").toLowerCase()
    ? [Number(first) / 1e6, Number(second) / 1e18]
    : [Number(second) / 1e6, Number(first) / 1e18];

test("moves half of the cost with half of the vault's shares, without a profit", () => {
  // 1,000 dollars went in for 1,000 shares; 500 shares came back as 550 dollars, whose cost is 500.
  const row = rowOf("savings");
  expect(row.holdings.current_amount_raw).toBe("500000000");
  expectNear(row.trading, { cost_basis_usd: 500, uncosted_amount: 0 });
  expect(row.trading).toMatchObject({ buy_count: 0, sell_count: 0, income_usd: 0 });
});

test("keeps half of the cost with half of the pool's shares, of which only the dollars were known", () => {
  // 6,000 Terrace without a cost and 12,000 dollars: the shares cost 12,000 and half of them are costed.
  const row = rowOf("pair_terrace_usdc");
  const [half] = [Number(row.holdings.current_amount_raw)];
  expectNear(row.trading, { cost_basis_usd: 6_000 }, 1e-6);
  expectNear({ uncosted: (row.holdings.uncosted_amount * 1e18) / half }, { uncosted: 0.5 }, 1e-6);
});

test("keeps the rest in the position of the NFT", () => {
  const [[liquidity = 0n, ...paid] = []] = eventWords(INCREASE);
  const [[taken = 0n] = []] = eventWords(DECREASE);
  const [dollars] = inOrder(paid);
  const row = rowOf("position");
  expect(row.token_address).toBe(truth.addressOf("v3_positions"));
  expect(BigInt(row.holdings.current_amount_raw)).toBe(liquidity - taken);
  expectNear(row.trading, { cost_basis_usd: (dollars * Number(liquidity - taken)) / Number(liquidity) }, 1e-6);
  expect(row.pnl.unrealized_usd).toBeUndefined();
  expect(row.unavailable).toContainEqual({
    field: "pnl.unrealized_usd",
    reason: "NFT liquidity positions are not valued here",
  });
});

/** Base units that pools round in their own favour, as a share of their payment. */
const DUST = 1e-6;

const TERRACE_POOLS: readonly TruthPool[] = [
  { pool: "pair_terrace_usdc", base: "terrace", quote: "usdc", version: 2 },
  { pool: "pool_v3_terrace_usdc", base: "terrace", quote: "usdc", version: 3 },
];

/** Dollars that the pools would have paid for Terrace in the hour of the event with this first topic. */
const terraceUsd = (topic: string, terrace: number): Promise<number> => {
  const sent = truth.sentBy("stella").find(({ logs }) => logs.some(({ topics }) => topics[0]?.startsWith(topic)));
  const time = sent?.time ?? Number.NaN;
  // Terrace was worth 2 in the deeper pool, which had no trades.
  const sale = { amount: terrace * 1e18, price: 2 / 1e12, hour: time - (time % 3_600) };
  return paidBy(truth, TERRACE_POOLS, sale).then((units) => units / 1e6);
};

/** Stella's deposits to and withdrawals from her position, and the dollars that she never deposited. */
const positionBooks = async () => {
  const [[liquidity = 0n, ...paid] = []] = eventWords(INCREASE);
  const [[taken = 0n, ...out] = []] = eventWords(DECREASE);
  const [deposited] = inOrder(paid);
  const [dollars, terrace] = inOrder(out);
  const dollar_share = dollars / (dollars + (await terraceUsd(DECREASE, terrace)));
  const taken_share = Number(taken) / Number(liquidity);
  // 20,000 came, 1,000 went into the vault, 12,000 into the pair, 100 were paid.
  return { deposited, dollar_share, taken_share, left: 20_000 - 1_000 - 12_000 - deposited - 100 };
};

test("adds up the dollars' books: moved cost, an earned fee of one dollar, and no gain", async () => {
  const { deposited, dollar_share, taken_share, left } = await positionBooks();
  // The pair returned half: 6,000 of cost over 6,000 dollars and 3,000 Terrace, pro rata to their value.
  const pair_share = 6_000 / (6_000 + (await terraceUsd(BURN, 3_000)));
  // Half of the position's cost moves the same way, the vault returns 500, and the fee is 1 % of 100.
  const cost_basis_usd = left + 6_000 * pair_share + deposited * taken_share * dollar_share + 500 + 1;
  const row = rowOf("usdc");
  expectNear(row.trading, { cost_basis_usd, income_usd: 1 }, 2 * DUST);
  expect(Math.abs(row.pnl.realized_usd)).toBeLessThan(1e-6);
  expect(row.trading).toMatchObject({ sell_count: 1, sold_usd: 100 });
});

test("uses the units with a cost first in first-in-first-out if both kinds arrived together", async () => {
  const { body } = await stage.ask("get_wallet_pnl", {
    address: truth.addressOf("stella"),
    network: "demo",
    cost_basis_method: "fifo",
    records_per_page: 100,
  });
  expect(body.metadata).toMatchObject({ methodology: "pnl/fifo@1", cost_basis_method: "fifo" });
  const fifo = body.data.find((row: { token_address: string }) => row.token_address === truth.addressOf("usdc"));
  // The withdrawn half of the shares, and of the liquidity, was the costed half: all 12,000 and all of the deposit.
  const { deposited, dollar_share, left } = await positionBooks();
  const pair_share = 6_000 / (6_000 + (await terraceUsd(BURN, 3_000)));
  const cost_basis_usd = left + 12_000 * pair_share + deposited * dollar_share + 500 + 1;
  expectNear(fifo.trading, { cost_basis_usd }, 2 * DUST);
});

test("shows a rebased token's growth without a price and without a cost", async () => {
  // grace received 1,000 Drift; the supply then grew from 10,000 to 11,000.
  const { body } = await stage.ask("get_wallet_pnl", { address: truth.addressOf("grace"), network: "demo" });
  const drift = body.data.find((row: { token_address: string }) => row.token_address === truth.addressOf("drift"));
  expect(drift.holdings).toMatchObject({ current_amount: 1_100, uncosted_amount: 1_100 });
  expect(drift.trading.received_amount).toBe(1_100);
});

const POSITION =
  "positions(uint256) view returns (uint96,address,address,address,uint24,int24,int24,uint128,uint256,uint256,uint128,uint128)";

test("matches all positions with the node's balances", async () => {
  for (const wallet of [
    "alice",
    "dave",
    "grace",
    "heidi",
    "ivan",
    "judy",
    "mallory",
    "peggy",
    "judys_safe",
    "exchange",
  ]) {
    const { body } = await stage.ask("get_wallet_pnl", {
      address: truth.addressOf(wallet),
      network: "demo",
      include_spam: true,
      records_per_page: 100,
    });
    for (const { token_address, token_id, holdings } of body.data) {
      if (token_id !== null) {
        const said = await truth.read("v3_positions", POSITION, { args: [BigInt(token_id)] });
        // positions returns twelve values; the eighth is the liquidity, a uint128.
        expect([wallet, BigInt(holdings.current_amount_raw)]).toEqual([wallet, (said as readonly bigint[])[7]]);
        continue;
      }
      // Native and wrapped coins are one row.
      const wrapped = token_address === "native" ? await truth.balance("weth", wallet) : 0n;
      const balance = (await truth.balance(token_address, wallet)) + wrapped;
      expect([wallet, token_address, BigInt(holdings.current_amount_raw)]).toEqual([wallet, token_address, balance]);
    }
  }
});
