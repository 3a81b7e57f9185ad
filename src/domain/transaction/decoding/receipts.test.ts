import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { type ExchangeSide, issueIn } from "./receipts.ts";

const [COIN, SHARE, CURVE] = ["" as const, hex("5a"), hex("c0")];
const side = (change: Partial<ExchangeSide>): ExchangeSide => ({
  ...{ token: COIN, amount: 10n ** 18n, decimals: 18, usd: null, is_issued: false, peers: [CURVE] },
  ...change,
});
const share = (amount: bigint, decimals: number | null = 18): ExchangeSide =>
  side({ token: SHARE, amount, decimals, is_issued: true, peers: [""] });

test("a minted token of a similar amount is a receipt, whichever contract holds the deposit", () => {
  // 1 coin for 0.85, for a quarter, and for four of a token with 6 decimals.
  expect(issueIn([side({})], [share(85n * 10n ** 16n)])).toEqual({ way: "made", is_receipt: true });
  expect(issueIn([side({})], [share(10n ** 18n / 4n)])?.is_receipt).toBe(true);
  expect(issueIn([side({})], [share(4_000_000n, 6)])?.is_receipt).toBe(true);
  // Just less than a quarter, and just more than four times.
  expect(issueIn([side({})], [share(10n ** 18n / 4n - 1n)])?.is_receipt).toBe(false);
  expect(issueIn([side({})], [share(4_000_001n, 6)])?.is_receipt).toBe(false);
});

test("a million tokens for a coin are bought from the curve that makes them, unless their own contract keeps the coin", () => {
  const million = share(10n ** 24n);
  expect(issueIn([side({})], [million])).toEqual({ way: "made", is_receipt: false });
  expect(issueIn([side({ peers: [SHARE] })], [million])).toEqual({ way: "made", is_receipt: true });
  // A part went elsewhere as a fee: the curve's price decides.
  expect(issueIn([side({ peers: [SHARE, CURVE] })], [million])?.is_receipt).toBe(false);
});

test("a token minted against a deposit of higher value is a loan, no purchase", () => {
  // 4,700 dollars made for a coin of 6,000; then for one of 5,000: 4,700 is 94 % of it.
  const dollars = { ...share(4_700n * 10n ** 18n), usd: 4_700 };
  expect(issueIn([side({ usd: 6_000 })], [dollars])?.is_receipt).toBe(true);
  expect(issueIn([dollars], [side({ usd: 6_000 })])?.is_receipt).toBe(true);
  expect(issueIn([side({ usd: 5_000 })], [dollars])?.is_receipt).toBe(false);
});

test("burned tokens are judged the same way", () => {
  expect(issueIn([share(10n ** 24n)], [side({})])).toEqual({ way: "destroyed", is_receipt: false });
  expect(issueIn([share(10n ** 24n)], [side({ peers: [SHARE] })])).toEqual({ way: "destroyed", is_receipt: true });
});

test("shares of several tokens, and tokens without decimals, are not compared", () => {
  const other = side({ token: hex("aa") });
  expect(issueIn([side({}), other], [share(10n ** 24n)])?.is_receipt).toBe(true);
  expect(issueIn([side({})], [share(10n ** 24n, null)])?.is_receipt).toBe(true);
});

test("nothing is issued in a plain exchange, and both sides in a migration", () => {
  expect(issueIn([side({})], [side({ token: SHARE })])).toBeNull();
  expect(issueIn([share(5n)], [share(5n)])).toBeNull();
  expect(issueIn([], [share(5n)])).toBeNull();
});
