import type { Hex } from "../../../lib/bytes.ts";
import { labelsOf, type ShownParty, shownParty } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import { isImpossible } from "./sums.ts";

export interface ListedHolder extends ShownParty {
  readonly address: Hex;
  /** Base units, above 0; null when the token's events add up to no balance. */
  readonly amount: bigint | null;
}

export interface HolderPage {
  /** Addresses that ever held the token, up to the limit. */
  readonly read_count: number;
  /** By address. */
  readonly holders: readonly ListedHolder[];
  /** The last address that was read; null when the list ends here. */
  readonly next_after: Hex | null;
}

export interface HolderPageQuery {
  readonly token: Hex;
  /** Addresses after this one; '' from the first. */
  readonly after: Hex | "";
  /** Addresses to read. Those without a balance are left out. */
  readonly limit: number;
}

/** Holders of a token at the snapshot's block, in the order of their addresses, so that every page has other holders. */
export const readHolderPage = async (
  { facts, snapshot }: SnapshotContext,
  { token, after, limit }: HolderPageQuery,
): Promise<HolderPage> => {
  const found = await facts.ask(snapshot, "holders/held_after", { token, after, limit: limit + 1 });
  const read = found.slice(0, limit).map(({ holder }) => holder);
  const amounts = await facts.balanceOf(
    snapshot,
    read.map((holder) => ({ token, holder })),
  );
  const held = read
    .map((address, i) => ({ address, sum: amounts[i] ?? 0n }))
    .filter(({ sum }) => sum !== 0n)
    .map(({ address, sum }) => ({ address, amount: sum < 0n || isImpossible(snapshot, sum) ? null : sum }));
  const labels = await labelsOf(
    facts,
    snapshot,
    held.map(({ address }) => address),
  );
  return {
    read_count: read.length,
    holders: held.map((holder) => ({ ...holder, ...shownParty(labels.get(holder.address)) })),
    next_after: found.length > limit ? (read.at(-1) ?? null) : null,
  };
};

/** Why the list may lack holders or show a wrong balance; null when it is whole. */
export const holdersGap = ({ snapshot: { coverage } }: SnapshotContext, token: Hex): string | null => {
  if (!coverage.complete)
    return "The index begins after the token's first block: holders that did not move the token since are not listed.";
  if (!coverage.logs) return "The index lacks logs of some blocks.";
  if (token === "" && !coverage.traces)
    return "The index lacks inner calls of some blocks, which move the native coin.";
  return null;
};
