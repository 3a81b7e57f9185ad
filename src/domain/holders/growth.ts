import type { Hex } from "../../lib/bytes.ts";
import type { Row } from "../../store/facts.ts";
import type { HeldFacts } from "../context.ts";

/** By how many the holders of a token grew in one interval. */
export type HolderGrowth = Row<"holders/daily_changes">;

export interface GrowthWindow {
  /** Unix seconds, and the first block that is not before: intervals count from here. */
  readonly since: number;
  readonly since_block: number;
  readonly interval_s: number;
  /** Holders that count; null: all of them. */
  readonly members: readonly Hex[] | null;
}

/** How holders of a token grew, up to the snapshot's block. Exact only where the whole history is indexed. */
export const readHolderGrowth = (
  { facts, snapshot }: HeldFacts,
  token: Hex,
  { members, ...window }: GrowthWindow,
): Promise<readonly HolderGrowth[]> =>
  facts.ask(snapshot, "holders/daily_changes", {
    token,
    ...window,
    is_all: members === null ? 1 : 0,
    categories: [],
    members: members ?? [],
  });
