import type { Hex } from "../../lib/bytes.ts";
import type { HeldFacts } from "../context.ts";

/** Tokens of one question: a server limits how long it may be. */
const TOKENS_MAX = 1_000;

/**
 * Of some tokens of a wallet, those that it never moved itself and that came unasked from a transaction which sent them to
 * more than a hundred addresses.
 */
export const airdropsAmong = async (
  { facts, snapshot }: HeldFacts,
  wallet: Hex,
  tokens: readonly Hex[],
): Promise<ReadonlySet<Hex>> => {
  const parts = Array.from({ length: Math.ceil(tokens.length / TOKENS_MAX) }, (_, i) =>
    tokens.slice(i * TOKENS_MAX, (i + 1) * TOKENS_MAX),
  );
  const found = await Promise.all(
    parts.map((part) => facts.ask(snapshot, "holdings/airdrops", { wallet, tokens: part })),
  );
  return new Set(found.flat().map(({ token }) => token));
};
