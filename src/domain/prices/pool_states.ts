import type { Hex } from "../../lib/bytes.ts";
import type { Row, Snapshot } from "../../store/facts.ts";
import { inParts, type PriceContext } from "./pools.ts";

type Place = Pick<PriceContext, "facts" | "snapshot">;

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

/** States of pools at the end of a block; one that had none is absent. */
export const poolStatesAt = ({ facts, snapshot }: Place, pools: readonly Hex[], at: number): Promise<PoolState[]> =>
  inParts(pools, (part) => facts.ask(until(snapshot, at), "prices/states_at", { pools: part }));

/** What pools had of their two tokens at the end of a block, base units: for those whose states do not tell. */
export const poolReservesAt = (
  { facts, snapshot }: Place,
  pools: readonly Paired[],
  at: number,
): Promise<Row<"prices/reserves_at">[]> =>
  inParts(pools, (part) =>
    facts.ask(snapshot, "prices/reserves_at", {
      at,
      holders: part.map(({ pool }) => pool),
      tokens: [...new Set(part.flatMap(({ token0, token1 }) => [token0, token1]))],
    }),
  );

/** What came into pools of a singleton (they hold nothing themselves) from `after` on, up to the end of a block. */
export const singletonMovesAt = (
  { facts, snapshot }: Place,
  pools: readonly Hex[],
  { at, after }: { readonly at: number; readonly after: number },
): Promise<SingletonMoved[]> =>
  inParts(pools, (part) =>
    facts.ask(until(snapshot, at), "prices/singleton_reserves", { pools: part, after_block: after }),
  );
