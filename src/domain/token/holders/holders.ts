import type { Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { isWord } from "../../../lib/wide.ts";
import type { TokenHolder } from "../../../store/facts.ts";
import type { IndexedFacts, SnapshotContext } from "../../context.ts";
import { isTokenRead } from "../../read_among.ts";
import { differs } from "./balances.ts";
import { RANKED_HOLDERS_MAX } from "./concentration.ts";
import { type HolderSums, readHolderSums } from "./sums.ts";

export interface Holder {
  readonly holder: Hex;
  /** Base units; null when neither the token's events nor its contract show it. */
  readonly amount: bigint | null;
}

/** Holders with an unknown amount first, then the largest; ties by address. */
export const byAmount = (a: Holder, b: Holder): number => {
  if (a.amount === b.amount) return a.holder < b.holder ? -1 : 1;
  if (a.amount === null || b.amount === null) return a.amount === null ? -1 : 1;
  return a.amount > b.amount ? -1 : 1;
};

/** `balanceOf` of holders at the snapshot's block; where the contract does not answer, the amount stays. */
const readLive = async (
  { chain, snapshot, signal }: SnapshotContext,
  token: Hex,
  holders: readonly Holder[],
): Promise<readonly Holder[]> => {
  const pairs = holders.map(({ holder }) => ({ token, holder }));
  const amounts = await chain.tokenBalances(pairs, signal, snapshot.block.number);
  return holders.map(({ holder, amount }, i) => ({ holder, amount: amounts[i] ?? amount }));
};

/** Alternates between both lists: neither can fill the first page and hide the other. */
const inTurns = <T>(a: readonly T[], b: readonly T[]): readonly T[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i], b[i]])
    .flat()
    .filter((one): one is T & {} => one !== undefined);

/** Holders by the events, the largest first, with those whose events add up to no balance. */
const candidatesOf = (
  indexed: readonly { readonly holder: Hex; readonly amount: bigint }[],
  { is_doubtful, doubtful }: HolderSums,
): readonly Holder[] => {
  if (!is_doubtful) return indexed;
  const unknown = new Set([...doubtful, ...indexed.flatMap(({ holder, amount }) => (isWord(amount) ? [] : [holder]))]);
  const known = indexed.filter(({ holder }) => !unknown.has(holder));
  return inTurns<Holder>(
    known,
    [...unknown].map((holder) => ({ holder, amount: null })),
  );
};

/**
 * By the events, the largest first, one more than are ranked: callers that need fewer run the same query. None on a network of which only
 * some addresses are read, and not the token.
 */
export const largestByEvents = async (
  { facts, snapshot }: IndexedFacts,
  token: Hex,
): Promise<readonly TokenHolder[]> => {
  if (!isTokenRead(snapshot, token)) return [];
  const [largest = []] = await facts.tokenHolders(snapshot, [token], RANKED_HOLDERS_MAX + 1);
  return largest;
};

export interface HolderList {
  readonly holders: readonly Holder[];
  /** The contract reports balances other than its transfers add up to. */
  readonly is_reconciled: boolean;
  /** Of all holders, by the events. */
  readonly sums: HolderSums;
}

/**
 * The largest holders, one more than are ranked, so that "is there more" is exact. If the contract reports another
 * balance for one of the first `shown` than its transfers add up to (a rebasing token), all are read from the contract.
 * Holders whose transfers add up to no balance always are; without a node they alternate with the others.
 */
export const readHolders = async (scope: SnapshotContext, token: Hex, shown: number): Promise<HolderList> => {
  const { facts, snapshot, chain } = scope;
  const [found, sums] = await Promise.all([
    largestByEvents({ facts, snapshot }, token),
    readHolderSums({ facts, snapshot }, token),
  ]);
  const indexed = candidatesOf(found, sums);
  const as_indexed = { holders: indexed, is_reconciled: false, sums };
  if (token === "" || !chain.can.archive || indexed.length === 0) return as_indexed;
  try {
    if (!sums.is_doubtful) {
      const first = await readLive(scope, token, indexed.slice(0, shown));
      if (!first.some(({ amount }, i) => differs(indexed[i]?.amount ?? 0n, amount ?? 0n))) return as_indexed;
    }
    const live = await readLive(scope, token, indexed);
    return { holders: live.filter(({ amount }) => amount !== 0n).sort(byAmount), is_reconciled: true, sums };
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return as_indexed;
    throw error;
  }
};

/** Holders with less of the supply are incomplete; the margin allows for a mint between two reads of the node. */
const REPORTED_PERCENT_MIN = 99n;

/**
 * The index's holders add up to the supply that the contract reports. They do not if coins were distributed without a
 * log and no node has the old state that would show the receivers (docs/design/facts_store.md).
 */
export const isSupplyReported = (
  { chain }: SnapshotContext,
  { token, total_supply }: { readonly token: Hex; readonly total_supply: bigint | null },
  { supply }: HolderSums,
): boolean => {
  if (token === "" || total_supply === null || chain.can.archive) return true;
  return supply * 100n >= total_supply * REPORTED_PERCENT_MIN;
};
