import type { Hex } from "../../../lib/bytes.ts";
import { isWord, WORD_MAX } from "../../../lib/wide.ts";
import type { Coverage, HolderCount, Snapshot } from "../../../store/facts.ts";
import type { HeldFacts, Warning } from "../../context.ts";

/**
 * Balances are sums of what a token's events say, and events may lie: they can add up to less than nothing, or to more
 * than a contract can count. Such sums are no balances of anybody, and every answer that rests on them says so.
 */
export const BALANCES_UNKNOWN: Warning = {
  code: "BALANCES_UNKNOWN",
  message:
    "The token's events add up to amounts that no holder can have: what its holders have is not known from them.",
};

export const SUMS_REASON = "the token's events add up to amounts that no holder can have";

/**
 * True when the events of a token cannot all be true, or do not tell all. Sums below 0 say that only where the whole
 * history is indexed; of the native coin they do not, since not everything that moves it can be seen.
 */
const isDoubtful = (
  coverage: Coverage,
  token: Hex,
  count: Pick<HolderCount, "supply" | "below_zero" | "beyond">,
): boolean => {
  if (count.beyond > 0 || count.supply > WORD_MAX) return true;
  return token !== "" && coverage.complete && coverage.logs && count.below_zero > 0;
};

/** The number of holders, null where the events of the token do not tell it; with what it was judged by. */
export interface HolderSums extends HolderCount {
  readonly is_doubtful: boolean;
  /** `supply`; null where it is doubtful. */
  readonly told: bigint | null;
}

export const readHolderSums = async ({ facts, snapshot }: HeldFacts, token: Hex): Promise<HolderSums> => {
  const [count] = await facts.holderCounts(snapshot, [token]);
  if (count === undefined) throw new RangeError("a token was not counted");
  const is_doubtful = isDoubtful(snapshot.coverage, token, count);
  return { ...count, is_doubtful, told: is_doubtful ? null : count.supply };
};

/** How many addresses hold each of these tokens. Null where the events of a token do not tell it. */
export const readHolderCounts = async (
  { facts, snapshot }: HeldFacts,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, number | null>> => {
  const counts = await facts.holderCounts(snapshot, tokens);
  return new Map(
    counts.map((count, i): [Hex, number | null] => {
      const token = tokens[i] ?? "";
      return [token, isDoubtful(snapshot.coverage, token, count) ? null : count.holders];
    }),
  );
};

/** True for a sum that is no balance, though the index knows all that moved. */
export const isImpossible = ({ coverage }: Pick<Snapshot, "coverage">, sum: bigint): boolean =>
  sum > WORD_MAX || (!isWord(sum) && coverage.complete && coverage.logs);
