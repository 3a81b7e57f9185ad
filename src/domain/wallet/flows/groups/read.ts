import type { Hex } from "../../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf } from "../../../../lib/time.ts";
import { AVERAGE_DAYS } from "../../../address/cohorts/definitions.ts";
import type { CallContext, SnapshotContext } from "../../../context.ts";
import { priceKey, pricesAtHours } from "../../../valuation/prices/price_now.ts";
import { unitColumns } from "../../../valuation/worth.ts";
import { spanOf } from "../../../window/blocks.ts";
import { type CohortMembership, freshSince, readMembership } from "./members.ts";

/** Seconds of each timeframe. */
export const TIMEFRAMES = {
  "5m": 300,
  "1h": HOUR_S,
  "6h": 6 * HOUR_S,
  "12h": 12 * HOUR_S,
  "1d": DAY_S,
  "7d": 7 * DAY_S,
} as const;

import { type Mover, readMovers } from "./movers.ts";
import { type HourFlow, type Valuation, windowsBefore } from "./sums.ts";

const TOP_WALLETS = 5;

export interface CohortFlows {
  /** Unix seconds: exclusive `from`, inclusive `to`. */
  readonly window: { readonly from: number; readonly to: number };
  readonly membership: CohortMembership;
  readonly now: readonly HourFlow[];
  /** Flows of all earlier windows together. */
  readonly before: readonly HourFlow[];
  readonly average_windows: number;
  readonly wallets: readonly Mover[];
  readonly valuation: Valuation;
}

/** The token's price in the hours from `from` to `to`. */
const readPrices = async (
  { facts, snapshot, chain }: SnapshotContext,
  token: Hex,
  [from, to]: readonly [number, number],
) => {
  const first = hourOf(Math.max(0, from));
  const hours = Array.from({ length: Math.floor((to - first) / HOUR_S) + 1 }, (_, i) => first + i * HOUR_S);
  const context = { facts, network: chain.network, snapshot };
  const prices = await pricesAtHours(
    context,
    hours.map((hour) => ({ token, hour })),
  );
  return { hours, priceAt: (hour: number) => prices.get(priceKey(token, hour)) ?? null };
};

/** Prices of one base unit and what can be sold at them, a column each, of the hours with a price. */
const priceColumns = ({ hours, priceAt }: Awaited<ReturnType<typeof readPrices>>, decimals: number | null) => {
  const priced = hours.flatMap((hour) => {
    const price = priceAt(hour);
    return price === null || decimals === null ? [] : [{ hour, ...unitColumns(price, decimals) }];
  });
  return {
    hours: priced.map(({ hour }) => hour),
    prices: priced.map(({ unit }) => unit),
    reserves: priced.map(({ reserve }) => reserve),
    payouts: priced.map(({ payout_usd }) => payout_usd),
  };
};

interface CohortFlowsQuery {
  readonly token: Hex;
  readonly decimals: number | null;
  readonly list_day: number;
  /** Unix seconds: the index starts here. */
  readonly since: number;
  readonly asked: { readonly timeframe: keyof typeof TIMEFRAMES };
}

/** Reads all flows, wallets and prices of the answer. */
export const readFlows = async (
  scope: SnapshotContext,
  context: CallContext,
  subject: CohortFlowsQuery,
): Promise<CohortFlows> => {
  const { facts, snapshot } = scope;
  const { token, decimals, asked } = subject;
  const [to, length_s] = [snapshot.block.time, TIMEFRAMES[asked.timeframe]];
  const from = to - length_s;
  const [birth] = await facts.ask(snapshot, "groups/birth", { token });
  const born = Math.max(birth?.time ?? to, subject.since);
  const average_windows = windowsBefore({ length_s, from, born, reach_s: AVERAGE_DAYS * DAY_S });
  const compared_from = from - average_windows * length_s;
  const [span, earlier, { hours, priceAt }] = await Promise.all([
    spanOf(scope, { from: from + 1, until: to + 1 }),
    spanOf(scope, { from: compared_from + 1, until: from + 1 }),
    readPrices(scope, token, [compared_from, to]),
  ]);
  const membership = await readMembership(scope, context, {
    ...span,
    token,
    decimals,
    list_day: subject.list_day,
    compared_from_block: earlier.first_block,
    compared_from,
    timeframe: asked.timeframe,
  });
  const { first_block, last_block } = span;
  const [flows, wallets] = await Promise.all([
    facts.ask(snapshot, "groups/flows", {
      ...membership.asked,
      first_block: average_windows === 0 ? first_block : earlier.first_block,
      now_block: first_block,
      last_block,
      since: freshSince(compared_from),
    }),
    readMovers(scope, {
      ...membership.asked,
      first_block,
      last_block,
      since: freshSince(from),
      ...priceColumns({ hours: hours.filter((hour) => hour >= hourOf(from)), priceAt }, decimals),
      limit: TOP_WALLETS,
    }),
  ]);
  return {
    window: { from, to },
    membership,
    now: flows.filter(({ is_now }) => is_now === 1),
    before: flows.filter(({ is_now }) => is_now === 0),
    average_windows,
    wallets,
    valuation: { decimals, priceAt },
  };
};
