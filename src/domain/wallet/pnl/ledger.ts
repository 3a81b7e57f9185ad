import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import { type SaleDepth, worthOf, worthOfUnits } from "../../valuation/worth.ts";
import { type CostBasis, type CostPosition, copyPosition, emptyPosition, quantityOf } from "./position.ts";

/** Kind of the other side of a movement, as far as PnL needs it. */
export type PeerKind = "contract" | "exchange" | "distributor" | "bridge" | "other";

/** A price of a whole hour, what can be sold at it, and its reliability (`PRICE_RANK`). */
export interface HourQuote {
  readonly usd: number;
  readonly rank: number;
  /** Null or absent: not limited. */
  readonly sells?: SaleDepth | null;
}

/** Units of one lot that were sold in one transaction. The parts of a sale add up to its proceeds, cost and gain. */
export interface Disposal {
  readonly bucket: Hex;
  /** Base units. */
  readonly amount: bigint;
  /** Unix seconds. Null: under average cost there are no lots, or the units were held before the first known movement. */
  readonly acquired_at: number | null;
  /** Seconds between acquisition and sale; under average cost the mean. Null: unknown. */
  readonly held_s: number | null;
  readonly disposed_at: number;
  readonly place: TransactionPosition | null;
  readonly proceeds_usd: number;
  /** Null: the cost of these units is unknown, and they are in no gain. */
  readonly cost_usd: number | null;
  /** Why the acquisition is unknown: before the first known movement (`opening`), or the wallet is not known to have had the units. */
  readonly unknown: "opening" | "unseen" | null;
}

/** External inputs of the computation. A bucket is a token; '' holds native and wrapped native coins. */
export interface PnlSources {
  /** First second of the window, unix seconds. Earlier transactions only build the state. */
  readonly from: number;
  /** Null when the token does not report its decimals; it has no USD value then. */
  readonly decimals: (bucket: Hex) => number | null;
  readonly quote: (bucket: Hex, time: number) => HourQuote | null;
  readonly peer: (address: Hex) => PeerKind;
  /** A pool share or a staking receipt: minted for a deposit, burned for a withdrawal. */
  readonly is_share: (bucket: Hex) => boolean;
  /** A token that represents a debt of the wallet: a liability, without a row. */
  readonly is_debt: (bucket: Hex) => boolean;
  readonly basis: CostBasis;
  /** Takes every part of every sale inside the window. Left out: they are only summed. */
  readonly onDisposal?: ((disposal: Disposal) => void) | undefined;
}

/** Trading of one token inside the window; amounts in base units. */
export interface TradingTotals {
  buy_count: number;
  sell_count: number;
  bought: bigint;
  bought_usd: number;
  /** The part of `bought` that has a USD value. */
  bought_priced: bigint;
  sold: bigint;
  sold_usd: number;
  sold_priced: bigint;
  received: bigint;
  received_cost_usd: number;
  income_usd: number;
  sent: bigint;
  sent_to_exchange: bigint;
  bridged_in: bigint;
  bridged_out: bigint;
  borrowed: bigint;
  repaid: bigint;
  realized_usd: number;
  /** Cost of the disposed units. */
  cost_out_usd: number;
  proceeds_without_cost_usd: number;
  gas_fees_usd: number;
  gas_fees_unpriced: number;
  first_trade_at: number | null;
  last_trade_at: number | null;
  /** Sum over disposals of quantity x seconds held, and of quantity. */
  held_unit_seconds: number;
  held_units: number;
}

export interface LedgerEntry {
  readonly bucket: Hex;
  readonly decimals: number | null;
  readonly position: CostPosition;
  readonly trading: TradingTotals;
  /** Largest quantity held at the end of a transaction, after its fee; base units. */
  max_balance: bigint;
  has_event: boolean;
  /** A sale inside the window realized a cost that stems from an unvalued trade before the window. */
  sold_unpriced_cost: boolean;
}

/** Counters over all tokens, inside the window. */
interface LedgerTotals {
  gas_fees_usd: number;
  gas_fees_unpriced: number;
  /** Disposals with a known cost, and the profitable ones among them. */
  costed_disposals: number;
  winning_disposals: number;
  proceeds_usd: number;
  proceeds_costed_usd: number;
  unpriced_trades: number;
  /** Outflows beyond the known holdings. Counted over all time, because they distort every later state. */
  incomplete_disposals: number;
}

export interface PnlLedger {
  readonly entries: Map<Hex, LedgerEntry>;
  /** Units in contracts, by contract and bucket. */
  readonly parked: Map<string, CostPosition>;
  /** Liquidity withdrawn but not yet collected, by position and bucket. */
  readonly owed: Map<string, CostPosition>;
  readonly basis: CostBasis;
  readonly totals: LedgerTotals;
}

const emptyTrading = (): TradingTotals => ({
  buy_count: 0,
  sell_count: 0,
  bought: 0n,
  bought_usd: 0,
  bought_priced: 0n,
  sold: 0n,
  sold_usd: 0,
  sold_priced: 0n,
  received: 0n,
  received_cost_usd: 0,
  income_usd: 0,
  sent: 0n,
  sent_to_exchange: 0n,
  bridged_in: 0n,
  bridged_out: 0n,
  borrowed: 0n,
  repaid: 0n,
  realized_usd: 0,
  cost_out_usd: 0,
  proceeds_without_cost_usd: 0,
  gas_fees_usd: 0,
  gas_fees_unpriced: 0,
  first_trade_at: null,
  last_trade_at: null,
  held_unit_seconds: 0,
  held_units: 0,
});

const noTotals = (): LedgerTotals => ({
  gas_fees_usd: 0,
  gas_fees_unpriced: 0,
  costed_disposals: 0,
  winning_disposals: 0,
  proceeds_usd: 0,
  proceeds_costed_usd: 0,
  unpriced_trades: 0,
  incomplete_disposals: 0,
});

export const openLedger = (basis: CostBasis): PnlLedger => ({
  entries: new Map(),
  parked: new Map(),
  owed: new Map(),
  basis,
  totals: noTotals(),
});

/** Sums the counters of several books. */
export const totalsOver = (books: readonly Pick<PnlLedger, "totals">[]): Readonly<LedgerTotals> =>
  books.reduce(
    (sum, { totals }) => ({
      gas_fees_usd: sum.gas_fees_usd + totals.gas_fees_usd,
      gas_fees_unpriced: sum.gas_fees_unpriced + totals.gas_fees_unpriced,
      costed_disposals: sum.costed_disposals + totals.costed_disposals,
      winning_disposals: sum.winning_disposals + totals.winning_disposals,
      proceeds_usd: sum.proceeds_usd + totals.proceeds_usd,
      proceeds_costed_usd: sum.proceeds_costed_usd + totals.proceeds_costed_usd,
      unpriced_trades: sum.unpriced_trades + totals.unpriced_trades,
      incomplete_disposals: sum.incomplete_disposals + totals.incomplete_disposals,
    }),
    noTotals(),
  );

const copyPositions = (positions: ReadonlyMap<string, CostPosition>): Map<string, CostPosition> =>
  new Map([...positions].map(([key, position]) => [key, copyPosition(position)]));

/** Copies the state into an independent book. */
export const copyLedger = (book: PnlLedger): PnlLedger => ({
  entries: new Map(
    [...book.entries].map(([bucket, entry]) => [
      bucket,
      { ...entry, position: copyPosition(entry.position), trading: { ...entry.trading } },
    ]),
  ),
  parked: copyPositions(book.parked),
  owed: copyPositions(book.owed),
  basis: book.basis,
  totals: { ...book.totals },
});

export const ledgerEntryOf = (book: PnlLedger, sources: PnlSources, bucket: Hex): LedgerEntry => {
  const known = book.entries.get(bucket);
  if (known !== undefined) return known;
  const entry: LedgerEntry = {
    bucket,
    decimals: sources.decimals(bucket),
    position: emptyPosition(book.basis),
    trading: emptyTrading(),
    max_balance: 0n,
    has_event: false,
    sold_unpriced_cost: false,
  };
  book.entries.set(bucket, entry);
  return entry;
};

export const depositedAt = (book: PnlLedger, contract: Hex | "rent", bucket: Hex): CostPosition | undefined =>
  book.parked.get(`${contract}:${bucket}`);

/** Returns the lot of a contract, and opens it when missing. */
export const depositPosition = (book: PnlLedger, contract: Hex | "rent", bucket: Hex): CostPosition =>
  opened(book, book.parked, `${contract}:${bucket}`);

/** Returns the amount of one bucket that a position owes, and opens it when missing. */
export const owedTo = (book: PnlLedger, position: Hex, bucket: Hex): CostPosition =>
  opened(book, book.owed, `${position}:${bucket}`);

const opened = (book: PnlLedger, among: Map<string, CostPosition>, key: string): CostPosition => {
  const known = among.get(key);
  if (known !== undefined) return known;
  const lot = emptyPosition(book.basis);
  among.set(key, lot);
  return lot;
};

/** USD that the pools pay for a positive amount at a quote; null without quote or decimals. */
export const usdValue = (entry: LedgerEntry, amount: bigint, quote: HourQuote | null): number | null =>
  quote === null || entry.decimals === null
    ? null
    : worthOfUnits(toAmount(amount, entry.decimals), quote.usd, quote.sells ?? null);

/** Whether the pools pay less than price times amount for a position with `more` units. */
export const isWorthLimited = (entry: LedgerEntry, quote: HourQuote | null, more = 0n): boolean => {
  if (quote === null || entry.decimals === null) return false;
  const held = toAmount(quantityOf(entry.position) + more, entry.decimals);
  return worthOf({ price_usd: quote.usd, sells: quote.sells ?? null }, held).limit !== null;
};

/**
 * Cost of units that came without a payment: their value, while the pools would take the whole position with them at
 * the price. Otherwise it is unknown: any account can send an unsellable token and withdraw its liquidity, and
 * neither is a gain or a loss of the receiver.
 */
export const receiptCost = (
  entry: LedgerEntry,
  { amount, usd }: { readonly amount: bigint; readonly usd: number | null },
  quote: HourQuote | null,
): number | null => (isWorthLimited(entry, quote, amount) ? null : usd);

export const noteBalance = (entry: LedgerEntry): void => {
  const held = quantityOf(entry.position);
  if (held > entry.max_balance) entry.max_balance = held;
};
