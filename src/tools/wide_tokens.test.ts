import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../test/fixed_chain.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { bytesOf, dailyBlocks, dayOf, tokenRow, transfersOf } from "../../test/value_rows.ts";
import { selectorOf } from "../domain/abi.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { WORD_MAX } from "../lib/wide.ts";
import { getTokenFlows } from "./get_token_flows/index.ts";
import { getTokenHoldersTraders } from "./get_token_holders_traders/index.ts";
import { getTokenInfo } from "./get_token_info/index.ts";
import { getTokenMarketAnalysis } from "./get_token_market_analysis/index.ts";
import { getTokenRiskTraits } from "./get_token_risk_traits/index.ts";
import { getWalletPortfolioBreakdown } from "./get_wallet_portfolio_breakdown.ts";
import { getWalletTokenHoldings } from "./get_wallet_token_holdings/index.ts";
import type { AnyTool } from "./tool.ts";

const [WHALE, BOB, CAROL] = [hex("a1".repeat(20)), hex("b0".repeat(20)), hex("ca".repeat(20))];
const HEAD = 106;

/** Ten hands out nine tenths to the whale, one tenth to Bob. */
const [SMALL, HUGE] = [hex("51".repeat(20)), hex("52".repeat(20))];
/** Events hand out the largest number twice; or let the whale send ten times what it got. */
const [BEYOND, DEBT] = [hex("53".repeat(20)), hex("54".repeat(20))];
/** A contract with transfers that reports nothing. */
const MUTE = hex("55".repeat(20));
const TOKENS = [SMALL, HUGE, BEYOND, DEBT, MUTE];

const tenths = (supply: bigint): readonly [bigint, bigint] => [supply - supply / 10n, supply / 10n];

type TransferStep = readonly [source: Hex, destination: Hex, amount: bigint];

const moved = (token: Hex, tx_index: number, steps: readonly TransferStep[]) =>
  transfersOf(
    { block: 102, tx_index },
    BOB,
    steps.map(([source, destination, amount]) => ({ kind: "erc20", token, source, destination, amount })),
  );

const handedOut = (token: Hex, tx_index: number, supply: bigint) =>
  moved(token, tx_index, [
    ["", WHALE, tenths(supply)[0]],
    ["", BOB, tenths(supply)[1]],
  ]);

/** PUSH4 selector EQ for each function that makes a token. */
const code = bytesOf(
  hex(
    ["transfer(address,uint256)", "balanceOf(address)", "totalSupply()"]
      .map((signature) => `63${selectorOf(signature)}14`)
      .join(""),
  ),
);
const told = (total_supply: bigint) => ({ standard: "erc20", symbol: "WID", name: "Wide", decimals: 18, total_supply });

const state: FixedState = {
  blocks: [{ number: HEAD, hash: hex("00"), parent_hash: hex("00"), time: dayOf(HEAD) }],
  accounts: Object.fromEntries(TOKENS.map((token) => [token, { code }])),
  tokens: {
    [SMALL]: told(1_000n),
    [HUGE]: told(WORD_MAX),
    [BEYOND]: told(WORD_MAX),
    [DEBT]: told(1_000n),
  },
};
/** A node with old states, and contracts that answer for the tokens of the lies. */
const archive = fixedChain({
  ...state,
  token_balances: { [`${BEYOND}:${WHALE}`]: WORD_MAX, [`${DEBT}:${WHALE}`]: 900n, [`${DEBT}:${BOB}`]: 100n },
});
const pruned = fixedChain({ ...state, can: { archive: false } });

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  const transfers = [
    ...handedOut(SMALL, 0, 1_000n),
    ...handedOut(HUGE, 1, WORD_MAX),
    ...moved(BEYOND, 2, [
      ["", WHALE, WORD_MAX],
      ["", WHALE, WORD_MAX],
    ]),
    ...moved(BEYOND, 3, [["", CAROL, 2n * 10n ** 18n]]),
    ...moved(DEBT, 4, [
      ["", WHALE, 100n],
      [WHALE, BOB, 1_000n],
    ]),
    ...moved(MUTE, 5, [["", BOB, 7n]]),
  ];
  await store.seed({ network: "demo", from: 100, to: HEAD }, { blocks: dailyBlocks(HEAD), transfers });
  await store.writer.insert(
    "tokens",
    TOKENS.slice(0, -1).map((token) => tokenRow(token, "WID", 18)),
  );
});
afterAll(() => store.close());

const contextOf = (chain: typeof archive) => callContext({ facts: store.facts, chain: () => chain });

interface ToolTestAnswer {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The answer of any of these tools. */
const ask = async (tool: AnyTool, input: object, chain = archive): Promise<ToolTestAnswer> =>
  // Callers must check `kind` before reading `data`.
  (await runTool(tool, { network: "demo", ...input }, contextOf(chain))) as unknown as ToolTestAnswer;

const warned = (answer: { readonly data: unknown }): readonly string[] =>
  (answer.data as { metadata: { warnings: { code: string }[] } }).metadata.warnings.map(({ code: found }) => found);

const of = (token: Hex) => ({ token_address: `0x${token}` });
const by = (wallet: Hex) => ({ wallet_address: `0x${wallet}` });

describe("a token of 2^256 - 1 units", () => {
  test("shows its whale first, with nine tenths", async () => {
    for (const chain of [archive, pruned]) {
      const { data } = await ask(getTokenHoldersTraders, of(HUGE), chain);
      const [whale, bob] = tenths(WORD_MAX);
      expect(data).toMatchObject({
        holders: [
          { address: chain.formatAddress(WHALE), balance_raw: whale.toString() },
          { address: chain.formatAddress(BOB), balance_raw: bob.toString() },
        ],
        concentration: { all: { top10_percent: 100 }, flag: "high" },
      });
      expect((data as { holders: { ownership_percentage: number }[] }).holders[0]?.ownership_percentage).toBeCloseTo(
        90,
        9,
      );
    }
  });

  test("is in the whale's holdings and portfolio, exact to the unit", async () => {
    const row = { token_address: archive.formatAddress(HUGE) };
    const { data } = await ask(getWalletTokenHoldings, by(WHALE));
    const held = (data as { holdings: object[] }).holdings;
    expect(held).toContainEqual(expect.objectContaining({ ...row, balance_raw: tenths(WORD_MAX)[0].toString() }));
    const portfolio = await ask(getWalletPortfolioBreakdown, by(WHALE));
    expect(JSON.stringify(portfolio.data)).toContain(tenths(WORD_MAX)[0].toString());
  });

  test("has the score of the same token in small", async () => {
    const risk = { HUGE: await ask(getTokenRiskTraits, of(HUGE)), SMALL: await ask(getTokenRiskTraits, of(SMALL)) };
    const { risk_overview, ownership } = risk.HUGE.data as Record<string, object>;
    expect(ownership).toMatchObject({ holder_count: 2, top10_percent_adjusted: 100 });
    expect(risk_overview).toEqual((risk.SMALL.data as Record<string, object>).risk_overview);
  });
});

const scoreOf = async (token: Hex, chain: typeof archive): Promise<number> => {
  const { data } = await ask(getTokenRiskTraits, of(token), chain);
  // No trade can be simulated here, so the lower bound is 0: what is found shows in the upper one.
  return (data as { risk_overview: { score_range: { max: number } } }).risk_overview.score_range.max;
};

describe("a token whose events do not add up", () => {
  test("keeps its whale in the list, with the contract's balance or none", async () => {
    for (const token of [BEYOND, DEBT]) {
      const live = await ask(getTokenHoldersTraders, of(token), archive);
      expect(warned(live)).toContain("BALANCES_UNKNOWN");
      const raw = token === BEYOND ? WORD_MAX : 900n;
      expect(live.data).toMatchObject({
        holders: [{ address: archive.formatAddress(WHALE) }, {}],
        concentration: null,
      });
      expect(live.data).toMatchObject({ holders: [{ balance_raw: raw.toString() }, {}] });

      const blind = await ask(getTokenHoldersTraders, of(token), pruned);
      expect(warned(blind)).toContain("BALANCES_UNKNOWN");
      const { holders, unavailable } = blind.data as { holders: object[]; unavailable: { field: string }[] };
      expect(holders).toHaveLength(2);
      expect(holders).toContainEqual(
        expect.objectContaining({ address: pruned.formatAddress(WHALE), balance_raw: null }),
      );
      expect(unavailable.map(({ field }) => field)).toEqual(
        expect.arrayContaining(["holders[].balance_raw", "concentration"]),
      );
    }
  });

  test("scores worse than an honest one that is as concentrated", async () => {
    for (const chain of [archive, pruned]) {
      const honest = await scoreOf(SMALL, chain);
      for (const token of [BEYOND, DEBT]) {
        const { data } = await ask(getTokenRiskTraits, of(token), chain);
        const { alerts } = data as { alerts: { code: string }[] };
        expect(alerts.map(({ code: found }) => found)).toContain("abnormal_supply");
        expect(await scoreOf(token, chain)).toBeLessThanOrEqual(honest);
      }
      expect(await scoreOf(BEYOND, chain)).toBeLessThan(honest);
    }
  });

  test("counts no holders, and every answer says why", async () => {
    for (const token of [BEYOND, DEBT]) {
      const info = await ask(getTokenInfo, of(token));
      expect(info.data).toMatchObject({ holders_count: null });
      expect(warned(info)).toContain("BALANCES_UNKNOWN");
      const flows = await ask(getTokenFlows, { ...of(token), from_date: "2026-01-01", to_date: "2026-01-07" });
      expect(warned(flows)).toContain("BALANCES_UNKNOWN");
      const { data: rows } = flows.data as {
        data: { holders_count: unknown; segment_balance_raw: unknown }[];
      };
      expect(rows.every((row) => row.holders_count === null && row.segment_balance_raw === null)).toBe(true);
    }
  });

  test("is never proven not to be held", async () => {
    // Carol's two coins of the token are a balance that there can be; what the whale has of it is not known.
    const answer = await ask(getWalletTokenHoldings, by(WHALE), fixedChain({ ...state }));
    expect(warned(answer)).toContain("BALANCES_UNKNOWN");
    const carol = await ask(getWalletTokenHoldings, by(CAROL), fixedChain({ ...state }));
    expect(carol.data).toMatchObject({ holdings: [{ balance: 2 }] });
  });
});

describe("a contract with transfers that reports nothing", () => {
  test("is a token with an unknown name in every tool about tokens", async () => {
    const info = await ask(getTokenInfo, of(MUTE));
    expect(info.data).toMatchObject({ standard: "erc20", name: null, symbol: null, decimals: null, holders_count: 1 });
    const holders = await ask(getTokenHoldersTraders, of(MUTE));
    expect(holders.data).toMatchObject({ holders: [{ balance_raw: "7" }], supply: { total: null } });
    expect((await ask(getTokenRiskTraits, of(MUTE))).kind).toBe("data");
    expect((await ask(getTokenFlows, { ...of(MUTE), from_date: "2026-01-01", to_date: "2026-01-07" })).kind).toBe(
      "data",
    );
    // No pool trades it.
    expect((await ask(getTokenMarketAnalysis, { ...of(MUTE), timeframe: "7d" })).kind).not.toBe("data");
    expect(await ask(getTokenMarketAnalysis, { ...of(MUTE), timeframe: "7d" })).not.toMatchObject({
      code: "NOT_A_TOKEN",
    });
  });

  test("without transfers is not a token", async () => {
    const answer = await ask(getTokenInfo, of(hex("66".repeat(20))));
    expect(answer).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
  });
});
