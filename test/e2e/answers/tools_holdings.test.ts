import { beforeAll, expect, test } from "vitest";
import { ETHER } from "../../../src/demo/evm/act.ts";
import { BOB_SUNRISE, EXPECTED, EXPECTED_SAFE } from "../../fixtures/evm_expected.ts";
import { paidBy } from "../sale.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, type Truth, type TruthPool } from "../truth.ts";

interface ValuedRow {
  readonly usd_value?: number;
  readonly position_value_usd: number | null;
}

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const SYMBOLS = { native: "ETH", weth: "WETH", usdc: "USDC", usdt: "USDT", sunrise: "SUN" } as const;
type HoldingSymbol = keyof typeof SYMBOLS;
const DECIMALS = { native: 18, weth: 18, usdc: 6, usdt: 6, sunrise: 18 } as const;

interface HoldingLine {
  readonly token: HoldingSymbol;
  readonly raw: bigint;
  readonly usd: number;
}

/** Dollars are 1, Sunrise has its pool's price since bob's sale, ether the price of its pools. Largest value first. */
const linesOf = async (amounts: Readonly<Partial<Record<HoldingSymbol, bigint>>>): Promise<readonly HoldingLine[]> => {
  const ether = (await truth.etherUsd(stage.world.head.time)) ?? Number.NaN;
  const sunrise = Number(BOB_SUNRISE.pool.usdc) / 1e6 / (Number(BOB_SUNRISE.pool.sunrise) / 1e18);
  const prices = { native: ether, weth: ether, usdc: 1, usdt: 1, sunrise } as const;
  return (Object.keys(SYMBOLS) as HoldingSymbol[])
    .flatMap((token): HoldingLine[] => {
      const raw = amounts[token];
      return raw === undefined ? [] : [{ token, raw, usd: (Number(raw) / 10 ** DECIMALS[token]) * prices[token] }];
    })
    .sort((a, b) => b.usd - a.usd);
};

const characterLines = (name: keyof typeof EXPECTED) =>
  linesOf({ native: EXPECTED[name].native_before_fees - truth.feesOf(name), ...EXPECTED[name].tokens });

const SAFE = { native: EXPECTED_SAFE.native, usdc: EXPECTED_SAFE.usdc };

const cases = [
  // Expected labels, from the values: bob 93 % ether; carol 34/47/19; erin ether and wrapped ether are one asset;
  // frank 86/14; victor 62/38; walter and nothing else; the Safe 83/17. HHI from 0.5 is highly concentrated.
  ["bob", "highly_concentrated"],
  ["carol", "concentrated"],
  ["erin", "single_asset"],
  ["frank", "highly_concentrated"],
  ["victor", "highly_concentrated"],
  ["walter", "single_asset"],
  ["judys_safe", "highly_concentrated"],
] as const;

const addressOf = (name: string): string =>
  stage.world.contracts[name] ?? stage.world.characters[name as keyof typeof EXPECTED];
const expectedOf = (name: (typeof cases)[number][0]) => (name === "judys_safe" ? linesOf(SAFE) : characterLines(name));

test.each(cases)("matches the holdings of %s with the books' balances at the pools' prices", async (name) => {
  const lines = await expectedOf(name);
  const total = lines.reduce((sum, { usd }) => sum + usd, 0);
  const { body } = await stage.ask("get_wallet_token_holdings", { wallet_address: addressOf(name), network: "demo" });
  expect(
    body.holdings.map(({ balance_raw, symbol }: { balance_raw: string; symbol: string }) => [symbol, balance_raw]),
  ).toEqual(lines.map(({ token, raw }) => [SYMBOLS[token], raw.toString()]));
  for (const [i, { token, raw, usd }] of lines.entries()) {
    const holding = body.holdings[i];
    expect(holding.token_address).toBe(token === "native" ? "native" : stage.world.contracts[token]);
    // The decimal number, to the fifteen digits that every decimal keeps in a double.
    const digits = raw.toString().padStart(DECIMALS[token] + 1, "0");
    const balance = Number(`${digits.slice(0, -DECIMALS[token])}.${digits.slice(-DECIMALS[token])}`);
    expect(holding.balance).toBe(Number(balance.toPrecision(15)));
    expect(holding.usd_value / usd).toBeCloseTo(1, 10);
    expect(holding.share_percent).toBeCloseTo((100 * usd) / total, 8);
    expect([holding.is_native, holding.is_stablecoin, holding.is_spam]).toEqual([
      token === "native",
      token === "usdc" || token === "usdt",
      false,
    ]);
    // The block of the last movement: the node reports the same balance one block later and another one before.
    const block = truth.blockAt(Date.parse(holding.last_change_at) / 1000);
    const where = token === "native" ? "native" : token;
    expect(await truth.balance(where, addressOf(name), block)).toBe(raw);
    expect(await truth.balance(where, addressOf(name), block - 1)).not.toBe(raw);
  }
  expect(body.summary.total_value_usd / total).toBeCloseTo(1, 10);
  expect(body.summary).toMatchObject({ token_count: lines.length, tokens_without_price: 0, hidden_spam: 0 });
  expect(body.metadata.warnings).toEqual([]);
});

test.each(cases)("computes the shares, the concentration and the label of the portfolio of %s", async (name, label) => {
  const lines = await expectedOf(name);
  const total = lines.reduce((sum, { usd }) => sum + usd, 0);
  const { body } = await stage.ask("get_wallet_portfolio_breakdown", {
    wallet_address: addressOf(name),
    network: "demo",
  });
  // Ether and wrapped ether are one asset.
  const sum = (...tokens: HoldingSymbol[]) =>
    lines.filter(({ token }) => tokens.includes(token)).reduce((all, { usd }) => all + usd, 0) / total;
  const shares = [sum("native", "weth"), sum("usdc"), sum("usdt"), sum("sunrise")];
  const hhi = shares.reduce((all, share) => all + share * share, 0);
  const composition = body.composition_analysis;
  expect(composition.diversification).toBe(label);
  expect(composition.hhi).toBeCloseTo(hhi, 10);
  expect(composition.effective_assets).toBeCloseTo(1 / hhi, 8);
  expect(composition.top1_percent).toBeCloseTo(100 * Math.max(...shares), 8);
  expect(composition.top5_percent).toBeCloseTo(100, 8);
  expect(composition.stablecoin_percent).toBeCloseTo(100 * sum("usdc", "usdt"), 8);
  expect(composition.native_percent).toBeCloseTo(100 * sum("native", "weth"), 8);
  expect(composition.unpriced_count).toBe(0);
  expect(composition.note).toBe(
    `Largest asset ${(100 * Math.max(...shares)).toFixed(1)} % of priced value; ${(1 / hhi).toFixed(1)} effective assets (HHI ${hhi.toFixed(2)}); stablecoins ${(100 * sum("usdc", "usdt")).toFixed(1)} %. Every holding has a price.`,
  );
  expect(body.total_value_usd / total).toBeCloseTo(1, 10);
  expect(body.total_value_displayed).toBe(`$${total.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",")}`);
  const symbols = (rows: { symbol: string }[]) => rows.map(({ symbol }) => symbol);
  expect(symbols(body.top_holdings)).toEqual(lines.map(({ token }) => SYMBOLS[token]));
  const major = lines.filter(({ usd }) => usd >= total / 20);
  expect(symbols(body.major_holdings)).toEqual(major.map(({ token }) => SYMBOLS[token]));
  expect(body.tokens_without_price).toBe(0);
});

test("leaves the totals unchanged when the shown holdings are limited", async () => {
  const asked = { wallet_address: addressOf("bob"), network: "demo" };
  const whole = await stage.ask("get_wallet_portfolio_breakdown", asked);
  const capped = await stage.ask("get_wallet_portfolio_breakdown", { ...asked, max_holdings: 2 });
  expect(capped.body.top_holdings).toEqual(whole.body.top_holdings.slice(0, 2));
  expect({ ...capped.body, top_holdings: [] }).toEqual({ ...whole.body, top_holdings: [] });
  const limited = await stage.ask("get_wallet_token_holdings", { ...asked, limit: 2 });
  expect(limited.body.holdings).toHaveLength(2);
  expect(limited.body.summary.token_count).toBe(5);
});

test("hides and counts heidi's advertisement and her false dollars", async () => {
  const asked = { wallet_address: addressOf("heidi"), network: "demo" };
  const shown = (await stage.ask("get_wallet_token_holdings", asked)).body;
  const all = (await stage.ask("get_wallet_token_holdings", { ...asked, include_spam: true })).body;
  const symbols = (body: { holdings: { symbol: string }[] }) => body.holdings.map(({ symbol }) => symbol).sort();
  // Bought: HNY and MOON, whose pool is empty. Received: BRK, whose name has invisible characters.
  expect(symbols(shown)).toEqual(["ETH", "HNY", "MOON", "USDC"]);
  expect(shown.summary).toMatchObject({ token_count: 4, tokens_without_price: 1, hidden_spam: 3 });
  expect(symbols(all)).toEqual(["BRK", "CLAIM", "ETH", "HNY", "MOON", "USDC", "USDC"]);
  // Spam is in the list and in no total.
  expect(all.summary).toMatchObject({ token_count: 4, tokens_without_price: 1, returned_count: 7, hidden_spam: 0 });
  const spam = all.holdings.filter(({ is_spam }: { is_spam: boolean }) => is_spam);
  expect(
    Object.fromEntries(
      spam.map((row: { token_address: string; spam_reasons: string[] }) => [row.token_address, row.spam_reasons]),
    ),
  ).toEqual({
    [addressOf("spam")]: ["url_in_name", "claim_wording", "mass_airdrop"],
    [addressOf("fake_usdc")]: ["symbol_copy"],
    [addressOf("broken")]: ["hidden_characters"],
  });
  expect(all.summary.total_value_usd).toBe(shown.summary.total_value_usd);
  const portfolio = (await stage.ask("get_wallet_portfolio_breakdown", asked)).body;
  expect(portfolio).toMatchObject({
    tokens_without_price: 1,
    hidden_spam: 3,
    total_value_usd: shown.summary.total_value_usd,
  });
});

test("reads a rebased balance from the contract", async () => {
  const { body } = await stage.ask("get_wallet_token_holdings", {
    wallet_address: addressOf("grace"),
    network: "demo",
  });
  const drift = body.holdings.find(({ symbol }: { symbol: string }) => symbol === "DRF");
  // 1,000 of 10,000; on day 45 the supply became 11,000.
  expect(drift.balance_raw).toBe((1_100n * ETHER).toString());
  expect(await truth.balance("drift", "grace")).toBe(1_100n * ETHER);
});

/** Portfolio of a character of the demo, and its positions by symbol. */
const portfolioOf = async (name: string) => {
  const asked = { wallet_address: addressOf(name), network: "demo" };
  const { body } = await stage.ask("get_wallet_portfolio_breakdown", asked);
  type Row = { symbol: string; usd_value: number; token_address: string; underlying: { amount: number }[] };
  const positions = body.positions as readonly Row[];
  const at = (contract: string) =>
    positions.find(({ token_address }) => token_address === stage.world.contracts[contract]);
  return { body, positions, at };
};

/** Tokens behind the shares of a pool by the node, in the order of the pool's tokens; base units. */
const shareOfPair = async (pair: string, owner: string): Promise<readonly [bigint, bigint]> => {
  const supply = await truth.read(pair, "totalSupply() view returns (uint256)", {});
  const reserves = await truth.read(pair, "getReserves() view returns (uint112,uint112,uint32)", {});
  // getReserves returns (reserve0, reserve1, time).
  const [zero, one] = reserves as readonly [bigint, bigint];
  const shares = await truth.balance(pair, owner);
  return [(zero * shares) / BigInt(String(supply)), (one * shares) / BigInt(String(supply))];
};

test("values stella's savings and pool shares at their redemption, and names her NFT", async () => {
  const { body, positions, at } = await portfolioOf("stella");
  // 1,000 dollars, a gift of 100 to the vault, half of the shares redeemed: 550 dollars for 500 shares.
  expect(at("savings")).toMatchObject({
    ...{ protocol: "erc4626", kind: "vault_share", is_debt: false, symbol: "sUSDC", amount: 500, usd_value: 550 },
    underlying: [{ symbol: "USDC", token_address: stage.world.contracts.usdc, amount: 550, usd_value: 550 }],
  });
  // 6,000 Terrace and 12,000 dollars, half withdrawn, without trades: 3,000 and 6,000 less the 1,000 base units of
  // shares, of 8.5e15, that are locked for ever.
  const pool = at("pair_terrace_usdc");
  expect(pool).toMatchObject({ protocol: "Uniswap v2", kind: "pool_share" });
  expect(pool?.underlying.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([
    expect.closeTo(3_000, 6),
    expect.closeTo(6_000, 6),
  ]);
  const terrace = body.top_holdings.find(({ symbol }: { symbol: string }) => symbol === "TRC").price_usd;
  expect(terrace).toBeGreaterThan(1);
  // The pools hold few more Terrace than her share: they would not take hers at the price.
  const pools: readonly TruthPool[] = [
    { pool: "pair_terrace_usdc", base: "terrace", quote: "usdc", version: 2 },
    { pool: "pool_v3_terrace_usdc", base: "terrace", quote: "usdc", version: 3 },
  ];
  const sale = { amount: 3_000 * 1e18, price: terrace / 1e12, hour: stage.world.head.time };
  expect(pool?.usd_value).toBeCloseTo(6_000 + (await paidBy(truth, pools, sale)) / 1e6, 4);
  expect(positions).toHaveLength(2);
  const lp = body.composition_analysis.by_category.find(({ category }: { category: string }) => category === "lp");
  expect(lp).toMatchObject({ usd_value: pool?.usd_value, holdings: 1 });
  const held = body.top_holdings.reduce(
    (sum: number, row: ValuedRow) => sum + (row.usd_value ?? row.position_value_usd ?? 0),
    0,
  );
  expect(body.total_value_usd / held).toBeCloseTo(1, 10);
  expect(body.tokens_without_price).toBe(0);
  const [warning] = body.metadata.warnings;
  expect([body.metadata.warnings.length, warning.code]).toEqual([1, "NFT_POSITIONS_UNVALUED"]);
  expect(warning.message).toContain(stage.world.contracts.v3_positions);
});

test("values grace's pool shares as her part of the pool's reserves", async () => {
  const { body, at } = await portfolioOf("grace");
  const amounts = await shareOfPair("pair_weth_usdc", "grace");
  const is_ether_first = addressOf("weth").toLowerCase() < addressOf("usdc").toLowerCase();
  const [wei, units] = is_ether_first ? amounts : [amounts[1], amounts[0]];
  const ether = (await truth.etherUsd(stage.world.head.time)) ?? Number.NaN;
  const [pool] = [at("pair_weth_usdc")];
  expect(pool?.underlying.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual(
    [Number(wei) / 1e18, Number(units) / 1e6].map((amount) => expect.closeTo(amount, 6)),
  );
  expect((pool?.usd_value ?? 0) / ((Number(wei) / 1e18) * ether + Number(units) / 1e6)).toBeCloseTo(1, 10);
  const top = body.top_holdings.find(
    ({ token_address }: { token_address: string }) => token_address === pool?.token_address,
  );
  expect(top).toMatchObject({ position_value_usd: pool?.usd_value, price_usd: null });
  expect(top.usd_value).toBeUndefined();
});
