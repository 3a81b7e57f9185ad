import { describe, expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import {
  type ClaimFacts,
  SILENT,
  shareOf,
  TOO_MUCH_DEBT,
  type TokenClaim,
  UNBACKED,
  UNNAMED_DEBT,
  UNPRICED,
  valueClaims,
} from "./value.ts";

const USD = named("usd");
const ETH = named("eth");
const RECEIPT = named("receipt");
const DEBT = named("debt");
const POOL = named("pool");
const VAULT = named("vault");
const ODD = named("odd");

const DOLLAR = 10n ** 6n;
const MARKET = hex("aa");

/**
 * Dollars of 6 decimals at 1 USD and ether of 18 decimals at 2,000 USD; `odd` has neither. Every contract holds 1,000
 * dollars.
 */
const known: ClaimFacts = {
  priceOf: (token) => {
    const price_usd = token === USD ? 1 : token === ETH ? 2_000 : null;
    return price_usd === null
      ? null
      : { price_usd, sells: token === ETH ? { reserve: 100, payout_max_usd: 150_000 } : null };
  },
  decimals: (token) => (token === USD ? 6 : token === ETH ? 18 : null),
  held: (_, token) => (token === USD ? 1_000n * DOLLAR : token === ETH ? 10n ** 18n : null),
};

const claim = (token: Hex, over: Partial<TokenClaim>): TokenClaim => ({
  token,
  kind: "lending_receipt",
  protocol: "aave",
  market: MARKET,
  parts: [],
  ...over,
});
const lent = (dollars: bigint, over: Partial<TokenClaim> = {}) =>
  claim(RECEIPT, { parts: [{ token: USD, amount: dollars * DOLLAR }], ...over });
const owed = (dollars: bigint, over: Partial<TokenClaim> = {}) =>
  claim(DEBT, { kind: "debt", parts: [{ token: USD, amount: dollars * DOLLAR }], ...over });

const told = (...claims: readonly TokenClaim[]) =>
  valueClaims(claims, known).map(({ usd_value, reason }) => usd_value ?? reason);

describe("assets", () => {
  test("are worth the sum of their parts", () => {
    // 100 dollars and half an ether at 2,000.
    const parts = [
      { token: USD, amount: 100n * DOLLAR },
      { token: ETH, amount: 5n * 10n ** 17n },
    ];
    const [found] = valueClaims([claim(POOL, { kind: "pool_share", parts })], known);
    expect(found?.usd_value).toBe(1_100);
    expect(found?.parts.map(({ usd_value }) => usd_value)).toEqual([100, 1_000]);
  });

  test("are worth what pools pay for each part alone", () => {
    const parts = [
      { token: USD, amount: 100n * DOLLAR },
      { token: ETH, amount: 300n * 10n ** 18n },
    ];
    const all = { ...known, held: () => 10n ** 30n };
    const [found] = valueClaims([claim(POOL, { kind: "pool_share", parts })], all);
    // 300 ether into a pool of 100 at 2,000 USD: 200,000 - 200,000 / 4 = 150,000, where price times amount is 600,000.
    expect(found).toMatchObject({ usd_value: 150_100, spot_value_usd: 600_100, value_limit: "low_liquidity" });
    expect(found?.parts.map(({ value_limit }) => value_limit)).toEqual([null, "low_liquidity"]);
  });

  test("have no value when their contract holds one unit less than it claims", () => {
    expect(told(lent(1_000n))).toEqual([1_000]);
    expect(told(lent(0n, { parts: [{ token: USD, amount: 1_000n * DOLLAR + 1n }] }))).toEqual([UNBACKED]);
  });

  test("have no value when a part has no price or the parts are unknown", () => {
    const held = { ...known, held: () => 10n };
    const parts = [{ token: ODD, amount: 5n }];
    expect(valueClaims([claim(VAULT, { kind: "vault_share", parts })], held)[0]?.reason).toBe(UNPRICED);
    expect(told(claim(POOL, { parts: null }))).toEqual([SILENT]);
  });
});

describe("debts", () => {
  test("count as long as the wallet lends at least as much on the same market", () => {
    expect(told(lent(500n), owed(500n))).toEqual([500, 500]);
    expect(told(lent(500n), owed(501n))).toEqual([500, TOO_MUCH_DEBT]);
  });

  test("of one market are judged together", () => {
    expect(told(lent(500n), owed(300n), owed(300n))).toEqual([500, TOO_MUCH_DEBT, TOO_MUCH_DEBT]);
  });

  test("that no market or another market names subtract nothing", () => {
    expect(told(lent(500n), owed(100n, { market: null }))).toEqual([500, UNNAMED_DEBT]);
    expect(told(lent(500n), owed(100n, { market: hex("bb") }))).toEqual([500, UNNAMED_DEBT]);
    // A receipt that the market does not name is no collateral there.
    expect(told(lent(500n, { market: null }), owed(100n))).toEqual([500, UNNAMED_DEBT]);
    // A receipt that its contract does not cover is no collateral either.
    expect(told(lent(2_000n), owed(100n))).toEqual([UNBACKED, UNNAMED_DEBT]);
  });
});

test("a share is rounded down, and is null of an empty or smaller total", () => {
  expect(shareOf(100n, 1n, 3n)).toBe(33n);
  expect(shareOf(100n, 1n, 0n)).toBeNull();
  expect(shareOf(100n, 4n, 3n)).toBeNull();
});
