import { toAmount } from "../../../../lib/money.ts";
import type { QueryRow } from "../../../../store/facts.ts";
import { type SalePrice, worthOfMovements } from "../../../valuation/worth.ts";

/** Flows across the borders of cohorts, summed and valued. Pure. */

export type HourFlow = Omit<QueryRow<"groups/flows">, "is_now">;

export interface Valuation {
  readonly decimals: number | null;
  /** Price of a whole token in the hour that begins at this time. */
  readonly priceAt: (hour: number) => SalePrice | null;
}

/** Sums of one cohort, the movements of an hour valued by their mean size. USD is null when an hour with an amount has no price or the token has no decimals. */
export interface CohortSums {
  readonly net_raw: bigint;
  readonly net_usd: number | null;
  readonly in_usd: number | null;
  readonly out_usd: number | null;
}

const valued = (
  rows: readonly { readonly hour: number; readonly raw: bigint; readonly count: number }[],
  { decimals, priceAt }: Valuation,
): number | null => {
  if (decimals === null) return null;
  let sum = 0;
  for (const { hour, raw, count } of rows) {
    if (raw === 0n) continue;
    const price = priceAt(hour);
    if (price === null) return null;
    sum += worthOfMovements(price, toAmount(raw, decimals), count);
  }
  return sum;
};

/** `rows`: one row per hour of one cohort. */
export const sumsOf = (rows: readonly HourFlow[], valuation: Valuation): CohortSums => {
  const side = (of: (row: HourFlow) => { readonly raw: bigint; readonly count: number }) =>
    valued(
      rows.map((row) => ({ hour: row.hour, ...of(row) })),
      valuation,
    );
  return {
    net_raw: rows.reduce((sum, { inflow, outflow }) => sum + inflow - outflow, 0n),
    net_usd: side(({ inflow, outflow, inflows, outflows }) => ({ raw: inflow - outflow, count: inflows + outflows })),
    in_usd: side(({ inflow, inflows }) => ({ raw: inflow, count: inflows })),
    out_usd: side(({ outflow, outflows }) => ({ raw: outflow, count: outflows })),
  };
};

/**
 * Number of whole windows of `length_s` between the token's first movement and the present window, within at most 30
 * days.
 */
export const windowsBefore = (span: {
  readonly length_s: number;
  readonly from: number;
  readonly born: number;
  readonly reach_s: number;
}): number => {
  const room_s = Math.min(span.reach_s, span.from - span.born);
  return Math.max(0, Math.floor(room_s / span.length_s));
};
