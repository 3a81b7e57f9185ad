import { toAmount } from "../../../lib/money.ts";
import { HOUR_S, hourOf, iso, isoDay } from "../../../lib/time.ts";
import type { HolderGrowth } from "../../token/holders/growth.ts";
import { changePercent } from "../../token/market/signals.ts";
import { type SalePrice, usdOf, worthOfMovements } from "../../valuation/worth.ts";
import type { PartFlow, TokenFlow } from "./intervals.ts";
import type { DexHour } from "./token_flows.ts";

/** Rows of a time series, computed from the movements of each interval. Pure. */

/**
 * Movements of an interval. Amounts are in tokens, `_raw` in base units; null when the segment has no known members.
 */
interface IntervalMovements {
  transfer_count: number | null;
  unique_senders: number | null;
  unique_receivers: number | null;
  transfer_volume: number | null;
  transfer_volume_raw: string | null;
  transfer_volume_usd: number | null;
  inflow_amount: number | null;
  outflow_amount: number | null;
  inflow_count: number | null;
  outflow_count: number | null;
  net_flow_amount: number | null;
  net_flow_raw: string | null;
  net_flow_usd: number | null;
  minted: number | null;
  burned: number | null;
  dex_buy_usd: number | null;
  dex_sell_usd: number | null;
}

/** One interval. */
export interface FlowsRow extends IntervalMovements {
  date: string;
  price_usd: number | null;
  segment_balance: number | null;
  segment_balance_raw: string | null;
  segment_value_usd: number | null;
  holders_count: number | null;
}

/** The whole window. */
export interface FlowsSummary extends IntervalMovements {
  rows: number;
  price_change_percent: number | null;
}

export interface SeriesFacts {
  /** First second of the window; intervals count from here. */
  readonly from: number;
  readonly interval_s: number;
  /** Numbers of the first and the last shown interval. */
  readonly first: number;
  readonly last: number;
  /** Time of the snapshot's block. */
  readonly now: number;
  readonly decimals: number | null;
  /** Movements by interval, by hour, and over the whole window. Hours count from `from` too. */
  readonly parts: readonly TokenFlow[];
  readonly hours: readonly PartFlow[];
  readonly whole: TokenFlow | null;
  /** Bought and sold amounts by hour (its first second); null when no pool can hold the token. */
  readonly dex: readonly DexHour[] | null;
  /** Price in the hour of a moment. */
  readonly priceAt: (time: number) => SalePrice | null;
  /** False when no member of the segment is known, so that no figure can be computed. */
  readonly is_known: boolean;
  /**
   * Holders and their balance at the end of the last interval, and the growth of holders in each interval; null when
   * unknown.
   */
  readonly end: {
    readonly balance: bigint;
    readonly holders: number;
    readonly grown: readonly HolderGrowth[];
  } | null;
}

/** Amounts moved in one hour, and by how many movements. */
interface HourAmount {
  readonly time: number;
  readonly raw: bigint;
  readonly count: number;
}

/**
 * Sum of amounts at their hourly prices, the movements of an hour valued by their mean size; null when an hour with an
 * amount has no price or the token has no decimals.
 */
const usdOver = (facts: SeriesFacts, amounts: readonly HourAmount[]): number | null => {
  const { decimals } = facts;
  if (decimals === null) return null;
  return amounts.reduce<number | null>((sum, { time, raw, count }) => {
    if (sum === null || raw === 0n) return sum;
    const price = facts.priceAt(time);
    return price === null ? null : sum + worthOfMovements(price, toAmount(raw, decimals), count);
  }, 0);
};

/** Movements and trades of some hours. */
interface HourlyActivity {
  readonly moved: readonly { readonly time: number; readonly hour: PartFlow }[];
  /** Null when no pool can hold the token. */
  readonly traded: readonly DexHour[] | null;
}

const timed = ({ hours, from }: SeriesFacts): HourlyActivity["moved"] =>
  hours.map((hour) => ({ time: from + hour.part * HOUR_S, hour }));

/** `flow` null: nothing moved. `inside`: the hours of the flow. */
const movementsOf = (facts: SeriesFacts, flow: TokenFlow | null, inside: HourlyActivity): IntervalMovements => {
  const { decimals, is_known } = facts;
  const { moved, traded } = inside;
  const shown = (raw: bigint): number | null => (decimals === null ? null : toAmount(raw, decimals));
  const known = <T>(value: T): T | null => (is_known ? value : null);
  const dexUsd = (side: "bought" | "sold"): number | null =>
    traded === null
      ? null
      : usdOver(
          facts,
          traded.map((row) => ({ time: row.hour, raw: row[side], count: row[`${side}_count`] })),
        );
  const [volume, inflow, outflow] = [flow?.volume ?? 0n, flow?.inflow ?? 0n, flow?.outflow ?? 0n];
  return {
    transfer_count: known(flow?.transfers ?? 0),
    unique_senders: known(flow?.senders ?? 0),
    unique_receivers: known(flow?.receivers ?? 0),
    transfer_volume: known(shown(volume)),
    transfer_volume_raw: known(volume.toString()),
    transfer_volume_usd: known(
      usdOver(
        facts,
        moved.map(({ time, hour }) => ({ time, raw: hour.volume, count: hour.transfers })),
      ),
    ),
    inflow_amount: known(shown(inflow)),
    outflow_amount: known(shown(outflow)),
    inflow_count: known(flow?.inflows ?? 0),
    outflow_count: known(flow?.outflows ?? 0),
    net_flow_amount: known(shown(inflow - outflow)),
    net_flow_raw: known((inflow - outflow).toString()),
    net_flow_usd: known(
      usdOver(
        facts,
        moved.map(({ time, hour }) => ({ time, raw: hour.inflow - hour.outflow, count: hour.inflows + hour.outflows })),
      ),
    ),
    minted: shown(flow?.minted ?? 0n),
    burned: shown(flow?.burned ?? 0n),
    dex_buy_usd: known(dexUsd("bought")),
    dex_sell_usd: known(dexUsd("sold")),
  };
};

/** Groups items by their interval. */
const byPart = <T>({ from, interval_s }: SeriesFacts, items: readonly T[], timeOf: (item: T) => number) => {
  const parts = new Map<number, T[]>();
  for (const item of items) {
    const part = Math.floor((timeOf(item) - from) / interval_s);
    const list = parts.get(part);
    if (list === undefined) parts.set(part, [item]);
    else list.push(item);
  }
  return parts;
};

/** Every interval of the window, newest first. */
export const seriesOf = (facts: SeriesFacts): FlowsRow[] => {
  const { from, interval_s, decimals } = facts;
  const flows = new Map(facts.parts.map((flow) => [flow.part, flow]));
  const grown = new Map(facts.end?.grown.map(({ part, change }) => [part, change]) ?? []);
  const moved = byPart(facts, timed(facts), ({ time }) => time);
  const traded = facts.dex === null ? null : byPart(facts, facts.dex, ({ hour }) => hour);
  const rows: FlowsRow[] = [];
  let balance = facts.end?.balance ?? null;
  let holders = facts.end?.holders ?? null;
  for (let part = facts.last; part >= facts.first; part -= 1) {
    const flow = flows.get(part) ?? null;
    const start = from + part * interval_s;
    const price = facts.priceAt(Math.min(start + interval_s - HOUR_S, hourOf(facts.now)));
    const amount = balance === null || decimals === null ? null : toAmount(balance, decimals);
    rows.push({
      date: interval_s === HOUR_S ? iso(start) : isoDay(start),
      price_usd: price?.price_usd ?? null,
      ...movementsOf(facts, flow, {
        moved: moved.get(part) ?? [],
        traded: traded === null ? null : (traded.get(part) ?? []),
      }),
      segment_balance: amount,
      segment_balance_raw: balance?.toString() ?? null,
      segment_value_usd: balance === null || decimals === null ? null : usdOf(balance, decimals, price),
      holders_count: holders,
    });
    if (balance !== null && flow !== null) balance -= flow.inflow - flow.outflow;
    if (holders !== null) holders -= grown.get(part) ?? 0;
  }
  return rows;
};

/** One row for the whole window. `rows`: newest first. */
export const summaryOf = (facts: SeriesFacts, rows: readonly FlowsRow[]): FlowsSummary => {
  const newest = rows[0]?.price_usd ?? null;
  const oldest = rows.at(-1)?.price_usd ?? null;
  return {
    ...movementsOf(facts, facts.whole, { moved: timed(facts), traded: facts.dex }),
    rows: rows.length,
    price_change_percent: changePercent(newest, oldest),
  };
};
