import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "../../../test/value_rows.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import type { SourcedRule } from "../../lib/risk_rule.ts";
import { type ListHead, replaceList } from "../../store/lists.ts";
import type { TableRows } from "../../store/tables.gen.ts";
import { getWalletRiskOverview } from "../get_wallet_risk_overview.ts";

// Tracing from the stored ledger to the answer. Ether costs 2,500 dollars, USDC one; blocks 100 to 130 are a day apart.

const HEAD = 130;
const [USDC, WETH] = [addressOf(0x50), addressOf(0x51)];
const [SANCTIONED, THIEF, MIXER, EXCHANGE, POOL] = [1, 2, 3, 4, 5].map((n) => addressOf(0x100 + n)) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]; // five numbers are five addresses
const MIXED = addressOf(0x200);
const TARGET = addressOf(0x201);
const ETHER_TARGET = addressOf(0x202);
const DUSTED = addressOf(0x203);
const PEELED = addressOf(0x204);
const SWAPPER = addressOf(0x205);
const WRAPPER = addressOf(0x206);
const AFTER_WRAP = addressOf(0x207);
const DEPOSIT_LIKE = addressOf(0x208);
const BEHIND_DEPOSIT = addressOf(0x209);
const BAD_DEPOSIT = addressOf(0x20a);
const OF_BAD_DEPOSIT = addressOf(0x20b);
const [QUEUE, AFTER_QUEUE] = [addressOf(0x20c), addressOf(0x20d)];
const peel = (i: number): Hex => addressOf(0x300 + i);
const shop = (i: number): Hex => addressOf(0x400 + i);

type TestMove = Parameters<typeof transfersOf>[2][number];
const usdc = (source: Hex, destination: Hex, dollars: number): TestMove => ({
  ...{ kind: "erc20", token: USDC, source, destination, amount: BigInt(dollars) * 10n ** 6n },
});
const ether = (source: Hex, destination: Hex, coins: number): TestMove => ({
  ...{ kind: "native", token: hex(""), source, destination, amount: BigInt(coins) * 10n ** 18n },
});
const weth = (source: Hex, destination: Hex, coins: number): TestMove => ({
  ...ether(source, destination, coins),
  ...{ kind: "erc20", token: WETH },
});
const act = (block: number, tx_index: number, moved: readonly TestMove[]) =>
  transfersOf({ block, tx_index }, moved[0]?.source ?? SANCTIONED, moved);

/** 100,000 sanctioned dollars and 400 clean ether in one wallet; it pays 50,000 of one and 10 of the other. */
const mixed = () => [
  ...act(101, 0, [usdc(SANCTIONED, MIXED, 100_000)]),
  ...act(102, 0, [ether(EXCHANGE, MIXED, 400)]),
  ...act(103, 0, [usdc(MIXED, TARGET, 50_000)]),
  ...act(103, 1, [ether(MIXED, ETHER_TARGET, 10)]),
  ...act(103, 2, [usdc(SANCTIONED, DUSTED, 96)]),
  ...act(104, 0, [usdc(EXCHANGE, DUSTED, 904)]),
];

/** 13 addresses peel off 36,000 each of 1,300,000: 832,000 are left, 64 %. */
const peelChain = () => [
  ...act(105, 0, [usdc(THIEF, peel(1), 1_300_000)]),
  ...Array.from({ length: 13 }, (_, n) => n + 1).flatMap((i) => [
    ...act(105 + i, 0, [usdc(peel(i), shop(i), 36_000)]),
    ...act(105 + i, 1, [usdc(peel(i), i === 13 ? PEELED : peel(i + 1), 1_300_000 - 36_000 * i)]),
  ]),
];

/** 10,000 of the mixer become 4 ether in a pool, 3 of them are wrapped and paid on. */
const swapAndWrap = () => [
  ...act(120, 0, [usdc(MIXER, SWAPPER, 10_000)]),
  ...act(121, 0, [usdc(SWAPPER, POOL, 10_000), ether(POOL, SWAPPER, 4)]),
  ...act(122, 0, [ether(SWAPPER, WRAPPER, 3)]),
  ...act(123, 0, [
    { ...ether(WRAPPER, WETH, 3), kind: "native" },
    { ...weth(hex(""), WRAPPER, 3), kind: "wrap" },
  ]),
  ...act(124, 0, [weth(WRAPPER, AFTER_WRAP, 3)]),
];

/** 600 of the mixer, then 400 clean dollars; 500 go elsewhere, then 500 to the last address. */
const inOrder = () => [
  ...act(128, 0, [usdc(MIXER, QUEUE, 600)]),
  ...act(128, 1, [usdc(EXCHANGE, QUEUE, 400)]),
  ...act(129, 0, [usdc(QUEUE, shop(50), 500)]),
  ...act(129, 1, [usdc(QUEUE, AFTER_QUEUE, 500)]),
];

/** A derived label of a deposit address stops nothing: neither value through it, nor its own sanction. */
const deposits = () => [
  ...act(125, 0, [usdc(THIEF, DEPOSIT_LIKE, 5_000)]),
  ...act(126, 0, [usdc(DEPOSIT_LIKE, BEHIND_DEPOSIT, 5_000)]),
  ...act(127, 0, [usdc(BAD_DEPOSIT, OF_BAD_DEPOSIT, 700)]),
];

const label = (address: Hex, category: string, source = "operator", confidence = 0.95): TableRows["labels"] => ({
  ...{ network: "demo", address: bytesOf(address), source, label: `A ${category}`, category, entity: "", confidence },
  ...{ evidence: "", written_at: 1, valid_from: 0, licence: "", published_on: "" },
});

const IMPORTED_MS = dayOf(HEAD) * 1_000;
const LIST: ListHead = {
  list: "authority",
  kind: "sanctions",
  version: "v1",
  format: "sanctions-json",
  origin: "test",
  licence: "CC0-1.0",
  published_on: "2026-01-30",
};
const entry = {
  ...{ family: "evm", address: addressOf(0x999), asset_code: "ETH", entity: "Another", program: "P" },
  ...{ listed_on: "2024-01-02", delisted_on: "" },
};

const timeOf = (block: number): string => new Date(dayOf(block) * 1_000).toISOString().replace(".000Z", "Z");

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 0, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers: [...mixed(), ...peelChain(), ...swapAndWrap(), ...deposits(), ...inOrder()],
      tokens: [tokenRow(USDC, "USDC", 6), tokenRow(WETH, "WETH", 18)],
      prices: Array.from({ length: HEAD - 99 }, (_, i) => dayOf(100 + i)).flatMap((day) => [
        priceRow(WETH, day, 2_500),
        priceRow(USDC, day, 1),
      ]),
      labels: [
        label(SANCTIONED, "sanctioned"),
        label(THIEF, "theft"),
        label(MIXER, "mixer"),
        label(EXCHANGE, "exchange"),
        label(POOL, "dex", "pools"),
        label(DEPOSIT_LIKE, "exchange_deposit", "deposits", 0.75),
        label(BAD_DEPOSIT, "exchange_deposit", "deposits", 0.75),
        label(BAD_DEPOSIT, "sanctioned"),
      ],
    },
  );
  await replaceList(store, LIST, { kind: "sanctions", entries: [entry], now_ms: IMPORTED_MS });
});
afterAll(() => store.close());

const chain = fixedChain({
  network: { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
});
const operator = { ...SILENT_OPERATOR, sanctions: { max_age_hours: 168, now_ms: () => IMPORTED_MS } };
interface OverviewFixture {
  readonly method?: "fifo" | "poison";
  readonly risk_rules?: readonly SourcedRule[];
}

const overview = async (who: Hex, { method, risk_rules = [] }: OverviewFixture = {}) => {
  const found = await runTool(
    getWalletRiskOverview,
    { address: `0x${who}`, network: "demo", ...(method === undefined ? {} : { method }) },
    {
      ...{
        facts: store.facts,
        chain: () => chain,
        networks: ["demo"],
        operator: { ...operator, readRiskRules: async () => risk_rules },
      },
      signal: new AbortController().signal,
    },
  );
  if (found.kind !== "data") throw new Error(found.message);
  return found.data;
};

test("clean ether does not wash sanctioned dollars: all of the target's money is sanctioned", async () => {
  // 1.00 * sqrt(1) * 0.5
  expect(await overview(TARGET)).toMatchObject({
    risk_score: 50,
    categories: [
      {
        ...{ category: "sanctioned", exposure_in_usd: 50_000, direct_in_usd: 0, indirect_in_usd: 50_000 },
        ...{ share_in_percent: 100, min_hops: 2 },
      },
    ],
    tracing: { followed_usd: 50_000, stopped_at_services_usd: 0, not_followed_usd: 0 },
  });
  expect(await overview(ETHER_TARGET)).toMatchObject({
    risk_score: 0,
    categories: [],
    tracing: { followed_usd: 0, stopped_at_services_usd: expect.closeTo(25_000, 6), not_followed_usd: 0 },
  });
});

test("an end without a risk category has its reason, its share and every payment on its path", async () => {
  const ETHER = { token: null, symbol: "ETH" };
  const { ends } = await overview(ETHER_TARGET);
  expect(ends).toMatchObject([
    {
      ...{ address: `0x${EXCHANGE}`, label: "A exchange", direction: "in", reason: "service", hops: 2 },
      ...{ usd: expect.closeTo(25_000, 6), share_percent: expect.closeTo(100, 6) },
      path: [
        { address: `0x${EXCHANGE}`, time: timeOf(102), paid: [{ ...ETHER, amount: 400, usd: 1_000_000 }] },
        { address: `0x${MIXED}`, time: timeOf(103), paid: [{ ...ETHER, amount: 10, usd: 25_000 }] },
      ],
    },
  ]);
  const wrapped = (await overview(AFTER_WRAP)).categories[0]?.sources[0]?.path.at(-1);
  expect(wrapped).toMatchObject({
    ...{ address: `0x${WRAPPER}`, time: timeOf(124) },
    paid: [{ token: `0x${WETH}`, symbol: "WETH", amount: 3, usd: 7_500 }],
  });
});

test("an end of payments is who holds the money", async () => {
  // Of 100,000 dollars the target got half, and the dusted wallet 96 more.
  const { ends } = await overview(SANCTIONED);
  const paid = ends.filter(({ direction }) => direction === "out");
  expect(paid.map(({ address, reason, usd }) => [address, reason, usd])).toEqual([
    [`0x${MIXED}`, "still_held", 50_000],
    [`0x${TARGET}`, "still_held", 50_000],
    [`0x${DUSTED}`, "still_held", 96],
  ]);
});

test("96 dollars directly from a sanctioned address are shown as dust with their transaction", async () => {
  // 96 of 1,000: sqrt(0.096 / 0.25) = 0.6197, of which a quarter counts: 15.5.
  const found = await overview(DUSTED);
  expect(found).toMatchObject({
    risk_score: 15,
    categories: [
      { category: "sanctioned", direct_in_usd: 96, dust_in_usd: 96, sources: [{ is_dust: true, hops: 1, usd: 96 }] },
    ],
    tracing: { followed_usd: 96, stopped_at_services_usd: 904, not_followed_usd: 0 },
  });
  expect(found.categories[0]?.evidence.map(({ kind }) => kind)).toEqual(["label", "tx"]);
});

test("64 % of a theft arrives after a peel chain of 13, each step with its transaction", async () => {
  const { categories, risk_score, behaviour } = await overview(PEELED);
  // 0.90 * 1 * 0.5, and nothing else.
  expect([risk_score, behaviour]).toEqual([45, []]);
  expect(categories).toMatchObject([
    { category: "theft_or_exploit", indirect_in_usd: 832_000, share_in_percent: 100, min_hops: 14 },
  ]);
  expect(categories[0]?.sources[0]?.path.map(({ address }) => address.toLowerCase())).toEqual(
    [THIEF, ...Array.from({ length: 13 }, (_, i) => peel(i + 1))].map((address) => `0x${address}`),
  );
});

test("the mixer's dollars stay the mixer's as ether and as wrapped ether", async () => {
  // 3 ether of 4: 7,500.
  const [found] = (await overview(AFTER_WRAP)).categories;
  expect(found).toMatchObject({ category: "mixer", share_in_percent: 100, min_hops: 3 });
  expect(found?.indirect_in_usd).toBeCloseTo(7_500, 6);
});

test("a derived label of a deposit address stops nothing that is bad", async () => {
  expect((await overview(BEHIND_DEPOSIT)).categories).toMatchObject([
    { category: "theft_or_exploit", indirect_in_usd: 5_000 },
  ]);
  expect((await overview(OF_BAD_DEPOSIT)).categories).toMatchObject([{ category: "sanctioned", direct_in_usd: 700 }]);
  expect(await overview(BAD_DEPOSIT)).toMatchObject({ categories: [{ category: "sanctioned", direct: true }] });
});

test("the method decides how much of mixed money is tainted", async () => {
  const received = async (more: OverviewFixture) => {
    const { categories, tracing } = await overview(AFTER_QUEUE, more);
    return [categories[0]?.indirect_in_usd, tracing.method.slice(0, tracing.method.indexOf(":"))];
  };
  // 60 % of 500; the last 100 of the first 600; all of it.
  expect(await received({})).toEqual([300, "haircut@2"]);
  expect(await received({ method: "fifo" })).toEqual([100, "fifo@2"]);
  expect(await received({ method: "poison" })).toEqual([500, "poison@2"]);
});

test("a rule of the operator fires with the measured value and its limit", async () => {
  const rule = (more: Partial<SourcedRule>): SourcedRule => ({
    ...{ id: "sanctions", source: "portal", category: "sanctioned", exposure: "direct", direction: "in" },
    ...{ usd: null, percent: null, ...more },
  });
  const risk_rules = [
    rule({ usd: 96 }),
    rule({ id: "more", usd: 97 }),
    rule({ id: "indirect", exposure: "indirect", usd: 0 }),
  ];
  const found = await overview(DUSTED, { risk_rules });
  expect([found.rules_checked, found.rules_fired]).toEqual([
    3,
    [
      {
        ...{ id: "sanctions", source: "portal", category: "sanctioned", exposure: "direct", direction: "in" },
        ...{ usd: 96, percent: expect.closeTo(9.6, 9), limit_usd: 96, limit_percent: null },
      },
    ],
  ]);
  expect(await overview(DUSTED)).toMatchObject({ rules_checked: 0, rules_fired: [] });
});
