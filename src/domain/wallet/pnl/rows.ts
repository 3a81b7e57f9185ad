import type { Hex } from "../../../lib/bytes.ts";
import type { HoldingVerdict } from "../../token/developer/holding_outcomes.ts";
import type { SalePrice } from "../../valuation/worth.ts";
import { type HourQuote, isWorthLimited, type LedgerEntry, type PnlLedger, usdValue } from "./ledger.ts";
import { quantityOf, ratioOf } from "./position.ts";

/** Gains and losses up to this many USD count as neither. */
export const NEUTRAL_BAND_USD = 0.01;

/** One token at the end of the window. Null = unknown; an empty position has a value of 0 without a price. */
export interface PnlRow {
  readonly entry: LedgerEntry;
  readonly quote: HourQuote | null;
  readonly realized_usd: number;
  readonly unrealized_usd: number | null;
  readonly total_usd: number | null;
  readonly realized_roi_percent: number | null;
  readonly unrealized_roi_percent: number | null;
  /** Base units held, costed and uncosted. */
  readonly quantity: bigint;
  readonly current_value_usd: number | null;
  /** Outcome of the token; null when unknown or when the position is empty. */
  readonly outcome: HoldingVerdict | null;
  /** Value of an unsellable token at the last market price; null without one. */
  readonly last_market_value_usd: number | null;
  readonly uncosted_value_usd: number | null;
}

const percentOf = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

const worth = (entry: LedgerEntry, amount: bigint, quote: HourQuote | null): number | null =>
  amount === 0n ? 0 : usdValue(entry, amount, quote);

/** The share of units in the worth of the whole position: pools pay less for the whole than for its parts. */
const shareOfWorth = (entry: LedgerEntry, amount: bigint, quote: HourQuote | null): number | null => {
  const quantity = quantityOf(entry.position);
  if (amount === quantity || !isWorthLimited(entry, quote)) return worth(entry, amount, quote);
  const whole = worth(entry, quantity, quote);
  return whole === null ? null : whole * ratioOf(amount, quantity);
};

/** A token that cannot be sold has this price. */
const WORTHLESS: HourQuote = { usd: 0, rank: 0 };

/** Facts about a token at the end of the window. */
export interface RowFacts {
  /** The price in the window's last hour. */
  readonly market: HourQuote | null;
  readonly outcome: HoldingVerdict | null;
  /** The last market price of a token without a current one, with what could be sold at it. */
  readonly last: SalePrice | null;
}

/** A drained or unsellable token is worth nothing, whatever its market says. */
export const judgedRowOf = (entry: LedgerEntry, { market, outcome, last }: RowFacts): PnlRow => {
  const { position, trading } = entry;
  const quantity = quantityOf(position);
  const is_lost = outcome !== null && outcome.outcome !== "tradable" && quantity > 0n;
  const quote = is_lost ? WORTHLESS : market;
  const last_market: HourQuote | null =
    market ?? (last === null ? null : { usd: last.price_usd, rank: 0, sells: last.sells });
  const costedValue = shareOfWorth(entry, position.costed, quote);
  // A held position needs a price, even when no unit of it has a cost.
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
    outcome: quantity > 0n ? outcome : null,
    last_market_value_usd: is_lost ? worth(entry, quantity, last_market) : null,
    uncosted_value_usd: shareOfWorth(entry, position.uncosted, quote),
  };
};

/** Sort key of a token: the native coin's name among hex addresses. */
const nameOf = (bucket: Hex): string => (bucket === "" ? "native" : bucket);

/** Largest total first, unknown totals last, then by token. */
export const byTotal = (a: PnlRow, b: PnlRow): number => {
  const size = (row: PnlRow): number => (row.total_usd === null ? -1 : Math.abs(row.total_usd));
  if (size(a) !== size(b)) return size(b) - size(a);
  const [name, other] = [nameOf(a.entry.bucket), nameOf(b.entry.bucket)];
  return name === other ? 0 : name < other ? -1 : 1;
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
  /** Cost of held tokens without a price. */
  readonly unpriced_cost_usd: number;
  /** Value of held units without a known cost: in no profit and no loss. */
  readonly uncosted_value_usd: number;
  /** Proceeds of sold units without a known cost: in no profit and no loss. */
  readonly proceeds_without_cost_usd: number;
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
    unpriced_cost_usd: rows.reduce(
      (sum, { total_usd, entry }) => sum + (total_usd === null ? entry.position.cost_usd : 0),
      0,
    ),
    uncosted_value_usd: rows.reduce((sum, row) => sum + (row.uncosted_value_usd ?? 0), 0),
    proceeds_without_cost_usd: rows.reduce((sum, { entry }) => sum + entry.trading.proceeds_without_cost_usd, 0),
  };
};

/** Share of profitable disposals among those with a known cost; null without any. */
export const winRatePercent = ({ totals }: Readonly<Pick<PnlLedger, "totals">>): number | null =>
  percentOf(totals.winning_disposals, totals.costed_disposals);

/**
 * Share of the answer's money with a known cost: proceeds inside the window and holdings at its end, the costed part
 * over the whole; null without either.
 */
export const costCoveragePercent = ({ totals }: Pick<PnlLedger, "totals">, rows: readonly PnlRow[]): number | null => {
  const held = rows.reduce((total, row) => total + (row.current_value_usd ?? 0), 0);
  const uncosted = rows.reduce((total, row) => total + (row.uncosted_value_usd ?? 0), 0);
  return percentOf(totals.proceeds_costed_usd + held - uncosted, totals.proceeds_usd + held);
};
