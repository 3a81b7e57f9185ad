import type { Hex } from "../../lib/bytes.ts";
import type { Row, Snapshot } from "../../store/facts.ts";
import type { HeldFacts } from "../context.ts";
import { inParts } from "./pools.ts";

/** The newest state that a pool's own events told. */
export type PoolState = Row<"prices/states_at">;
/** By how much what a pool of a singleton holds changed; a number, rounded. */
export type SingletonMoved = Row<"prices/singleton_reserves">;

interface Paired {
  readonly pool: Hex;
  readonly token0: Hex;
  readonly token1: Hex;
}

/** The snapshot as of an earlier block, or narrowed to the blocks from `from_block`. */
export const until = (snapshot: Snapshot, number: number, from_block = snapshot.from_block): Snapshot => ({
  ...snapshot,
  from_block,
  block: { ...snapshot.block, number },
});

/** Nearly every pool that is traded changed within so many blocks; above them its whole history is no matter. */
export const LATELY_BLOCKS = 10_000;

/** States of pools at the end of a block; one that had none is absent. */
export const poolStatesAt = async (
  { facts, snapshot }: HeldFacts,
  pools: readonly Hex[],
  at: number,
): Promise<readonly PoolState[]> => {
  const lately = Math.max(snapshot.from_block, at - LATELY_BLOCKS + 1);
  const found = await inParts(pools, (part) =>
    facts.ask(until(snapshot, at, lately), "prices/states_lately", { pools: part }),
  );
  if (lately === snapshot.from_block) return found;
  const known = new Set(found.map(({ pool }) => pool));
  const quiet = pools.filter((pool) => !known.has(pool));
  const earlier = await inParts(quiet, (part) =>
    facts.ask(until(snapshot, lately - 1), "prices/states_at", { pools: part }),
  );
  return [...found, ...earlier];
};

/** What a pool had of one of its tokens, base units. */
export interface PoolReserve {
  readonly holder: Hex;
  readonly token: Hex;
  readonly amount: bigint;
}

/** What pools had of their two tokens at the end of a block: for those whose states do not tell. */
export const poolReservesAt = (
  { facts, snapshot }: HeldFacts,
  pools: readonly Paired[],
  at: number,
): Promise<PoolReserve[]> =>
  inParts(pools, async (part) => {
    const pairs = part.flatMap(({ pool, token0, token1 }) => [
      { holder: pool, token: token0 },
      { holder: pool, token: token1 },
    ]);
    const amounts = await facts.balanceOf(until(snapshot, at), pairs);
    return pairs.map((pair, i) => ({ ...pair, amount: amounts[i] ?? 0n }));
  });

/** What came into pools of a singleton (they hold nothing themselves) from `after` on, up to the end of a block. */
export const singletonMovesAt = (
  { facts, snapshot }: HeldFacts,
  pools: readonly Hex[],
  { at, after }: { readonly at: number; readonly after: number },
): Promise<SingletonMoved[]> =>
  inParts(pools, (part) =>
    facts.ask(until(snapshot, at), "prices/singleton_reserves", { pools: part, after_block: after }),
  );
