import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { type FixedState, fixedChain } from "../../../test/fixed_chain.ts";
import { callContext } from "../../../test/fixtures/call_context.ts";
import { runTool } from "../../../test/fixtures/run_tool.ts";
import { HEAD, MARKET_ROWS, openMarketScenario, POOLLESS, TOKEN } from "../../../test/market_scenario.ts";
import { selectorOf } from "../../domain/abi.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { getTokenRiskTraits } from "./index.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openMarketScenario();
});
afterAll(() => store.close());

const USDC = hex("cc".repeat(20));
/** PUSH4 selector EQ for each function that makes a token, and one that mints. */
const CODE = ["transfer(address,uint256)", "balanceOf(address)", "totalSupply()", "mint(address,uint256)"]
  .map((signature) => `63${selectorOf(signature)}14`)
  .join("");
const OWNER = hex("0e".repeat(20));
const erc20 = { standard: "erc20", decimals: 18, symbol: "JUN", total_supply: 10n ** 24n };

const chainWith = (more: Partial<FixedState> = {}) =>
  fixedChain({
    network: { stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
    tokens: { [TOKEN]: erc20, [POOLLESS]: { ...erc20, symbol: "NIL" } },
    accounts: { [TOKEN]: { code: Buffer.from(CODE, "hex") }, [POOLLESS]: { code: Buffer.from(CODE, "hex") } },
    answer: ({ data }) =>
      data === selectorOf("owner()") ? { ok: true, data: hex(OWNER.padStart(64, "0")) } : { ok: false, data: "" },
    ...more,
  });

const run = (token: Hex, chain = chainWith(), on = store) =>
  runTool(
    getTokenRiskTraits,
    { token_address: `0x${token}`, network: "demo" },
    callContext({ facts: on.facts, chain: () => chain }),
  );

const dataOf = async (token: Hex, chain = chainWith(), on = store) => {
  const outcome = await run(token, chain, on);
  if (outcome.kind !== "data") throw new Error(JSON.stringify(outcome));
  return getTokenRiskTraits.output.parse(outcome.data);
};

describe("a node that cannot call over a changed state", () => {
  test("leaves taxes and trading unknown, and says why", async () => {
    const { taxes, risk_overview, security_flags, unavailable } = await dataOf(TOKEN);
    expect(taxes).toEqual({ buy_tax_percent: null, sell_tax_percent: null, transfer_tax_percent: null });
    expect(risk_overview.simulation).toMatchObject({ status: "no_overrides", pools_tested: 0, contract_buyer: null });
    expect(security_flags).toMatchObject({ is_honeypot: null, cannot_buy: null, is_mintable: true });
    expect(unavailable).toContainEqual({
      field: "taxes.buy_tax_percent",
      reason: "the node does not support state overrides",
    });
    expect(risk_overview.risk_level).not.toBe("low");
  });

  test("still shows the pool: half of its shares are burnt", async () => {
    const { liquidity } = await dataOf(TOKEN);
    // 1,000 at the burn address and 1,000 without an owner, of 3,000 + 1,000.
    expect(liquidity.total_usd).toBe(400_000);
    expect(liquidity.pools[0]).toMatchObject({ lp_burned_percent: 50, lp_locked_percent: 0, lock_until: null });
  });
});

test("a node that can, and whose simulation brings nothing back, is not taken for a clean token", async () => {
  // The call over a changed state is answered with nothing: the quote's balances are not found.
  const { risk_overview, security_flags } = await dataOf(TOKEN, chainWith({ can: { overrides: true } }));
  expect(risk_overview.simulation.status).toBe("no_funding");
  expect(Reflect.get(security_flags, "is_honeypot")).toBeNull();
});

test("a token without a pool has no liquidity, which is measured, and no taxes, which are not", async () => {
  const { liquidity, taxes, security_flags } = await dataOf(POOLLESS, chainWith({ can: { overrides: true } }));
  expect(liquidity).toEqual({ total_usd: 0, pools: [] });
  expect(taxes.sell_tax_percent).toBeNull();
  expect(Reflect.get(security_flags, "is_honeypot")).toBeNull();
});

test("code that does not show its functions leaves its flags unknown", async () => {
  // CALL and STOP.
  const chain = chainWith({ accounts: { [POOLLESS]: { code: Buffer.from("f100", "hex") } } });
  const { security_flags, risk_overview, unavailable } = await dataOf(POOLLESS, chain);
  expect(security_flags).toMatchObject({ is_mintable: null, has_blacklist: null, hidden_owner: null });
  expect(Reflect.get(security_flags, "has_external_call")).toBe(true);
  expect(risk_overview).toMatchObject({ risk_level: "unknown" });
  expect("security_score" in risk_overview).toBe(false);
  expect(unavailable.map(({ field }) => field)).toContain("risk_overview.security_score");
});

test("an index without the beginning counts no holders and warns", async () => {
  const late = await openTestFacts();
  try {
    await late.seed({ network: "demo", from: 100, to: HEAD, first: 1 }, MARKET_ROWS);
    const { ownership, metadata, unavailable } = await dataOf(TOKEN, chainWith(), late);
    expect("holder_count" in ownership).toBe(false);
    expect(ownership.top10_percent_adjusted).toBeNull();
    expect(metadata.warnings.map(({ code }) => code)).toContain("HISTORY_INCOMPLETE");
    expect(unavailable.map(({ field }) => field)).toContain("ownership.holder_count");
  } finally {
    await late.close();
  }
});

test("what is no contract, or answers like no token, is no token", async () => {
  for (const token of [hex("f0".repeat(20)), USDC]) {
    expect(await run(token)).toMatchObject({ kind: "error", code: "NOT_A_TOKEN" });
  }
});

test("a node that does not answer is a passing failure, never a clean token", async () => {
  const error: unknown = await run(TOKEN, chainWith({ down: true })).catch((thrown: unknown) => thrown);
  expect(error instanceof AssayError && [error.code, error.retryable]).toEqual(["UPSTREAM_UNAVAILABLE", true]);
});
