/**
 * The books of the characters whose lives are simple, at the story's end, in base units. Each line adds up what `story.ts`
 * moves. A signature costs 5,000 lamports, a failed transaction's too; an open token account holds its rent.
 */
import type { CharacterName, TokenName } from "./cast.ts";
import { SOL, UNIT } from "./deeds.ts";

export interface Book {
  readonly lamports: bigint;
  readonly tokens: Readonly<Partial<Record<TokenName, bigint>>>;
}

const FEE = 5_000n;
/** (128 + 165 bytes) x 6,960 lamports: an account of the first token program. */
const RENT = 2_039_280n;

export const EXPECTED = {
  bob: {
    // 40 from the bank. He opens mallory's account when she robs him, and pays that one transaction.
    lamports: 40n * SOL - RENT - FEE,
    // 2,500 - 1,000; 400 less two and a half percent; from erin
    tokens: { usdc: 1_500n * UNIT, lamp: 390n * UNIT, wsol: 2n * SOL },
  },
  carol: {
    // 3 from the bank, 0.1 from frank; one transfer to alice, who has an account
    lamports: 3n * SOL + SOL / 10n - FEE,
    // twelve weeks of 900, less 1,200; 1,000 Lantern less two and a half percent
    tokens: { usdc: 9_600n * UNIT, lamp: 975n * UNIT },
  },
  erin: {
    // 25; 10 wrapped, 8 of them unwrapped again, 3 wrapped. Transactions: wrap, send, unwrap, wrap. Rent: bob's account for
    // wrapped SOL, and her own, which came back once.
    lamports: 20n * SOL - 2n * RENT - 4n * FEE,
    tokens: { wsol: 3n * SOL },
  },
  frank: {
    // 4 - 0.1, five transactions of which four failed
    lamports: 4n * SOL - SOL / 10n - 5n * FEE,
    tokens: {},
  },
  // frozen for a week, and free again
  victor: { lamports: 2n * SOL, tokens: { usdc: 3_000n * UNIT } },
  mallory: {
    // She opens ivan's account with the first payment; the second fails and opens nothing.
    lamports: 2n * SOL - RENT - 2n * FEE,
    tokens: { usdc: 800n * UNIT },
  },
  ivan: { lamports: 2n * SOL, tokens: { usdc: 200n * UNIT } },
  // 1; three times 30 came and went, a fee each
  deposit: { lamports: SOL - 3n * FEE, tokens: {} },
} as const satisfies Partial<Record<CharacterName, Book>>;
