import type { Hex } from "../../../../lib/bytes.ts";
import { percentOf } from "../../../../lib/money.ts";
import { WORD_MAX } from "../../../../lib/wide.ts";
import type { SnapshotContext } from "../../../context.ts";
import { concentrationOf } from "../../../token/holders/concentration.ts";
import { type Holder, isSupplyReported, readHolders } from "../../../token/holders/holders.ts";
import { type HolderIdentity, readChanges, readIdentities } from "../../../token/holders/read.ts";
import type { HolderSums } from "../../../token/holders/sums.ts";
import type { MarketToken } from "../../../token/market/read.ts";
import { HOLDERS_MAX, spread } from "../../../token/simulation/replay.ts";

/** Holders of the token, as far as they matter for its risk. */
export interface HolderFacts {
  /** Null when the index does not cover the whole history. */
  readonly count: number | null;
  readonly top10_percent_adjusted: number | null;
  /** Percent of the total supply; null when it is not known. */
  readonly percentOf: (address: Hex | null) => number | null;
  /** Accounts without code, spread over the times at which they first received the token. */
  readonly people: readonly Hex[];
  /** A large holder. */
  readonly largest: Hex | null;
  /** The contract reports balances other than its transfers add up to; null when they could not be compared. */
  readonly is_rebasing: boolean | null;
  /** False when the index's holders do not add up to the supply. */
  readonly is_told: boolean;
  /** Why the token's events add up to impossible balances; null when they do not. */
  readonly doubt: HolderDoubt | null;
}

/** `beyond`: more than a contract can count; `below_zero`: a holder sent more than it had. */
export type HolderDoubt = "beyond" | "below_zero";

/** Number of holders whose code is checked: more than are replayed, since some are contracts. */
const CODE_READS_MAX = 2 * HOLDERS_MAX;
/** Number of the largest holders to read: the concentration finding is about them. */
const SHOWN = 20;

const NO_HOLDERS: HolderFacts = {
  count: null,
  top10_percent_adjusted: null,
  percentOf: () => null,
  people: [],
  largest: null,
  is_rebasing: null,
  is_told: true,
  doubt: null,
};

/** Holders by the time of their first receipt, ties by address. */
const byAcquisition = async (
  scope: SnapshotContext,
  token: Hex,
  holders: readonly Holder[],
): Promise<readonly Hex[]> => {
  const addresses = holders.map(({ holder }) => holder);
  const changes = await readChanges(scope, token, addresses);
  const firstOf = (address: Hex): number => changes.get(address)?.first_received_at ?? 0;
  return [...addresses].sort((a, b) => firstOf(a) - firstOf(b) || (a < b ? -1 : 1));
};

const isPerson = (identity: HolderIdentity | undefined): boolean => identity?.type === "eoa";

/**
 * If coins were distributed without an event, holders send more than the index knows of, and the events are still true.
 */
const doubtOf = ({ is_doubtful, beyond, supply }: HolderSums, is_told: boolean): HolderDoubt | null => {
  if (!is_doubtful) return null;
  if (beyond > 0 || supply > WORD_MAX) return "beyond";
  return is_told ? "below_zero" : null;
};

/** `insiders`: accounts whose transfers prove nothing about other holders (creator, owner). */
export const readTokenHolders = async (
  scope: SnapshotContext,
  { token, total_supply, burned }: MarketToken,
  insiders: readonly Hex[],
): Promise<HolderFacts> => {
  if (scope.snapshot.followed !== undefined) return NO_HOLDERS;
  const { complete, logs } = scope.snapshot.coverage;
  const { holders, is_reconciled, sums } = await readHolders(scope, token, SHOWN);
  const is_told = isSupplyReported(scope, { token, total_supply }, sums);
  const doubt = doubtOf(sums, is_told);
  if (holders.length === 0) return { ...NO_HOLDERS, doubt, count: complete && logs && !sums.is_doubtful ? 0 : null };
  const others = holders.filter(({ holder }) => !insiders.includes(holder));
  const candidates = spread(await byAcquisition(scope, token, others), CODE_READS_MAX);
  const shown = new Set([...candidates, ...holders.slice(0, SHOWN).map(({ holder }) => holder)]);
  const identities = await readIdentities(
    scope,
    holders.map(({ holder }) => holder),
    shown,
  );
  const people = candidates.filter((address) => isPerson(identities.get(address)));
  const known = { largest: holders[0]?.holder ?? null, people: spread(people, HOLDERS_MAX) };
  if (!complete || !logs || !is_told) return { ...NO_HOLDERS, ...known, is_told, doubt };
  const ranked = holders.flatMap(({ holder, amount }) =>
    amount === null ? [] : [{ amount, type: identities.get(holder)?.type ?? "eoa" } as const],
  );
  const kept = total_supply === null || burned === null ? null : total_supply - burned;
  const amounts = new Map(holders.map(({ holder, amount }) => [holder, amount]));
  const percentOfSupply = (address: Hex): number | null => {
    const amount = amounts.get(address) ?? (amounts.has(address) || doubt !== null ? null : 0n);
    return total_supply === null || total_supply === 0n || amount === null ? null : percentOf(amount, total_supply);
  };
  const is_divisible = kept !== null && (doubt === null || is_reconciled);
  return {
    ...known,
    count: doubt === null ? sums.holders : null,
    top10_percent_adjusted: is_divisible ? (concentrationOf(ranked, kept)?.adjusted.top10_percent ?? null) : null,
    percentOf: (address) => (address === null ? null : percentOfSupply(address)),
    is_rebasing: scope.chain.can.archive ? is_reconciled : null,
    is_told,
    doubt,
  };
};
