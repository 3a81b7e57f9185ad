import type { Hex } from "../../lib/bytes.ts";
import { type Book, type Entry, type Quote, usdValue } from "./book.ts";
import { quantityOf } from "./position.ts";

/** Gains and losses up to this many USD count as neither. */
export const NEUTRAL_BAND_USD = 0.01;

/** One token at the end of the window. Null = not known; a position of nothing has a value of 0 without a price. */
export interface PnlRow {
  readonly entry: Entry;
  readonly quote: Quote | null;
  readonly realized_usd: number;
  readonly unrealized_usd: number | null;
  readonly total_usd: number | null;
  readonly realized_roi_percent: number | null;
  readonly unrealized_roi_percent: number | null;
  /** Base units held, costed and uncosted. */
  readonly quantity: bigint;
  readonly current_value_usd: number | null;
  readonly uncosted_value_usd: number | null;
}

const percentOf = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

const worth = (entry: Entry, amount: bigint, quote: Quote | null): number | null =>
  amount === 0n ? 0 : usdValue(entry, amount, quote);

/** `quote`: the price of the hour in which the window ends. */
export const rowOf = (entry: Entry, quote: Quote | null): PnlRow => {
  const { position, trading } = entry;
  const quantity = quantityOf(position);
  const costedValue = worth(entry, position.costed, quote);
  // A position that holds something needs a price, even when none of it has a cost.
  const known = quantity === 0n || usdValue(entry, quantity, quote) !== null;
  const unrealized_usd = known && costedValue !== null ? costedValue - position.cost_usd : null;
  return {
    entry,
    quote,
    realized_usd: trading.realized_usd,
    unrealized_usd,
    total_usd: unrealized_usd === null ? null : trading.realized_usd + unrealized_usd,
    realized_roi_percent: percentOf(trading.realized_usd, trading.cost_out_usd),
    unrealized_roi_percent: unrealized_usd === null ? null : percentOf(unrealized_usd, position.cost_usd),
    quantity,
    current_value_usd: worth(entry, quantity, quote),
    uncosted_value_usd: worth(entry, position.uncosted, quote),
  };
};

/** The order of tokens: the native coin's name among hex addresses. */
const nameOf = (bucket: Hex): string => (bucket === "" ? "native" : bucket);

/** Largest total first, unknown totals last, then by token. */
export const byTotal = (a: PnlRow, b: PnlRow): number => {
  const size = (row: PnlRow): number => (row.total_usd === null ? -1 : Math.abs(row.total_usd));
  if (size(a) !== size(b)) return size(b) - size(a);
  return nameOf(a.entry.bucket) < nameOf(b.entry.bucket) ? -1 : 1;
};

/** Totals over rows; sums take the known parts. */
export interface PnlSums {
  readonly total_tokens: number;
  readonly total_realized_pnl_usd: number;
  readonly total_unrealized_pnl_usd: number;
  readonly total_pnl_usd: number;
  readonly profitable_tokens: number;
  readonly losing_tokens: number;
  readonly neutral_tokens: number;
  readonly unpriced_tokens: number;
}

export const sumRows = (rows: readonly PnlRow[]): PnlSums => {
  const realized = rows.reduce((total, row) => total + row.realized_usd, 0);
  const unrealized = rows.reduce((total, row) => total + (row.unrealized_usd ?? 0), 0);
  const profitable = rows.filter(({ total_usd }) => total_usd !== null && total_usd > NEUTRAL_BAND_USD).length;
  const losing = rows.filter(({ total_usd }) => total_usd !== null && total_usd < -NEUTRAL_BAND_USD).length;
  return {
    total_tokens: rows.length,
    total_realized_pnl_usd: realized,
    total_unrealized_pnl_usd: unrealized,
    total_pnl_usd: realized + unrealized,
    profitable_tokens: profitable,
    losing_tokens: losing,
    neutral_tokens: rows.length - profitable - losing,
    unpriced_tokens: rows.filter(({ total_usd }) => total_usd === null).length,
  };
};

/** Disposals that made money among those whose cost was known; null when there was none. */
export const winRatePercent = ({ totals }: Book): number | null =>
  percentOf(totals.winning_disposals, totals.costed_disposals);

/**
 * How much of the money in the answer had a known cost: proceeds inside the window and holdings at its end, the costed
 * part over the whole; null when there is neither.
 */
export const costCoveragePercent = ({ totals }: Book, rows: readonly PnlRow[]): number | null => {
  const held = rows.reduce((total, row) => total + (row.current_value_usd ?? 0), 0);
  const uncosted = rows.reduce((total, row) => total + (row.uncosted_value_usd ?? 0), 0);
  return percentOf(totals.proceeds_costed_usd + held - uncosted, totals.proceeds_usd + held);
};
