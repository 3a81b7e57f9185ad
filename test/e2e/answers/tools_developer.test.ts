import { beforeAll, expect, test } from "vitest";
import { ETHER, on } from "../../../src/demo/evm/act.ts";
import { type SharedWorldService, sharedWorld, T0 } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
});

const DAY_S = 86_400;
const addressOf = (name: string): string => truth.addressOf(name);
const charged = ({ headers }: { readonly headers: Headers }): number => Number(headers.get("x-credits-charged"));
const developerOf = (name: string, more: Readonly<Record<string, unknown>> = {}, ask: "ask" | "told" = "told") =>
  stage[ask]("analyze_token_developer", { token_address: addressOf(name), network: "demo", ...more });
const iso = (seconds: number): string => new Date((T0 + seconds) * 1000).toISOString().replace(".000Z", "Z");
const etherUsd = async (seconds: number): Promise<number> => {
  const price = await truth.etherUsd(T0 + seconds);
  if (price === null) throw new Error(`no price at ${seconds}`);
  return price;
};

/** v2-core's formula: 0.3 % of the input stays in the pool. */
const bought = (paid: bigint, reserve_in: bigint, reserve_out: bigint): bigint =>
  (paid * 997n * reserve_out) / (reserve_in * 1000n + paid * 997n);

/** Keel's pool after each of its trades: 10 ether against 2,000,000, half an ether, 70,000 Keel, half an ether. */
const keel = (() => {
  const half = ETHER / 2n;
  const first = bought(half, 10n * ETHER, 2_000_000n * ETHER);
  const after_first = { ether: 10n * ETHER + half, keel: 2_000_000n * ETHER - first };
  const sold = 70_000n * ETHER;
  const got = bought(sold, after_first.keel, after_first.ether);
  const after_sale = { ether: after_first.ether - got, keel: after_first.keel + sold };
  const second = bought(half, after_sale.ether, after_sale.keel);
  return { lydia: 1_000_000n * ETHER + first + second, got, ether: after_sale.ether + half };
})();
const whole = (raw: bigint): number => Number(raw) / 1e18;
const near = (value: number) => expect.closeTo(value, 6);

test("names rupert as Keel's developer, with lydia and the holdings and trades of both", async () => {
  const answer = await developerOf("keel");
  expect(charged(answer)).toBe(25);
  const { body } = answer;
  const now = Date.parse(body.metadata.as_of.timestamp) / 1000;
  expect(body.token).toMatchObject({ address: addressOf("keel"), symbol: "KEL", created_at: iso(on(60, 10)) });
  expect(body.token.creation_tx).toBe(truth.hashAt(on(60, 10)));
  expect(body.developer).toMatchObject({
    address: addressOf("rupert"),
    is_contract_factory: false,
    launchpad: null,
    age_days: near((now - T0 - on(20, 10)) / DAY_S),
    first_funder: { address: addressOf("bank"), tx_hash: truth.hashAt(on(20, 10)) },
  });
  expect(body.developer.first_funder.amount_usd).toBeCloseTo(40 * (await etherUsd(on(20, 10))), 2);
  // 10,000,000 less 1,000,000 to lydia, 2,000,000 into the pool, 70,000 sold.
  expect(body.holdings.developer_balance_raw).toBe((6_930_000n * ETHER).toString());
  expect(body.holdings.developer_percent).toBe(69.3);
  expect(body.holdings.linked_percent).toBeCloseTo(69.3 + whole(keel.lydia) / 100_000, 9);
  expect(body.holdings.linked_wallets).toEqual([
    { address: addressOf("lydia"), relation: "received_before_trade", percent: near(whole(keel.lydia) / 100_000) },
    { address: addressOf("bank"), relation: "first_funder", percent: 0 },
  ]);
  const actions = body.developer_actions;
  expect(actions).toMatchObject({
    sold_amount: 70_000,
    first_sell_at: iso(on(70, 10) + 12),
    transferred_to_exchange_usd: 0,
    liquidity_removed_usd: 0,
    lp_status: "burned",
    mint_after_launch_raw: "0",
    ownership: "unknown", // a PlainToken has no owner
  });
  expect(actions.sold_usd).toBeCloseTo(whole(keel.got) * (await etherUsd(on(70, 10))), 2);
  expect(actions.liquidity_added_usd).toBeCloseTo(20 * (await etherUsd(on(60, 10))), 2);
});

test("reports the outcomes of rupert's tokens by the story: one live, one abandoned, one rugged", async () => {
  const { body } = await developerOf("keel");
  const { history } = body;
  const rows = history.tokens.map(({ symbol, outcome, cause }: Record<string, unknown>) => [symbol, outcome, cause]);
  expect(rows).toEqual([
    ["KEL", "alive", null],
    ["HSK", "dead", null],
    ["GLT", "rugged", "liquidity_removal"],
  ]);
  expect(history).toMatchObject({ tokens_launched: 3, rugged: 1, dead: 1, alive: 1, too_new: 0 });
  expect(history.rug_rate_percent).toBeCloseTo(100 / 3, 9);
  // Glint lived three days and one action before the removal, Husk until its only swap.
  expect(history.median_lifetime_days).toBeCloseTo((3 + 12 / DAY_S + 1) / 2, 9);
  const [alive, dead, robbed] = history.tokens;
  expect(alive.peak_liquidity_usd).toBeCloseTo(2 * whole(keel.ether) * (await etherUsd(on(80, 10))), 2);
  expect(dead.peak_liquidity_usd).toBeCloseTo(2 * 0.11 * (await etherUsd(on(31, 10))), 2);
  expect(robbed.peak_liquidity_usd).toBeCloseTo(2 * 9 * (await etherUsd(on(22, 10))), 2);
  const removal = { kind: "tx", ref: truth.hashAt(on(24, 10) + 12), observed_at: iso(on(24, 10) + 12) };
  expect(robbed.evidence).toEqual([removal]);
  // One rug among three, and three quarters of the supply in linked hands, but the liquidity cannot be removed.
  expect(body.risk_level).toBe("high");
  expect(body.flags.map(({ code }: { code: string }) => code)).toEqual(["past_rug", "linked_supply"]);
  expect(body.flags[0].evidence).toEqual([removal]);
  expect(body.networks_searched).toEqual(["demo"]);
});

test("warns of Glint before the rug: it is too new, and rupert has its shares", async () => {
  const { body } = await developerOf("glint", { as_of_block: truth.blockAt(T0 + on(22, 12)) });
  expect(body.history).toMatchObject({ tokens_launched: 1, rugged: 0, too_new: 1, rug_rate_percent: null });
  expect(body.developer_actions).toMatchObject({ lp_status: "held", liquidity_removed_usd: 0 });
  expect(body.risk_level).toBe("critical"); // 95 % linked and the liquidity held
});

test("finds no market of Glint afterwards", async () => {
  const { body } = await developerOf("glint");
  expect(body.developer_actions.lp_status).toBe("unknown");
  // All of 9 ether except the dust of the shares that every pool locks.
  expect(body.developer_actions.liquidity_removed_usd).toBeCloseTo(2 * 9 * (await etherUsd(on(24, 10))), 2);
});

test("reports mallory's record of two rugs, one of them a live trap", async () => {
  const { body } = await developerOf("moonlift");
  const rows = Object.fromEntries(
    body.history.tokens.map(({ symbol, outcome, cause }: Record<string, unknown>) => [symbol, [outcome, cause]]),
  );
  expect(rows).toMatchObject({
    MOON: ["rugged", "liquidity_removal"],
    HNY: ["rugged", "honeypot"],
    TOLL: ["alive", null],
    USDC: ["counterfeit", null], // the symbol of a known coin; never listed
  });
  expect(body.risk_level).toBe("critical");
  expect(body.flags[0].code).toBe("serial_rugger");
});

test("names dave as the developer of his tokens, also of the one that his factory made", async () => {
  const { body } = await developerOf("orchard");
  expect(body.developer).toMatchObject({ address: addressOf("dave"), is_contract_factory: true });
  expect(body.history.rugged).toBe(0);
  expect(body.developer_actions.ownership).toBe("unknown");
  expect((await developerOf("copper")).body.developer_actions).toMatchObject({
    ownership: "eoa",
    mint_after_launch_raw: null, // never listed
  });
});

test("reports the same outcomes in rupert's deployed contracts, and whether their source is known", async () => {
  const { body } = await stage.ask("get_wallet_deployed_contracts", { address: addressOf("rupert"), network: "demo" });
  const rows = body.data.map(({ contract_address, is_verified, token }: Record<string, unknown>) => [
    contract_address,
    is_verified,
    // Every row is a token here: three of his own, and the shares of their pools.
    (token as { outcome: string | null }).outcome,
  ]);
  // The pools were compiled by a compiler that is not available here; their shares are no launched tokens.
  expect(rows).toEqual([
    [addressOf("pair_keel_weth"), false, null],
    [addressOf("keel"), true, "alive"],
    [addressOf("pair_husk_weth"), false, null],
    [addressOf("husk"), true, "dead"],
    [addressOf("pair_glint_weth"), false, null],
    [addressOf("glint"), true, "rugged"],
  ]);
  expect(body.summary).toMatchObject({ total: 6, verified: 3, destroyed: 0 });
  const keel_row = body.data[1];
  expect(keel_row.token.liquidity_usd).toBeGreaterThan(500);
});

test("refunds a call for an address without a token", async () => {
  for (const name of ["alice", "v2_router"]) {
    const answer = await developerOf(name);
    expect(answer.body).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
    expect(charged(answer)).toBe(0);
  }
  const native = await stage.ask("analyze_token_developer", { token_address: "native", network: "demo" });
  expect(native.body).toMatchObject({ status: "error", code: "NOT_A_TOKEN" });
});

test.each([
  ["network", { network: "all" }],
  ["token_address", { token_address: "0x12" }],
  ["days", { days: 3 }],
])("rejects a wrong %s", async (field, wrong) => {
  const answer = await developerOf("keel", wrong);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain(field);
});

test("returns the same answer at the same block, byte for byte", async () => {
  const as_of_block = truth.blockAt(T0 + on(85, 0));
  const [first, second] = [
    await developerOf("keel", { as_of_block }, "ask"),
    await developerOf("keel", { as_of_block }, "ask"),
  ];
  expect(second.text).toBe(first.text);
});
