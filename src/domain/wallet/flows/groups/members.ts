import type { Hex } from "../../../../lib/bytes.ts";
import { AssayError } from "../../../../lib/errors.ts";
import { DAY_S, HOUR_S, hourOf } from "../../../../lib/time.ts";
import {
  COHORT_RULES,
  COHORTS,
  type Cohort,
  FRESH,
  LABEL_COHORTS,
  TOP_PNL,
} from "../../../address/cohorts/definitions.ts";
import { labelCategories } from "../../../address/identity/categories.ts";
import type { CallContext, SnapshotContext, Warning } from "../../../context.ts";
import { burnAddressesOf } from "../../../token/holders/burn_addresses.ts";
import { readWhales } from "../../../token/holders/groups.ts";
import { poolSidesOf } from "../../../valuation/prices/pool_sides.ts";
import { priceKey, pricesAt, pricesAtHours, storedSpan } from "../../../valuation/prices/price_now.ts";
import { unitColumns } from "../../../valuation/worth.ts";

/** Limit of fresh accounts to look up on other networks. */
const FRESH_QUERY_MAX = 2_000;
const FRESH_S = FRESH.age_days_max * DAY_S;

export interface CohortSubject {
  readonly token: Hex;
  readonly decimals: number | null;
  readonly list_day: number;
  /** Blocks of the present window, and the first block of the earlier windows for comparison. */
  readonly first_block: number;
  readonly last_block: number;
  readonly compared_from_block: number;
  /** Unix seconds of the first of those earlier windows. */
  readonly compared_from: number;
  readonly timeframe: string;
}

/** Members of the cohorts, as query parameters. */
export interface CohortMembership {
  readonly asked: {
    readonly token: Hex;
    readonly categories: readonly string[];
    readonly label_cohorts: readonly string[];
    readonly rules: string;
    readonly list_day: number;
    readonly listed_cohorts: readonly string[];
    readonly listed_addresses: readonly Hex[];
    readonly with_fresh: number;
    readonly fresh_s: number;
    readonly aged: readonly Hex[];
    readonly burns: readonly Hex[];
  };
  /** Cohorts without known members, with the reason. */
  readonly unknown: ReadonlyMap<Cohort, string>;
  readonly warnings: readonly Warning[];
}

/** An account that moved anything by this time, unix seconds, is not fresh at flows after `flows_from`. */
export const freshSince = (flows_from: number): number => Math.max(0, flows_from - FRESH_S);

/** Wallets with the largest profit on the token; null when its price is unknown. */
const readTopPnl = async ({ facts, snapshot, chain }: SnapshotContext, token: Hex, decimals: number | null) => {
  const context = { facts, network: chain.network, snapshot };
  const traded = token === "" ? (chain.network.wrapped_native ?? "") : token;
  const price = (await pricesAt(context, [token])).get(token);
  if (price === undefined || decimals === null || traded === "") return null;
  const { until } = await storedSpan(context);
  const now = hourOf(snapshot.block.time);
  const stored_until = until === 0 ? now : until;
  const late_hours = Array.from({ length: (now - stored_until) / HOUR_S + 1 }, (_, i) => stored_until + i * HOUR_S);
  const late = await pricesAtHours(
    context,
    late_hours.map((hour) => ({ token, hour })),
  );
  const priced = late_hours.flatMap((hour) => {
    const found = late.get(priceKey(token, hour));
    return found === undefined ? [] : [{ hour, ...unitColumns(found, decimals) }];
  });
  const now_price = unitColumns(price, decimals);
  const rows = await facts.ask(snapshot, "groups/top_pnl", {
    token: traded,
    ...(await poolSidesOf(context, traded)),
    decimals,
    stored_until,
    late_hours: priced.map(({ hour }) => hour),
    late_units: priced.map(({ unit }) => unit),
    late_reserves: priced.map(({ reserve }) => reserve),
    late_payouts: priced.map(({ payout_usd }) => payout_usd),
    unit_now: now_price.unit,
    reserve_now: now_price.reserve,
    payout_now: now_price.payout_usd,
    limit: TOP_PNL.members_max,
  });
  return rows.map(({ trader }) => trader);
};

/** Accounts that look fresh here but moved earlier on another network of the family. */
const readAged = async (
  scope: SnapshotContext,
  context: CallContext,
  subject: CohortSubject,
): Promise<{ readonly aged: readonly Hex[]; readonly warnings: readonly Warning[] }> => {
  const { facts, snapshot, chain } = scope;
  const { id, family } = chain.network;
  const others = context.networks.filter((other) => other !== id && context.chain(other).network.family === family);
  if (others.length === 0) return { aged: [], warnings: [] };
  const fresh = await facts.ask(snapshot, "groups/fresh", {
    token: subject.token,
    first_block: subject.compared_from_block,
    last_block: subject.last_block,
    since: freshSince(subject.compared_from),
    fresh_s: FRESH_S,
    limit: FRESH_QUERY_MAX + 1,
  });
  const addresses = fresh.slice(0, FRESH_QUERY_MAX).map(({ address }) => address);
  const until = Math.max(0, snapshot.block.time - FRESH_S);
  const found = await Promise.all(
    others.map(async (other) => {
      try {
        const there = await facts.snapshot(other, null);
        const rows = await facts.ask(there, "groups/aged", { addresses, until });
        return { other, rows, is_whole: there.coverage.complete };
      } catch (error) {
        if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE")
          return { other, rows: [], is_whole: false };
        throw error;
      }
    }),
  );
  const partial = found.filter(({ is_whole }) => !is_whole).map(({ other }) => other);
  const warnings: Warning[] = [];
  if (partial.length > 0 || fresh.length > FRESH_QUERY_MAX) {
    const why = partial.length > 0 ? `${partial.join(", ")} is not indexed as a whole` : "there are too many of them";
    warnings.push({ code: "FRESH_UNSURE", message: `Some fresh wallets may be older on another network: ${why}.` });
  }
  return { aged: [...new Set(found.flatMap(({ rows }) => rows.map(({ address }) => address)))].sort(), warnings };
};

const LABELLED = Object.entries(LABEL_COHORTS).flatMap(([cohort, categories]) =>
  categories.map((category) => ({ cohort, category })),
);

/** Label cohorts for which the network has no label. */
const unlabelled = async (scope: SnapshotContext): Promise<ReadonlyMap<Cohort, string>> => {
  const has = await labelCategories(scope);
  return new Map(
    COHORTS.flatMap((cohort) => {
      const own = LABELLED.filter((label) => label.cohort === cohort);
      if (own.length === 0 || own.some(({ category }) => has.has(category))) return [];
      return [[cohort, `no address is labelled as ${cohort} on ${scope.chain.network.id}`] as const];
    }),
  );
};

/** Reads the members of each cohort. */
export const readMembership = async (
  scope: SnapshotContext,
  context: CallContext,
  subject: CohortSubject,
): Promise<CohortMembership> => {
  const { coverage } = scope.snapshot;
  const is_long = FRESH.timeframes.some((timeframe) => timeframe === subject.timeframe);
  const with_fresh = is_long && coverage.complete;
  const nobody = { members: [], warnings: [] };
  const burns = [...burnAddressesOf(scope.chain.network)];
  const [labels, top, whales, { aged, warnings }] = await Promise.all([
    unlabelled(scope),
    coverage.complete ? readTopPnl(scope, subject.token, subject.decimals) : null,
    coverage.complete
      ? readWhales(scope, subject.token, { block: subject.first_block - 1, decimals: subject.decimals })
      : nobody,
    with_fresh ? readAged(scope, context, subject) : { aged: [], warnings: [] },
  ]);
  const unknown = new Map(labels);
  const partial = "the index does not cover the whole history";
  if (!coverage.complete)
    for (const cohort of ["top_pnl", "whale", "fresh_wallets"] as const) unknown.set(cohort, partial);
  else if (top === null) unknown.set("top_pnl", "the token has no price");
  if (!is_long) unknown.set("fresh_wallets", "available for 1d and 7d only");
  const listed = [
    ...(top ?? []).map((address) => ({ cohort: "top_pnl", address })),
    ...whales.members.map((address) => ({ cohort: "whale", address })),
  ];
  return {
    asked: {
      token: subject.token,
      categories: LABELLED.map(({ category }) => category),
      label_cohorts: LABELLED.map(({ cohort }) => cohort),
      rules: COHORT_RULES,
      list_day: subject.list_day,
      listed_cohorts: listed.map(({ cohort }) => cohort),
      listed_addresses: listed.map(({ address }) => address),
      with_fresh: with_fresh ? 1 : 0,
      fresh_s: FRESH_S,
      // A burn address is never a new account.
      aged: [...aged, ...burns],
      burns,
    },
    unknown,
    warnings: [...whales.warnings, ...warnings],
  };
};
