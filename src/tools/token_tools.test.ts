import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../test/fixed_chain.ts";
import { callContext } from "../../test/fixtures/call_context.ts";
import { runTool } from "../../test/fixtures/run_tool.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, tokenRow, transfersOf } from "../../test/value_rows.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { getTokenInfo } from "./get_token_info/index.ts";
import { resolveTokenSymbol } from "./resolve_token_symbol.ts";

const USDC = hex("50".repeat(20));
const WETH = hex("60".repeat(20));
const COPY = hex("40".repeat(20));
const PLAIN = hex("90".repeat(20));
const OLDER = hex("91".repeat(20));
const PERSON = hex("20".repeat(20));
const MACHINE = hex("21".repeat(20));
const DEAD = hex("dead".padStart(40, "0"));
const DOLLAR = 10n ** 6n;
const HEAD = 104;

const code = new Uint8Array([1]);
const face = { standard: "erc20", name: "Coin", decimals: 6 };
const state: FixedState = {
  network: { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
  accounts: { [USDC]: { code }, [COPY]: { code }, [PERSON]: { balance: 1n }, [PLAIN]: { code }, [MACHINE]: { code } },
  tokens: {
    [USDC]: { ...face, symbol: "USDC", total_supply: 1_000n * DOLLAR },
    [COPY]: { ...face, symbol: "USDC", total_supply: 5n },
  },
};

const minted = (token: Hex, block: number, holders: number) =>
  transfersOf(
    { block },
    PERSON,
    Array.from({ length: holders }, (_, i) => ({
      kind: "erc20" as const,
      token,
      source: "" as const,
      destination: i === 0 ? DEAD : addressOf(0x9000 + i),
      amount: 10n * DOLLAR,
    })),
  );

const creation = (address: Hex, block: number) => ({
  network: "demo",
  address: bytesOf(address),
  block_number: block,
  tx_index: 0,
  position: 0,
  time: dayOf(block),
  tx_hash: "",
  event: "created" as const,
  method: "create" as const,
  creator: bytesOf(PERSON),
  factory: "",
  init_hash: "",
  code_hash: "",
});

let store: TestFacts;

beforeAll(async () => {
  store = await openTestFacts();
  await store.seed(
    { network: "demo", from: 100, to: HEAD },
    {
      blocks: dailyBlocks(HEAD),
      transfers: [...minted(USDC, 101, 3), ...minted(COPY, 102, 4), ...minted(PLAIN, 103, 2), ...minted(OLDER, 104, 2)],
      contracts: [creation(USDC, 100), creation(COPY, 101), creation(PLAIN, 103), creation(OLDER, 102)],
    },
  );
  await store.writer.insert("tokens", [
    { ...tokenRow(USDC, "USDC", 6), total_supply: 1_000n * DOLLAR },
    tokenRow(COPY, "USDC", 6),
    tokenRow(PLAIN, "jun", 6),
    tokenRow(OLDER, "JUN", 6),
  ]);
});
afterAll(() => store.close());

const contextOf = (states: Readonly<Record<string, FixedState>> = { demo: state }, facts = store.facts) =>
  callContext({
    facts,
    chain: (id: string) => fixedChain({ ...states[id], network: { ...states[id]?.network, id } }),
    networks: Object.keys(states),
  });

const infoOf = (token_address: string, context = contextOf()) =>
  runTool(getTokenInfo, { token_address, network: "demo" }, context);

const info = async (...args: Parameters<typeof infoOf>) => {
  const outcome = await infoOf(...args);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return getTokenInfo.output.parse(outcome.data);
};

const searchOf = (asked: z.input<typeof resolveTokenSymbol.input>, context = contextOf()) =>
  runTool(resolveTokenSymbol, asked, context);

const search = async (...args: Parameters<typeof searchOf>) => {
  const outcome = await searchOf(...args);
  if (outcome.kind !== "data") throw new Error(`expected data, got ${JSON.stringify(outcome)}`);
  return resolveTokenSymbol.output.parse(outcome.data);
};

describe("token facts", () => {
  test("reads the supply live, and burn addresses from the whole index", async () => {
    // 1,000 in all, 10 of them at the burn address; three holders, that address among them.
    expect(await info(`0x${USDC}`)).toMatchObject({
      symbol: "USDC",
      total_supply: 1_000,
      total_supply_raw: "1000000000",
      circulating_supply: 990,
      holders_count: 3,
      price_usd: 1,
      market_cap_usd: 990,
      created_at: "2026-01-01T00:00:00Z",
      creator: `0x${PERSON}`,
      is_stablecoin: true,
      is_wrapped_native: false,
      is_proxy: false,
      impersonates: null,
    });
  });

  test("a copy names the token that it imitates", async () => {
    const copy = await info(`0x${COPY}`);
    expect(copy.impersonates).toMatchObject({ canonical_address: `0x${USDC}` });
    expect(copy).toMatchObject({ is_stablecoin: false, price_usd: null, market_cap_usd: null });
    expect(copy.unavailable.map(({ field }) => field)).toContain("price_usd");
  });

  test("the native coin is a token too", async () => {
    for (const name of ["native", `0x${"0".repeat(40)}`, `0x${"ee".repeat(20)}`]) {
      expect(await info(name)).toMatchObject({
        address: "native",
        standard: "native",
        symbol: "ETH",
        total_supply: null,
      });
    }
  });

  test("a person and a contract that is no token are refused with a refund", async () => {
    for (const address of [PERSON, MACHINE]) {
      expect(await infoOf(`0x${address}`)).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
    }
  });

  test("treats a silent contract with transfers as a token without a name", async () => {
    const answer = await info(`0x${PLAIN}`);
    const unknown = { name: null, symbol: null, decimals: null, total_supply: null };
    expect(answer).toMatchObject({ ...unknown, standard: "erc20", holders_count: 2 });
    expect(answer.unavailable.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["name", "symbol", "decimals"]),
    );
  });

  test("without a node there is no answer", async () => {
    await expect(infoOf(`0x${USDC}`, contextOf({ demo: { ...state, down: true } }))).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  test("a partial index counts no holders", async () => {
    const partial = await openTestFacts();
    try {
      const facts = { blocks: dailyBlocks(HEAD), transfers: minted(USDC, 101, 3) };
      await partial.seed({ network: "demo", from: 100, to: HEAD, first: 1 }, facts);
      const answer = await info(`0x${USDC}`, contextOf({ demo: state }, partial.facts));
      expect(answer).toMatchObject({ holders_count: null, circulating_supply: null, total_supply: 1_000 });
      expect(answer.unavailable.map(({ field }) => field)).toContain("holders_count");
      const lost = await searchOf({ symbol: "NONE" }, contextOf({ demo: state }, partial.facts));
      expect(lost).toMatchObject({ kind: "error", code: "COVERAGE_INCOMPLETE" });
    } finally {
      await partial.close();
    }
  });

  test("the same bytes at the same block", async () => {
    expect(JSON.stringify(await infoOf(`0x${USDC}`))).toBe(JSON.stringify(await infoOf(`0x${USDC}`)));
  });
});

describe("symbols", () => {
  test("the registry's token comes first although its copy has more holders", async () => {
    const { matches, ambiguous, total_matches } = await search({ symbol: "$usdc" });
    expect(matches.map(({ token_address, risk_tags }) => [token_address, risk_tags])).toEqual([
      [`0x${USDC}`, []],
      [`0x${COPY}`, ["impersonation"]],
    ]);
    expect(matches.map(({ is_canonical, holders_count, match }) => [is_canonical, holders_count, match])).toEqual([
      [true, 3, "case"],
      [false, 4, "case"],
    ]);
    expect([ambiguous, total_matches]).toEqual([false, 2]);
    expect(matches[0]?.rank_score).toBeGreaterThan(matches[1]?.rank_score ?? 0);
  });

  test("equals in everything else are ranked by age, and called ambiguous", async () => {
    const { matches, ambiguous } = await search({ symbol: "JUN" });
    expect(matches.map(({ token_address, match }) => [token_address, match])).toEqual([
      [`0x${OLDER}`, "exact"],
      [`0x${PLAIN}`, "case"],
    ]);
    expect(ambiguous).toBe(true);
    expect((await search({ symbol: "JUN", limit: 1 })).matches).toHaveLength(1);
  });

  test("finds native and wrapped coins that no contract reports", async () => {
    expect((await search({ symbol: "eth" })).matches[0]).toMatchObject({ token_address: "native", is_canonical: true });
    expect((await search({ symbol: "weth" })).matches[0]).toMatchObject({ token_address: `0x${WETH}`, match: "alias" });
  });

  test("an unknown symbol is no data, and beside a network that failed an error", async () => {
    expect(await searchOf({ symbol: "NONE" })).toMatchObject({
      kind: "no_data",
      type: "token_symbol_resolution",
      message: expect.stringMatching(/^No token has exactly this symbol on .*part of a symbol/s),
    });
    const states = { demo: state, unknown: state };
    expect(await searchOf({ symbol: "NONE" }, contextOf(states))).toMatchObject({ code: "COVERAGE_INCOMPLETE" });
    const found = await search({ symbol: "JUN" }, contextOf(states));
    expect(found.metadata.warnings.map(({ code }) => code)).toEqual(["NETWORK_UNAVAILABLE"]);
  });

  test("rejects a symbol of dollar signs before the charge", () => {
    const facts = { networks: ["demo"], today: "2026-01-01" };
    expect(resolveTokenSymbol.check?.(resolveTokenSymbol.input.parse({ symbol: "$$" }), facts)).toContain("symbol");
  });

  test("the same bytes at the same block", async () => {
    expect(JSON.stringify(await searchOf({ symbol: "usdc" }))).toBe(JSON.stringify(await searchOf({ symbol: "usdc" })));
  });

  test("ranks a listed token before an older one, and both tools name the list and its logo", async () => {
    const listing = { network: "demo", list: "community", symbol: "jun", name: "Jun", decimals: 6, is_removed: 0 };
    const pictured = { ...listing, token: bytesOf(PLAIN), logo_uri: "https://example.org/jun.png", written_at: 1 };
    await store.writer.insert("listed_tokens", [
      pictured,
      { ...pictured, list: "pranks", logo_uri: "javascript:alert(1)" },
      { ...pictured, list: "taken_back", written_at: 2, is_removed: 1 },
    ]);
    const { matches } = await search({ symbol: "JUN" });
    expect(matches.map(({ token_address, verified_by_lists }) => [token_address, verified_by_lists])).toEqual([
      [`0x${PLAIN}`, ["community", "pranks"]],
      [`0x${OLDER}`, []],
    ]);
    const told = await info(
      `0x${PLAIN}`,
      contextOf({ demo: { ...state, tokens: { ...state.tokens, [PLAIN]: { ...face, symbol: "jun" } } } }),
    );
    expect(told).toMatchObject({ lists: ["community", "pranks"], logo_url: "https://example.org/jun.png" });
  });
});
