import { DAY_S, HOUR_S } from "../lib/time.ts";
import type { Facts, QueryName, Snapshot } from "./facts.ts";
import type { Param } from "./param.ts";
import { QUERIES } from "./queries.gen.ts";

/** Maximum number of cached days of all networks. */
const REMEMBERED_MAX = 10_000;

/** Block producers' clocks differ: no block's time exceeds that of a later block by more than this. */
const DRIFT_S = HOUR_S;

/**
 * Adds a first block to queries with a `since` time. Rows are ordered by block, so such a query would otherwise also read everything
 * before that time. The block is cached per day: a final block before the day never changes.
 */
export const openEarliestBlocks = () => {
  const remembered = new Map<string, number>();

  /** Returns a block before all blocks of the day that begins at `day`, or null without one. */
  const lastBefore = async (facts: Pick<Facts, "ask">, snapshot: Snapshot, day: number): Promise<number | null> => {
    const key = `${snapshot.network}:${snapshot.generation}:${day}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const [row] = await facts.ask(snapshot, "block_at_time", { time: day - DRIFT_S });
    if (row === undefined) return null;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    // A block after the final one may be replaced by one with another time.
    remembered.set(key, Math.min(row.block_number, snapshot.final_block));
    return row.block_number;
  };

  /** Additional parameters of a query with `since`; none for others. */
  return async (
    facts: Pick<Facts, "ask">,
    snapshot: Snapshot,
    [query, { since }]: readonly [QueryName, Readonly<Record<string, Param>>],
  ): Promise<Readonly<Record<string, Param>>> => {
    if (!("earliest_block" in QUERIES[query].params)) return {};
    const day = Math.floor(Number(since) / DAY_S) * DAY_S;
    const before = day > 0 ? await lastBefore(facts, snapshot, day) : null;
    return { earliest_block: Math.max(snapshot.from_block, before === null ? 0 : before + 1) };
  };
};
