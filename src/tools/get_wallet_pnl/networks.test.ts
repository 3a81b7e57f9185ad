import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { fixedChain } from "../../../test/fixed_chain.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "../../../test/value_rows.ts";
import { SILENT_OPERATOR } from "../../domain/operator.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { getWalletStats } from "../get_wallet_stats/index.ts";
import { getWalletPnl } from "./index.ts";
import { type DetailedPnl, detailed } from "./shape.ts";

const WALLET = addressOf(0xa11ce);
const FRIEND = addressOf(0xf1);
const POOL = addressOf(0x900);
const USDC = hex("cc".repeat(20));
const TOKEN = hex("aa".repeat(20));
const ETH = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const HEAD = 105;
/** 23:00 of the last whole day before the head. */
const LAST_HOUR = dayOf(HEAD) - 3_600;
const NETWORK = { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] };
const chain = fixedChain({ network: NETWORK, accounts: { [POOL]: { code: new Uint8Array([1]) } } });

const erc20 = (token: Hex, source: Hex, destination: Hex, amount: bigint) => ({
  ...{ kind: "erc20" as const, token, source, destination, amount },
});

/** Ten bought at 100, four of them sold at 150. */
const traded = () => [
  ...transfersOf({ block: 100 }, FRIEND, [erc20(USDC, FRIEND, WALLET, 10_000n * DOLLAR)]),
  ...transfersOf({ block: 101 }, WALLET, [
    erc20(USDC, WALLET, POOL, 1_000n * DOLLAR),
    erc20(TOKEN, POOL, WALLET, 10n * ETH),
  ]),
  ...transfersOf({ block: 102 }, WALLET, [
    erc20(TOKEN, WALLET, POOL, 4n * ETH),
    erc20(USDC, POOL, WALLET, 600n * DOLLAR),
  ]),
];

let store: TestFacts;

const on = <T extends object>(network: string, rows: readonly T[]) => rows.map((row) => ({ ...row, network }));

beforeAll(async () => {
  store = await openTestFacts();
  const got = transfersOf({ block: 101 }, FRIEND, [erc20(USDC, FRIEND, WALLET, 70n * DOLLAR)]);
  const days = [100, 101, 102].map((block) => priceRow(USDC, dayOf(block), 1));
  const prices = [...days, priceRow(USDC, LAST_HOUR, 1), priceRow(TOKEN, LAST_HOUR, 160)];
  for (const [network, transfers] of [
    ["demo", traded()],
    ["second", got],
  ] as const) {
    const rows = { blocks: on(network, dailyBlocks(HEAD)), transfers: on(network, transfers) };
    await store.seed({ network, from: 0, to: HEAD }, rows);
    await store.writer.insert("prices", on(network, prices));
    await store.writer.insert("tokens", on(network, [tokenRow(USDC, "USDC", 6), tokenRow(TOKEN, "JUN", 18)]));
  }
});
afterAll(() => store.close());

test("what is minted before its first pool has no price yet, in books and in stats, in whatever hour that is", async () => {
  const [minter, coin, hour] = [addressOf(0xbee), hex("ab".repeat(20)), dayOf(103)];
  // Two mints in one hour; the pool is made in the block between them.
  const mint = (block: number, amount: bigint) =>
    transfersOf({ block }, minter, [erc20(coin, "", minter, amount)]).map((row) => ({ ...row, network: "third" }));
  const times = [0, 600, 1_200, 1_800, 7_200];
  const blocks = dailyBlocks(104)
    .slice(0, times.length)
    .map((row, i) => ({ ...row, block_number: 100 + i, time: hour + (times[i] ?? 0), network: "third" }));
  expect(blocks).toHaveLength(5);
  const at = (block: number) => (rows: ReturnType<typeof mint>) =>
    rows.map((row) => ({ ...row, time: hour + (times[block - 100] ?? 0) }));
  await store.seed(
    { network: "third", from: 100, to: 104 },
    {
      blocks: blocks,
      transfers: [...at(101)(mint(101, 5n * ETH)), ...at(103)(mint(103, 2n * ETH))],
      pools: [
        {
          ...{ network: "third", pool: bytesOf(addressOf(0x901)), family: "uniswap_v2", venue: "uni2" },
          ...{ factory: bytesOf(addressOf(0xfac)), token0: bytesOf(coin), token1: bytesOf(USDC), fee_ppm: 3_000 },
          ...{ tick_spacing: 0, block_number: 102, tx_index: 0, log_index: 0, time: hour + 1_200 },
          ...{ tx_hash: new Uint8Array(32).fill(7), creator: bytesOf(minter), hooks: new Uint8Array(0) },
        },
      ],
    },
  );
  await store.writer.insert("prices", on("third", [priceRow(USDC, hour, 1), priceRow(coin, hour, 3)]));
  await store.writer.insert("tokens", on("third", [tokenRow(coin, "NEW", 18), tokenRow(USDC, "USDC", 6)]));
  const asked = { address: `0x${minter}`, network: "third" };
  const context = {
    facts: store.facts,
    chain: () => fixedChain({ network: { ...NETWORK, id: "third" } }),
    networks: ["third"],
    operator: SILENT_OPERATOR,
    signal: AbortSignal.timeout(30_000),
  };
  const outcome = await runTool(getWalletPnl, asked, context);
  if (outcome.kind !== "data") throw new Error(outcome.kind);
  const [row] = detailed.parse(outcome.data).data;
  expect(row?.trading).toMatchObject({ received_amount: 7, income_usd: 6, received_cost_usd: 6, uncosted_amount: 5 });
  // 2 of 7 came when there was a market: 2 x 3 USD.
  const stats = await runTool(getWalletStats, asked, context);
  expect(stats).toMatchObject({ kind: "data", data: { total_in_usd: 6, unpriced_transfers: 1 } });
  expect(stats).toMatchObject({ data: { of_which: { in: { mints_usd: 6 } } } });
});

interface PnlTestInput {
  readonly network: string;
  readonly page?: number;
  readonly records_per_page?: number;
}

describe("several networks", () => {
  const other = fixedChain({ network: { ...NETWORK, id: "second" } });
  const ask = (asked: PnlTestInput) =>
    runTool(
      getWalletPnl,
      { address: `0x${WALLET}`, to_date: "2026-01-05", ...asked },
      {
        facts: store.facts,
        chain: (id) => (id === "second" ? other : chain),
        networks: ["demo", "second"],
        operator: SILENT_OPERATOR,
        signal: AbortSignal.timeout(30_000),
      },
    );
  const detailedOf = async (asked: PnlTestInput): Promise<DetailedPnl> => {
    const outcome = await ask(asked);
    if (outcome.kind !== "data") throw new Error(outcome.kind);
    return detailed.parse(outcome.data);
  };

  test("each network has books of its own, and the sums are theirs together", async () => {
    const [demo, second] = [await detailedOf({ network: "demo" }), await detailedOf({ network: "second" })];
    const both = await detailedOf({ network: "all" });
    expect(both.by_network).toEqual([...demo.by_network, ...second.by_network]);
    expect(both.by_network.map(({ network }) => network)).toEqual(["demo", "second"]);
    expect(both.data).toHaveLength(demo.data.length + second.data.length);
    expect(both.data.find(({ chain, token_symbol }) => chain === "second" && token_symbol === "USDC")).toEqual(
      second.data[0],
    );
    const { total_tokens, total_realized_pnl_usd, total_pnl_usd } = both.summary.all_tokens;
    expect(total_tokens).toBe(demo.summary.total_tokens + second.summary.total_tokens);
    expect(total_realized_pnl_usd).toBe(demo.summary.total_realized_pnl_usd);
    expect(total_pnl_usd).toBeCloseTo(demo.summary.total_pnl_usd + second.summary.total_pnl_usd, 9);
    expect(both.metadata).toMatchObject({ chain: "all", as_of: null });
    expect(both.metadata.networks?.map(({ network }) => network)).toEqual(["demo", "second"]);
    expect(await detailedOf({ network: "evm" })).toMatchObject({ summary: both.summary });
  });

  test("pages of the union neither repeat nor skip, and one beyond the last has no data", async () => {
    const whole = (await detailedOf({ network: "all" })).data;
    const pages = await Promise.all(
      whole.map((_, i) => detailedOf({ network: "all", page: i + 1, records_per_page: 1 })),
    );
    expect(pages.flatMap(({ data }) => data)).toEqual(whole);
    expect(await ask({ network: "all", page: whole.length + 1, records_per_page: 1 })).toMatchObject({
      kind: "no_data",
    });
  });
});
