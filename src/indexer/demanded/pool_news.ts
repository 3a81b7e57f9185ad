/** Events of pools from the logs of a node, in the rows that queries return on a whole network. */

import type { PastLog } from "../../chains/account_history.ts";
import type { Network } from "../../chains/chain.ts";
import type { PoolRows } from "../../domain/valuation/prices/pool_events.ts";
import { isConcentrated } from "../../domain/valuation/prices/pool_family.ts";
import type { PricePool } from "../../domain/valuation/prices/pools.ts";
import { POOL_EVENTS, POOL_FAMILIES } from "../../knowledge/pool_families.gen.ts";
import type { PoolEvent } from "../../knowledge/pool_family_row.ts";
import { EMPTY, type Hex, toHex } from "../../lib/bytes.ts";
import { hourOf } from "../../lib/time.ts";
import { topicOf } from "../../protocols/protocol.ts";
import { freezeListOf } from "../decode_freezes.ts";
import { decodeLogs } from "../decode_logs.ts";
import { type BlockRows, emptyRows } from "../rows.ts";

/** Families whose pools are contracts with a price. */
const PRICED: ReadonlySet<string> = new Set(
  POOL_FAMILIES.flatMap(({ family, reads }) => (reads === null || reads.state.length === 0 ? [] : [family])),
);

const topicsOf = (isWanted: (row: PoolEvent) => boolean): readonly Hex[] =>
  POOL_EVENTS.filter((row) => PRICED.has(row.family) && isWanted(row)).map(({ event }) => toHex(topicOf(event)));

/** First topics of the events by which factories announce pools. */
export const CREATION_TOPICS: readonly Hex[] = topicsOf(({ fact }) => fact === "pool");

/** First topics of the events that change a pool's price, depth or volume. Pools of reserves state them after each change. */
export const POOL_TOPICS: readonly Hex[] = topicsOf(
  ({ fact, fields }) =>
    fact === "swap" || fact === "state" || (fact !== "pool" && fact !== "collect" && fields.tick_lower !== undefined),
);

/** A log with the time of its block. */
interface TimedLog extends PastLog {
  readonly time: number;
}

/** The rows of these logs, decoded as those of whole blocks. */
export const decodePoolLogs = (network: Network, logs: readonly TimedLog[]): BlockRows => {
  const rows = emptyRows();
  const freezes = freezeListOf(network);
  for (const { block: number, time, tx_index, ...log } of logs) {
    const block = {
      ...{ number, time, hash: EMPTY, parent_hash: EMPTY, producer: EMPTY, base_fee: null },
      ...{ transactions: [], issuance: [], has_traces: false, verified: "none" as const },
    };
    const scope = { network, block, wrapped_native: null, venues: new Map(), freezes, rows };
    decodeLogs(scope, {
      ...{ index: tx_index, hash: EMPTY, sender: EMPTY, recipient: EMPTY, value: 0n, nonce: 0, input: EMPTY },
      ...{ succeeded: true, gas_used: 0n, fee: 0n, tip: 0n, created_contract: null, logs: [log], calls: [] },
    });
  }
  return rows;
};

const grouped = <T>(list: readonly T[], keyOf: (one: T) => string): readonly (readonly [T, ...T[]])[] => {
  const groups = new Map<string, [T, ...T[]]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
};

type StateRow = BlockRows["pool_states"][number];

const TWO_TO_96 = 2 ** 96;

/** The raw price of token0 in token1; 0 without one (states.sql). */
const ratioOf = ({ reserve0, reserve1, sqrt_price_x96, liquidity }: StateRow): number => {
  if (sqrt_price_x96 > 0n) return liquidity > 0n ? (Number(sqrt_price_x96) / TWO_TO_96) ** 2 : 0;
  return reserve0 > 0n ? Number(reserve1) / Number(reserve0) : 0;
};

/** States at the ends of blocks by hour, as `states.sql` answers. */
const statesOf = (rows: readonly StateRow[]): PoolRows["states"] => {
  const ends = grouped(rows, ({ pool, block_number }) => `${toHex(pool)}:${block_number}`).map((states) =>
    states.reduce((last, state) => (state.log_index > last.log_index ? state : last)),
  );
  return grouped(ends, ({ pool, time }) => `${toHex(pool)}:${hourOf(time)}`).map((states) => {
    const sorted = [...states].sort((a, b) => a.block_number - b.block_number);
    const last = sorted.at(-1) ?? states[0];
    const { reserve0, reserve1, sqrt_price_x96, liquidity, tick } = last;
    return {
      ...{ pool: toHex(last.pool), hour: hourOf(last.time), reserve0, reserve1, sqrt_price_x96, liquidity, tick },
      ...{ state_block: last.block_number, state_log: last.log_index },
      seconds: sorted.map(({ time }) => time),
      ratios: sorted.map(ratioOf),
    };
  });
};

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** Volumes by hour, the swaps of one transaction in one pool as their sum, as `volumes.sql` answers. */
const volumesOf = (swaps: BlockRows["swaps"]): PoolRows["volumes"] => {
  const nets = grouped(swaps, ({ pool, block_number, tx_index }) => `${toHex(pool)}:${block_number}:${tx_index}`).map(
    (own) => ({
      pool: toHex(own[0].pool),
      hour: hourOf(own[0].time),
      net0: own.reduce((sum, { amount0 }) => sum + amount0, 0n),
      net1: own.reduce((sum, { amount1 }) => sum + amount1, 0n),
    }),
  );
  const trades = nets.filter(({ net0, net1 }) => (net0 > 0n && net1 < 0n) || (net0 < 0n && net1 > 0n));
  return grouped(trades, ({ pool, hour }) => `${pool}:${hour}`).map((own) => ({
    pool: own[0].pool,
    hour: own[0].hour,
    volume0: own.reduce((sum, { net0 }) => sum + size(net0), 0n),
    volume1: own.reduce((sum, { net1 }) => sum + size(net1), 0n),
  }));
};

/** Liquidity that entered and left ranges of concentrated pools, as `range_changes.sql` answers. */
const rangesOf = (events: BlockRows["liquidity_events"], pools: readonly PricePool[]): PoolRows["ranges"] => {
  const ranged = new Set(pools.flatMap(({ family, pool }) => (isConcentrated(family) ? [pool] : [])));
  return events.flatMap(({ pool, kind, time, block_number, log_index, tick_lower, tick_upper, liquidity }) =>
    ranged.has(toHex(pool)) && kind !== "collect"
      ? [
          {
            ...{ pool: toHex(pool), hour: hourOf(time), block_number, log_index, tick_lower, tick_upper, liquidity },
            is_added: kind === "mint" ? 1 : 0,
          },
        ]
      : [],
  );
};

/** The events of these pools by hour; balances are no part of them. */
export const poolNewsOf = (rows: BlockRows, pools: readonly PricePool[]): Omit<PoolRows, "deltas"> => ({
  volumes: volumesOf(rows.swaps),
  states: statesOf(rows.pool_states),
  ranges: rangesOf(rows.liquidity_events, pools),
  singletons: [],
});
