/**
 * The books of the characters whose lives are simple, at the story's end. Amounts in base units. Each line is a sum of
 * what `scenes/money.ts` and `scenes/books.ts` move; gas is left out here and taken from receipts.
 */
import { DOLLAR, ETHER } from "./act.ts";
import type { CharacterName, ContractName } from "./cast.ts";
import { v2AmountOut } from "./pool_math.ts";
import { BOOKS } from "./scenes/books.ts";
import { SUNRISE_POOL } from "./scenes/tokens.ts";

export interface Book {
  /** Ether without the fees of the character's own transactions. */
  readonly native_before_fees: bigint;
  /** Transactions sent, failed ones included. */
  readonly sent: number;
  readonly failed: number;
  /** Every token with a balance. */
  readonly tokens: Readonly<Partial<Record<ContractName, bigint>>>;
}

/**
 * bob's trade in a pool of 100,000 SUN and 100,000 USDC where nobody else trades.
 * Purchase: 1,000 USDC in, 1,000 · 0.997 · 100,000 / (100,000 + 997) = 987.158 SUN out.
 * Sale: half of them back, into a pool of 101,000 USDC and 99,012.84 SUN.
 */
const bought = v2AmountOut(BOOKS.bob_buys_usdc, SUNRISE_POOL.usdc, SUNRISE_POOL.sunrise);
const sold = bought / 2n;
const pool_after_purchase = {
  usdc: SUNRISE_POOL.usdc + BOOKS.bob_buys_usdc,
  sunrise: SUNRISE_POOL.sunrise - bought,
};
const proceeds = v2AmountOut(sold, pool_after_purchase.sunrise, pool_after_purchase.usdc);

export const BOB_SUNRISE = {
  bought,
  sold,
  left: bought - sold,
  /** Dollars of six decimals: what the purchase cost. USDC is worth 1. */
  cost: BOOKS.bob_buys_usdc,
  proceeds,
  /** Reserves from the sale on: their ratio is the price until the end. */
  pool: { usdc: pool_after_purchase.usdc - proceeds, sunrise: pool_after_purchase.sunrise + sold },
} as const;

export const EXPECTED = {
  bob: {
    native_before_fees: 10n * ETHER,
    // approve, buy, approve, sell
    sent: 4,
    failed: 0,
    tokens: {
      // 1,500 - 1,000 + proceeds
      usdc: 500n * DOLLAR + BOB_SUNRISE.proceeds,
      sunrise: BOB_SUNRISE.left,
      usdt: 500n * DOLLAR,
      weth: ETHER / 4n,
    },
  },
  carol: {
    // 1 from the bank, 0.1 from frank
    native_before_fees: ETHER + ETHER / 10n,
    sent: 2,
    failed: 0,
    // 5,000 - 1,200 and 2,000 - 500
    tokens: { usdc: 3_800n * DOLLAR, usdt: 1_500n * DOLLAR },
  },
  erin: {
    // 5 - 2 wrapped + 0.5 unwrapped
    native_before_fees: (35n * ETHER) / 10n,
    sent: 3,
    failed: 0,
    // 2 - 0.5 - 0.25
    tokens: { weth: (125n * ETHER) / 100n },
  },
  frank: {
    // 3 - 0.1; the coins of his failed transactions never left
    native_before_fees: (29n * ETHER) / 10n,
    sent: 5,
    failed: 4,
    tokens: { usdc: 1_200n * DOLLAR },
  },
  victor: { native_before_fees: 2n * ETHER, sent: 0, failed: 0, tokens: { usdc: 3_000n * DOLLAR } },
  // 4,000 USDT came and were destroyed without a Transfer
  walter: { native_before_fees: 2n * ETHER, sent: 0, failed: 0, tokens: {} },
} as const satisfies Partial<Record<CharacterName, Book>>;

/** The Safe: 2 - 0.5 ether, 1,000 - 250 USDC. It pays no fees. */
export const EXPECTED_SAFE = { native: (15n * ETHER) / 10n, usdc: 750n * DOLLAR } as const;
