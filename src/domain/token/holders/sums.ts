import type { Hex } from "../../../lib/bytes.ts";
import { isWord, WORD_MAX } from "../../../lib/wide.ts";
import type { Coverage, HolderCount, Snapshot } from "../../../store/facts.ts";
import type { IndexedFacts, Warning } from "../../context.ts";
import { isTokenRead } from "../../read_among.ts";

/**
 * Balances are sums of a token's events, and events may be false: they can add up to less than zero, or to more than a
 * contract can count. Such sums are not balances, and every answer that uses them says so.
 */
export const BALANCES_UNKNOWN: Warning = {
  code: "BALANCES_UNKNOWN",
  message:
    "The token's events add up to amounts that no holder can have: the balances of its holders are not known from them.",
};

export const SUMS_REASON = "the token's events add up to amounts that no holder can have";

/**
 * True when the events of a token cannot all be true, or are incomplete. Sums below 0 show that only if the whole
 * history is indexed; those of the native coin never do, since some of its movements leave no trace.
 */
const isDoubtful = (
  coverage: Coverage,
  token: Hex,
  count: Pick<HolderCount, "supply" | "below_zero" | "beyond">,
): boolean => {
  if (count.beyond > 0 || count.supply > WORD_MAX) return true;
  return token !== "" && coverage.complete && coverage.logs && count.below_zero > 0;
};

/** The number of holders, null when the events of the token do not show it; with the sums that decide it. */
export interface HolderSums extends HolderCount {
  readonly is_doubtful: boolean;
  /** `supply`; null when it is doubtful. */
  readonly told: bigint | null;
}

export const readHolderSums = async ({ facts, snapshot }: IndexedFacts, token: Hex): Promise<HolderSums> => {
  const [count] = await facts.holderCounts(snapshot, [token]);
  if (count === undefined) throw new RangeError("the query returned no row for a token");
  const is_doubtful = isDoubtful(snapshot.coverage, token, count);
  return { ...count, is_doubtful, told: is_doubtful ? null : count.supply };
};

/**
 * Base units that all holders have at the snapshot's block: the total supply of a block whose state no node has. Null when the index lacks
 * movements of the token, or they add up to no balances.
 */
export const indexedSupply = async (index: IndexedFacts, token: Hex): Promise<bigint | null> => {
  const { complete, logs } = index.snapshot.coverage;
  return complete && logs ? (await readHolderSums(index, token)).told : null;
};

/** Why holders are unknown on a network of which only some addresses are read. */
export const HOLDERS_UNREAD = "the network is read on demand, and not every holder is read";

/**
 * The number of holders of each of these tokens. Null when the events of a token do not show it, and on a network on demand for tokens
 * whose movements are not all read.
 */
export const readHolderCounts = async (
  { facts, snapshot }: IndexedFacts,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, number | null>> => {
  const read = tokens.filter((token) => isTokenRead(snapshot, token));
  const counts = read.length === 0 ? [] : await facts.holderCounts(snapshot, read);
  const known = new Map(read.map((token, i) => [token, counts[i]]));
  return new Map(
    tokens.map((token): [Hex, number | null] => {
      const count = known.get(token);
      const is_unknown = count === undefined || isDoubtful(snapshot.coverage, token, count);
      return [token, is_unknown ? null : count.holders];
    }),
  );
};

/** True for a sum that is not a balance although the index has every movement. */
export const isImpossible = ({ coverage }: Pick<Snapshot, "coverage">, sum: bigint): boolean =>
  sum > WORD_MAX || (!isWord(sum) && coverage.complete && coverage.logs);
