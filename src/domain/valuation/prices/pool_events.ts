import type { Network } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import { isConcentrated, isInSingleton } from "./pool_family.ts";
import {
  type PlacedState,
  type PoolReserve,
  poolReservesAt,
  poolStatesAt,
  type RangeChange,
  rangeChangesAt,
  type SingletonChange,
  singletonChangesAt,
  until,
} from "./pool_states.ts";
import { inBatches, type PriceContext, type PricePool } from "./pools.ts";

type PoolHours = QueryRow<"prices/hours">;

/** Events of some pools by hour. */
export interface PoolRows {
  readonly volumes: readonly QueryRow<"prices/volumes">[];
  readonly states: readonly QueryRow<"prices/states">[];
  readonly deltas: readonly QueryRow<"prices/reserves">[];
  readonly ranges: readonly RangeChange[];
  readonly singletons: readonly SingletonChange[];
}

/** Pools at the end of a block. */
interface PoolsThen {
  readonly states: readonly PlacedState[];
  /** Liquidity that entered ranges after those states. */
  readonly ranges: readonly RangeChange[];
  /** Balances of concentrated pools, which their states do not report. */
  readonly balances: readonly PoolReserve[];
  readonly singletons: readonly SingletonChange[];
}

/** The hours that have blocks, and their events. */
interface PoolNews {
  readonly hours: readonly PoolHours[];
  readonly rows: PoolRows;
}

/** The pools of a question; `is_all`: they are all that there are. */
export interface PoolsAsked {
  readonly pools: readonly PricePool[];
  readonly is_all: boolean;
}

/** Events of pools up to a block: the facts of a whole network have them, or a node. */
export interface PoolEvents {
  readonly network: Network;
  /** The last block that counts. */
  readonly block: Pick<Snapshot["block"], "number" | "time">;
  /** The newest block before a moment; null without one. */
  blockBefore(time: number): Promise<number | null>;
  /** The newest prices from pools in the 24 hours before an hour; of every token where `is_all`. */
  earlier(
    tokens: readonly Hex[],
    how: { readonly before: number; readonly is_all: boolean },
  ): Promise<readonly QueryRow<"prices/earlier">[]>;
  /** `at` null: before the first block. */
  poolsAt(pools: readonly PricePool[], at: number | null): Promise<PoolsThen>;
  /** Of the blocks after `after` (null: from the first one on) and before `end` (unix seconds). */
  between(asked: PoolsAsked, span: { readonly after: number | null; readonly end: number }): Promise<PoolNews>;
}

const NO_ROWS: PoolRows = { volumes: [], states: [], deltas: [], ranges: [], singletons: [] };

const tokensOf = (pools: readonly PricePool[]): readonly Hex[] => [
  ...new Set(pools.flatMap(({ token0, token1 }) => [token0, token1])),
];

/** More than any log index. */
const LOG_MAX = 2 ** 32 - 1;
/** The place before the first log of a block. */
const startingAt = (block: number) => (pool: Hex) => ({
  ...{ pool, state_block: Math.max(0, block - 1), state_log: LOG_MAX },
});

const idsOf = (pools: readonly PricePool[]): readonly Hex[] => pools.map(({ pool }) => pool);

/** Pools whose liquidity is in ranges: those with balances of their own, and those inside one contract. */
const rangedOf = (pools: readonly PricePool[]) => {
  const ranged = pools.filter(({ family }) => isConcentrated(family));
  const single = ranged.filter(({ family }) => isInSingleton(family));
  return { ranged, single, deep: ranged.filter(({ family }) => !isInSingleton(family)) };
};

/** The events of a network that is indexed whole. */
export const storedPoolEvents = (context: PriceContext): PoolEvents => {
  const { facts, network, snapshot } = context;
  return {
    network,
    block: snapshot.block,
    async blockBefore(time) {
      const [row] = await facts.ask(snapshot, "prices/block_before", { before: time });
      return row?.block_number ?? null;
    },
    earlier(tokens, { before, is_all }) {
      const ask = (part: readonly Hex[]) => facts.ask(snapshot, "prices/earlier", { tokens: part, before });
      return is_all ? ask([]) : inBatches(tokens, ask);
    },
    async poolsAt(pools, asked_at) {
      const at = asked_at ?? Math.max(0, snapshot.from_block - 1);
      const { ranged, single, deep } = rangedOf(pools);
      const [states, balances, singletons] = await Promise.all([
        asked_at === null ? [] : poolStatesAt(context, idsOf(pools), at),
        poolReservesAt(context, deep, at),
        asked_at === null ? [] : singletonChangesAt(context, idsOf(single), { at, after: 0 }),
      ]);
      const ids = new Set(idsOf(ranged));
      const placed = states.filter(({ pool }) => ids.has(pool));
      return { states, ranges: await rangeChangesAt(context, placed, at), balances, singletons };
    },
    async between({ pools, is_all }, { after, end }) {
      const from_block = after === null ? snapshot.from_block : after + 1;
      const since = until(snapshot, snapshot.block.number, from_block);
      const hours = await facts.ask(since, "prices/hours", { until: end });
      const [first, last] = [hours[0], hours.at(-1)];
      if (first === undefined || last === undefined || pools.length === 0) return { hours, rows: NO_ROWS };
      const range = until(snapshot, last.last_block, first.first_block);
      const { ranged, single, deep } = rangedOf(pools);
      const ofPools = <R>(ask: (part: readonly Hex[]) => Promise<readonly R[]>) =>
        is_all ? ask([]) : inBatches(idsOf(pools), ask);
      const [volumes, states, deltas, ranges, singletons] = await Promise.all([
        ofPools((part) => facts.ask(range, "prices/volumes", { pools: part })),
        ofPools((part) => facts.ask(range, "prices/states", { pools: part })),
        inBatches(deep, (part) =>
          facts.ask(range, "prices/reserves", { holders: idsOf(part), tokens: tokensOf(part) }),
        ),
        rangeChangesAt(context, idsOf(ranged).map(startingAt(first.first_block)), last.last_block),
        // Their amounts depend on states that may be older than the range.
        singletonChangesAt(context, idsOf(single), { at: last.last_block, after: first.first_block }),
      ]);
      return { hours, rows: { volumes, states, deltas, ranges, singletons } };
    },
  };
};
