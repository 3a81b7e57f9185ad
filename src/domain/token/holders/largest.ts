import type { Hex } from "../../../lib/bytes.ts";
import type { TokenHolder } from "../../../store/facts.ts";
import { addressesLabelled } from "../../address/identity/categories.ts";
import type { IndexedFacts } from "../../context.ts";
import { byAmount } from "./holders.ts";

/** A holder of a token, with the total of all its holders. */
export interface LargestHolder extends TokenHolder {
  readonly token: Hex;
  readonly supply: bigint;
}

/**
 * The holders to read of each token: the `limit` largest, and of all others these addresses and those with a label of
 * these categories.
 */
export interface LargestHoldersQuery {
  readonly limit: number;
  readonly kept?: readonly Hex[];
  readonly categories?: readonly string[];
}

/** The largest limit of a query: a locker that is left out would appear to lock nothing. */
const EVERYBODY = 4_294_967_295;

/** Holders of some tokens, by token, the largest of each first. */
export const largestHolders = async (
  { facts, snapshot }: IndexedFacts,
  tokens: readonly Hex[],
  { limit, kept = [], categories = [] }: LargestHoldersQuery,
): Promise<readonly LargestHolder[]> => {
  const [counts, largest, labelled] = await Promise.all([
    facts.holderCounts(snapshot, tokens),
    facts.tokenHolders(snapshot, tokens, limit),
    categories.length === 0 ? [] : addressesLabelled({ facts, snapshot }, categories, EVERYBODY),
  ]);
  const wanted = [...new Set([...kept, ...labelled])].sort();
  const others = tokens.flatMap((token, i) => {
    const first = new Set(largest[i]?.map(({ holder }) => holder));
    // With fewer rows than the limit, an address that is missing holds nothing.
    if (first.size < limit) return [];
    return wanted.filter((holder) => !first.has(holder)).map((holder) => ({ token, holder }));
  });
  const amounts = await facts.balanceOf(snapshot, others);
  const held = others.map((pair, i) => ({ ...pair, amount: amounts[i] ?? 0n })).filter(({ amount }) => amount > 0n);
  return tokens.flatMap((token, i) => {
    const supply = counts[i]?.supply ?? 0n;
    const own = [...(largest[i] ?? []), ...held.filter((one) => one.token === token)];
    return own.sort(byAmount).map(({ holder, amount }) => ({ token, holder, amount, supply }));
  });
};
