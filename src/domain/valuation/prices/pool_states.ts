import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import type { IndexedFacts } from "../../context.ts";
import { inBatches } from "./pools.ts";

/** The newest state from a pool's own events, and its place on the chain. */
export type PlacedState = QueryRow<"prices/states_at">;
export type PoolState = Omit<PlacedState, "state_block" | "state_log">;
/** Change of the liquidity of a range. */
export type RangeChange = QueryRow<"prices/range_changes">;
/** Change of the holdings of a pool in a singleton; a rounded number. */
export type SingletonChange = QueryRow<"prices/singleton_reserves">;

interface PoolPair {
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

/** Nearly every active pool changed within so many blocks, so its older history need not be read. */
export const LATELY_BLOCKS = 10_000;

/** The first of those blocks. */
export const latelyBefore = ({ from_block }: Snapshot, number: number): number =>
  Math.max(from_block, number - LATELY_BLOCKS + 1);

/** States of pools that did not change from a block on; a pool without an earlier state is absent. */
export const statesBefore = async (
  { facts, snapshot }: IndexedFacts,
  pools: readonly Hex[],
  lately: number,
): Promise<readonly PlacedState[]> =>
  lately === snapshot.from_block
    ? []
    : inBatches(pools, (part) => facts.ask(until(snapshot, lately - 1), "prices/states_at", { pools: part }));

/** Some pools at the end of a block. */
export interface PoolsAtBlock {
  readonly pools: readonly Hex[];
  readonly at: number;
}

/** Groups blocks in order, so that one query per group reads little between them. */
const nearMoments = (blocks: readonly number[]): readonly (readonly number[])[] => {
  const groups: number[][] = [];
  for (const at of [...new Set(blocks)].sort((a, b) => a - b)) {
    const [group] = groups.slice(-1);
    if (group !== undefined && at - (group[0] ?? 0) < LATELY_BLOCKS) group.push(at);
    else groups.push([at]);
  }
  return groups;
};

/** By block, the states of its pools; a pool without a state then is absent. */
const statesNear = async (
  { facts, snapshot }: IndexedFacts,
  asked: readonly PoolsAtBlock[],
  moments: readonly number[],
): Promise<readonly (readonly [number, readonly PlacedState[]])[]> => {
  const lately = latelyBefore(snapshot, moments[0] ?? 0);
  const among = until(snapshot, moments.at(-1) ?? 0, lately);
  const poolsAt = (at: number) => [...new Set(asked.flatMap((one) => (one.at === at ? one.pools : [])))];
  const found = await inBatches([...new Set(moments.flatMap(poolsAt))], (part) =>
    facts.ask(among, "prices/states_lately", { pools: part, moments }),
  );
  return Promise.all(
    moments.map(async (at) => {
      const known = new Map(found.filter((row) => row.at === at).map((row) => [row.pool, row]));
      const pools = poolsAt(at);
      const states = pools.flatMap((pool) => known.get(pool) ?? []);
      const earlier = await statesBefore(
        { facts, snapshot },
        pools.filter((pool) => !known.has(pool)),
        lately,
      );
      return [at, [...states, ...earlier]] as const;
    }),
  );
};

/** States of pools at the ends of several blocks, in the given order; a pool without a state then is absent. */
export const poolStatesAtEach = async (
  scope: IndexedFacts,
  asked: readonly PoolsAtBlock[],
): Promise<readonly (readonly PlacedState[])[]> => {
  const groups = nearMoments(asked.flatMap(({ pools, at }) => (pools.length === 0 ? [] : at)));
  const states = new Map((await Promise.all(groups.map((group) => statesNear(scope, asked, group)))).flat());
  return asked.map(({ pools, at }) => {
    const wanted = new Set(pools);
    return (states.get(at) ?? []).filter(({ pool }) => wanted.has(pool));
  });
};

/** States of pools at the end of a block; a pool without one is absent. */
export const poolStatesAt = async (
  scope: IndexedFacts,
  pools: readonly Hex[],
  at: number,
): Promise<readonly PlacedState[]> => (await poolStatesAtEach(scope, [{ pools, at }]))[0] ?? [];

/** A pool's balance of one of its tokens, base units. */
export interface PoolReserve {
  readonly holder: Hex;
  readonly token: Hex;
  readonly amount: bigint;
}

/** Balances of pools in their two tokens at the end of a block, for pools whose states do not report them. */
export const poolReservesAt = (
  { facts, snapshot }: IndexedFacts,
  pools: readonly PoolPair[],
  at: number,
): Promise<PoolReserve[]> =>
  inBatches(pools, async (part) => {
    const pairs = part.flatMap(({ pool, token0, token1 }) => [
      { holder: pool, token: token0 },
      { holder: pool, token: token1 },
    ]);
    const amounts = await facts.balanceOf(until(snapshot, at), pairs);
    return pairs.map((pair, i) => ({ ...pair, amount: amounts[i] ?? 0n }));
  });

/** Amounts that came into pools of a singleton (which have no balances) from `after` on, up to the end of a block. */
export const singletonChangesAt = (
  { facts, snapshot }: IndexedFacts,
  pools: readonly Hex[],
  { at, after }: { readonly at: number; readonly after: number },
): Promise<SingletonChange[]> =>
  inBatches(pools, (part) =>
    facts.ask(until(snapshot, at), "prices/singleton_reserves", { pools: part, after_block: after }),
  );

/** A pool and a place on the chain. */
type PlacedPool = Pick<PlacedState, "pool" | "state_block" | "state_log">;

/** Liquidity that entered ranges of concentrated pools after the given places, up to the end of a block. */
export const rangeChangesAt = (
  { facts, snapshot }: IndexedFacts,
  pools: readonly PlacedPool[],
  at: number,
): Promise<RangeChange[]> =>
  inBatches(pools, (part) =>
    facts.ask(until(snapshot, at), "prices/range_changes", {
      pools: part.map(({ pool }) => pool),
      after_blocks: part.map(({ state_block }) => state_block),
      after_logs: part.map(({ state_log }) => state_log),
    }),
  );
