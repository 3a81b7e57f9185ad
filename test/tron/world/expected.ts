/**
 * The books of the characters whose lives are simple, at the story's end, in base units. Each line adds up what `story.ts`
 * moves; what the character's own transactions burnt is left out here and taken from receipts.
 */
import { DOLLAR } from "../../world/act.ts";
import type { CharacterName } from "../../world/cast.ts";
import { OIL_SENT, TRX, WHOLE } from "./story.ts";

export interface Book {
  readonly sun_before_fees: bigint;
  /** Transactions sent, failed ones included. */
  readonly sent: number;
  /** Contract of the stage, or `oil` for the TRC-10 token. */
  readonly tokens: Readonly<Partial<Record<"usdt" | "beacon" | "wtrx" | "oil", bigint>>>;
}

export const EXPECTED = {
  bob: {
    sun_before_fees: 20_000n * TRX,
    sent: 1,
    // 2,500 - 1,000; 400; from erin; from alice
    tokens: { usdt: 1_500n * DOLLAR, beacon: 400n * WHOLE, wtrx: 2_000n * TRX, oil: OIL_SENT.bob },
  },
  carol: {
    // 5,000 from the bank, 100 from frank, six weeks of 900
    sun_before_fees: 10_500n * TRX,
    sent: 1,
    // six weeks of 900, less 700; 1,000 from alice
    tokens: { usdt: 4_700n * DOLLAR, beacon: 1_000n * WHOLE, oil: OIL_SENT.carol },
  },
  erin: {
    // 30,000 - 10,000 wrapped + 5,000 unwrapped
    sun_before_fees: 25_000n * TRX,
    sent: 3,
    // 10,000 - 2,000 - 5,000
    tokens: { wtrx: 3_000n * TRX },
  },
  // 9,000 - 100; the coins of his four failed transactions never left
  frank: { sun_before_fees: 8_900n * TRX, sent: 5, tokens: {} },
  victor: { sun_before_fees: 5_000n * TRX, sent: 0, tokens: { usdt: 3_000n * DOLLAR } },
  mallory: { sun_before_fees: 5_000n * TRX, sent: 2, tokens: { usdt: 800n * DOLLAR } },
  ivan: { sun_before_fees: 5_000n * TRX, sent: 0, tokens: { usdt: 200n * DOLLAR } },
} as const satisfies Partial<Record<CharacterName, Book>>;
