import { getAddress, toFunctionSelector } from "viem/utils";
import { expect } from "vitest";
import { ETHER, on } from "../../src/demo/evm/act.ts";
import { LOOKALIKE } from "../../src/demo/evm/characters.ts";
import { v2AmountOut } from "../../src/demo/evm/pool_math.ts";
import { BOB_SUNRISE } from "../fixtures/evm_expected.ts";
import { paidBy } from "./sale.ts";
import { T0 } from "./served_world.ts";
import type { Truth } from "./truth.ts";

/** Transactions of the wallets with simple books, row by row, newest first, and the comparison with an answer. */

const VOID = "0x0000000000000000000000000000000000000000";
/** One handwritten row. `at`: seconds after T0; that second has one transaction. */
export interface ExpectedRow {
  readonly at: number;
  readonly direction: "in" | "out";
  readonly raw: bigint;
  readonly token: string;
  readonly peer: string;
  readonly kind?: string;
  readonly type?: string;
  readonly method?: string | null;
  readonly log?: number | null;
  readonly failed?: boolean;
  readonly spam?: readonly string[];
  /** USD of one whole token; by default ether's price in that hour, and 1 for dollars. */
  readonly usd?: number | null;
}

const DECIMALS: Readonly<Record<string, number | null>> = { usdc: 6, usdt: 6, broken: null };

const coin = { token: "native", kind: "native", method: null, log: null } as const;
const call = (at: number, peer: string, method: string): ExpectedRow => ({
  ...{ ...coin, at, direction: "out", raw: 0n, peer, kind: "call", method },
});

// ---- the books: days and hours of scenarios/books.ts, seconds of scenarios/money.ts; each deed is 12 s after the last ----

/** Buys at 10:00:12 after an approval, sells 30 days later the same way. In a v2 swap the paid token's log comes first. */
export const BOB: readonly ExpectedRow[] = [
  {
    at: on(40, 10) + 12,
    direction: "in",
    raw: BOB_SUNRISE.proceeds,
    token: "usdc",
    peer: "pair_sunrise_usdc",
    type: "swap",
    method: "swapExactTokensForTokens",
    log: 1,
  },
  // 493.579 SUN for 499.49 USDC, valued at the price that the pool held.
  {
    at: on(40, 10) + 12,
    direction: "out",
    raw: BOB_SUNRISE.sold,
    token: "sunrise",
    peer: "pair_sunrise_usdc",
    type: "swap",
    method: "swapExactTokensForTokens",
  },
  { ...call(on(40, 10), "sunrise", "approve"), type: "approval" },
  { at: on(35, 11), direction: "in", raw: 500_000_000n, token: "usdt", peer: "carol" },
  { at: on(25, 12), direction: "in", raw: ETHER / 4n, token: "weth", peer: "erin" },
  {
    at: on(10, 10) + 12,
    direction: "in",
    raw: BOB_SUNRISE.bought,
    token: "sunrise",
    peer: "pair_sunrise_usdc",
    type: "swap",
    method: "swapExactTokensForTokens",
    log: 1,
  },
  {
    at: on(10, 10) + 12,
    direction: "out",
    raw: 1_000_000_000n,
    token: "usdc",
    peer: "pair_sunrise_usdc",
    type: "swap",
    method: "swapExactTokensForTokens",
  },
  { ...call(on(10, 10), "usdc", "approve"), type: "approval" },
  // Mint before Transfer: the second log.
  { at: 1_884, direction: "in", raw: 1_500_000_000n, token: "usdc", peer: VOID, type: "mint", method: "mint", log: 1 },
  { ...coin, at: 96, direction: "in", raw: 10n * ETHER, peer: "bank" },
];

export const CAROL: readonly ExpectedRow[] = [
  { at: on(35, 11), direction: "out", raw: 500_000_000n, token: "usdt", peer: "bob" },
  { at: on(30, 11), direction: "in", raw: 2_000_000_000n, token: "usdt", peer: "exchange" },
  { at: on(20, 11), direction: "out", raw: 1_200_000_000n, token: "usdc", peer: "frank" },
  { ...coin, at: on(14, 16), direction: "in", raw: ETHER / 10n, peer: "frank" },
  { at: 1_896, direction: "in", raw: 5_000_000_000n, token: "usdc", peer: VOID, type: "mint", method: "mint", log: 1 },
  { ...coin, at: 108, direction: "in", raw: ETHER, peer: "bank" },
];

/** A wrap is two rows: the outgoing ether, and the wrapped ether without a source. */
export const ERIN: readonly ExpectedRow[] = [
  { at: on(25, 12), direction: "out", raw: ETHER / 4n, token: "weth", peer: "bob" },
  {
    at: on(23, 12),
    direction: "out",
    raw: ETHER / 2n,
    token: "weth",
    peer: VOID,
    kind: "wrap",
    type: "unwrap",
    method: "withdraw",
  },
  {
    ...coin,
    at: on(23, 12),
    direction: "in",
    raw: ETHER / 2n,
    peer: "weth",
    kind: "internal",
    type: "unwrap",
    method: "withdraw",
  },
  {
    at: on(21, 12),
    direction: "in",
    raw: 2n * ETHER,
    token: "weth",
    peer: VOID,
    kind: "wrap",
    type: "wrap",
    method: "deposit",
  },
  { ...coin, at: on(21, 12), direction: "out", raw: 2n * ETHER, peer: "weth", type: "wrap", method: "deposit" },
  { ...coin, at: 132, direction: "in", raw: 5n * ETHER, peer: "bank" },
];

/** The forwarder is created at 16:00:00; the coins of failed transactions never left. */
export const FRANK: readonly ExpectedRow[] = [
  { at: on(20, 11), direction: "in", raw: 1_200_000_000n, token: "usdc", peer: "carol" },
  { ...coin, at: on(14, 16), direction: "out", raw: ETHER / 10n, peer: "carol" },
  { ...call(on(13, 16) + 48, "v2_router", "swapExactETHForTokens"), failed: true },
  { ...call(on(13, 16) + 36, "forwarder", toFunctionSelector("spin()")), failed: true },
  { ...call(on(13, 16) + 24, "forwarder", toFunctionSelector("refuse(uint256)")), failed: true },
  { ...call(on(13, 16) + 12, "usdc", "transfer"), failed: true },
  { ...coin, at: 144, direction: "in", raw: 3n * ETHER, peer: "bank" },
];

const LOOKALIKE_TEXT = getAddress(LOOKALIKE);
/** The honeypot opens with 500,000 HNY and 4 ether; Moonlift with 5,000,000 and 10, and alice buys with 1 before her. */
const HONEY = v2AmountOut(ETHER / 5n, 4n * ETHER, 500_000n * ETHER);
const ALICES_MOON = v2AmountOut(ETHER, 10n * ETHER, 5_000_000n * ETHER);
const MOON = v2AmountOut(ETHER / 2n, 11n * ETHER, 5_000_000n * ETHER - ALICES_MOON);
const BUYING = { type: "swap", method: "swapExactETHForTokens" } as const;
const POISON = toFunctionSelector("poison(address,address[],address[])");
const AIRDROP = toFunctionSelector("airdrop(address[],uint256)");

export const HEIDI: readonly ExpectedRow[] = [
  // Her own payment is hers, whatever its recipient.
  { at: on(41, 8), direction: "out", raw: 300_000_000n, token: "usdc", peer: LOOKALIKE_TEXT },
  { at: on(33, 10) + 48, direction: "in", raw: 10_000n, token: "usdc", peer: LOOKALIKE_TEXT, spam: ["lookalike_peer"] },
  {
    at: on(33, 10) + 12,
    direction: "out",
    raw: 0n,
    token: "usdc",
    peer: LOOKALIKE_TEXT,
    method: POISON,
    spam: ["zero_value_transfer", "lookalike_peer"],
  },
  { at: on(33, 8), direction: "out", raw: 500_000_000n, token: "usdc", peer: "peggy" },
  {
    at: on(32, 13) + 12,
    direction: "in",
    raw: 1_000n,
    token: "broken",
    peer: "ivan",
    usd: null,
    spam: ["hidden_characters"],
  },
  {
    at: on(30, 13) + 12,
    direction: "in",
    raw: 7_777n * ETHER,
    token: "spam",
    peer: VOID,
    type: "mint",
    method: AIRDROP,
    usd: null,
    spam: ["mass_airdrop", "url_in_name", "claim_wording"],
  },
  {
    at: on(28, 15) + 12,
    direction: "in",
    raw: 1_000n * ETHER,
    token: "fake_usdc",
    peer: "mallory",
    usd: null,
    spam: ["symbol_copy"],
  },
  { at: on(20, 17), direction: "in", raw: MOON, token: "moonlift", peer: "pair_moonlift_weth", ...BUYING, log: 2 },
  { ...coin, at: on(20, 17), direction: "out", raw: ETHER / 2n, peer: "v2_router", ...BUYING },
  { ...call(on(18, 15) + 72, "v2_router", "swapExactTokensForETH"), failed: true },
  { ...call(on(18, 15) + 60, "honeypot", "approve"), type: "approval" },
  {
    at: on(18, 15) + 48,
    direction: "in",
    raw: HONEY,
    token: "honeypot",
    peer: "pair_honeypot_weth",
    ...BUYING,
    log: 2,
  },
  { ...coin, at: on(18, 15) + 48, direction: "out", raw: ETHER / 5n, peer: "v2_router", ...BUYING },
  { at: 1_920, direction: "in", raw: 2_500_000_000n, token: "usdc", peer: VOID, type: "mint", method: "mint", log: 1 },
  { ...coin, at: 168, direction: "in", raw: 5n * ETHER, peer: "bank" },
];

/** The pools that price tokens of these rows. */
const PRICED_IN: Readonly<Record<string, "usdc" | "weth">> = { sunrise: "usdc", moonlift: "weth", honeypot: "weth" };

const usdOf = async (truth: Truth, line: ExpectedRow, hourly: number | null): Promise<number | null> => {
  if (line.raw === 0n) return 0;
  if (line.usd === null) return null;
  if (line.token === "usdc" || line.token === "usdt") return Number(line.raw) / 1e6;
  const quote = PRICED_IN[line.token];
  const ether = hourly ?? Number.NaN;
  if (quote === undefined) return hourly === null ? null : (Number(line.raw) / 1e18) * ether;
  const pool = { pool: `pair_${line.token}_${quote}`, base: line.token, quote, version: 2 } as const;
  const time = T0 + line.at;
  const hour = time - (time % 3_600);
  const price = (await truth.poolPrice(pool, hour)) ?? Number.NaN;
  const units = await paidBy(truth, [pool], { amount: Number(line.raw), price, hour });
  return quote === "usdc" ? units / 1e6 : (units / 1e18) * ether;
};

export interface TransactionAnswerRow {
  readonly tx_hash: string;
  readonly direction: "in" | "out" | "self";
  readonly kind: string;
  readonly usd_value: number | null;
  readonly fee_usd: number | null;
  readonly amount_raw: string;
  readonly token_address: string;
  readonly peer: { readonly address: string; readonly label: string | null };
}

/** Rows without USD values, which are floating point numbers and compared apart. */
const plain = (row: TransactionAnswerRow) => ({ ...row, usd_value: 0, fee_usd: 0, peer: row.peer.address });

const near = (got: number | null, wanted: number | null, what: string): void => {
  if (got === null || wanted === null || wanted === 0) expect([what, got]).toEqual([what, wanted]);
  else expect(Math.abs(got / wanted - 1), what).toBeLessThan(1e-10);
};

/** Checks that the rows of `wallet` are these lines: every field, values and fees by the hour's price of ether. */
export const compareRows = async (
  truth: Truth,
  wallet: string,
  { rows, lines }: { readonly rows: readonly TransactionAnswerRow[]; readonly lines: readonly ExpectedRow[] },
): Promise<void> => {
  expect(rows.map(plain)).toEqual(
    lines.map((line) => {
      const decimals = line.token in DECIMALS ? DECIMALS[line.token] : 18;
      const has_decimals = decimals !== null && decimals !== undefined;
      const hash = truth.hashAt(line.at);
      return expect.objectContaining({
        direction: line.direction,
        amount_raw: line.raw.toString(),
        decimals,
        ...(has_decimals ? { amount: expect.closeTo(Number(line.raw) / 10 ** decimals, 9) } : {}),
        token_address: line.token === "native" ? "native" : truth.addressOf(line.token),
        peer: truth.addressOf(line.peer),
        timestamp: new Date((T0 + line.at) * 1000).toISOString().replace(".000Z", "Z"),
        tx_hash: hash,
        block_number: truth.blockAt(T0 + line.at),
        log_index: line.log === undefined ? 0 : line.log,
        kind: line.kind ?? "erc20",
        tx_type: line.type ?? (line.kind === "call" ? "call" : "transfer"),
        method: line.method === undefined ? "transfer" : line.method,
        status: line.failed === true ? "failed" : "success",
        is_spam: line.spam !== undefined,
        spam_reasons: line.spam ?? [],
        chain: "demo",
      });
    }),
  );
  const seen = new Set<string>();
  for (const [i, line] of lines.entries()) {
    const row = rows[i] as TransactionAnswerRow; // as many rows as lines: compared above
    const hourly = await truth.etherUsd(T0 + line.at);
    near(row.usd_value, await usdOf(truth, line, hourly), `value of row ${i} of ${wallet}`);
    // The fee is on the first row of a transaction that the wallet sent.
    const own = seen.has(row.tx_hash) ? undefined : truth.sentBy(wallet).find(({ hash }) => hash === row.tx_hash);
    seen.add(row.tx_hash);
    const fee = own === undefined || hourly === null ? null : (Number(own.fee) / 1e18) * hourly;
    near(row.fee_usd, fee, `fee of row ${i} of ${wallet}`);
  }
};
