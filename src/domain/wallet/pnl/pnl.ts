import type { Hex } from "../../../lib/bytes.ts";
import type { TransactionPosition } from "../../transaction_hashes.ts";
import { recordDeposit, recordWithdrawal } from "./deposits.ts";
import { disposalsOf } from "./disposals.ts";
import { payFee, transferRent } from "./fees.ts";
import {
  type LedgerEntry,
  ledgerEntryOf,
  noteBalance,
  openLedger,
  type PnlLedger,
  type PnlSources,
  receiptCost,
  usdValue,
} from "./ledger.ts";
import { type BucketDelta, type LedgerStep, type Leg, legsOf } from "./legs.ts";
import { acquire, quantityOf, type RemovedCost, ratioOf, remove, restore, shrink } from "./position.ts";
import { type PositionEvent, settlePositionEvents } from "./position_events.ts";
import { capDust, PRICE_RANK, type TradeLeg, type TradeValue, valueTrade } from "./trade.ts";

/**
 * Claim functions whose receipts are income, by the first four bytes of the call: `claim()`,
 * `claim(uint256,address,uint256,bytes32[])` (Uniswap's merkle-distributor), `claim(address,uint256,bytes32[])`,
 * `claimRewards()`, `getReward()` (Synthetix StakingRewards).
 */
export const PNL_CLAIM_SELECTORS: readonly string[] = ["4e71d92d", "2e7ba6ef", "3d13f874", "372500ab", "3d18b912"];

/** One transaction of the wallet: successful movements, and the fee even of a failed one. */
export interface WalletTransaction {
  /** Left out where its disposals are not listed. */
  readonly place?: TransactionPosition;
  /** Unix seconds. */
  readonly time: number;
  /** Base units of the native coin. */
  readonly fee: bigint;
  /** Base units of the native coin that accounts must hold to exist: paid in when negative, refunded when positive. */
  readonly rent: bigint;
  readonly moves: readonly BucketDelta[];
  /** Dollar coin of a trade of two tokens: it alone sets the value, and the other token's price is ignored. */
  readonly valued_by: Hex | null;
  /** The wallet called a claim function and paid only coins: the received tokens are income. */
  readonly is_claim: boolean;
  readonly events: readonly PositionEvent[];
  /** USD per base unit of unpriced buckets, from pools in this very transaction. */
  readonly pool_worth: ReadonlyMap<Hex, number>;
  /** Balances before this transaction as the contracts report them, of tokens whose balances change by themselves. */
  readonly balances: readonly ContractBalance[];
}

/** A balance that the token's contract reports. */
export interface ContractBalance {
  readonly bucket: Hex;
  readonly amount: bigint;
}

/** Holdings of the wallet before the first indexed block; their cost is unknown. */
export interface OpeningBalance {
  readonly bucket: Hex;
  readonly amount: bigint;
  readonly time: number;
}

/** Inputs of a wallet's books. */
export interface LedgerHistory {
  readonly openings: readonly OpeningBalance[];
  /** In the order of the chain, none later than the window's end. */
  readonly transactions: Iterable<WalletTransaction>;
  /** Balances at the window's end, of tokens whose balances change by themselves. */
  readonly closing: { readonly time: number; readonly balances: readonly ContractBalance[] };
}

/** PnL of one wallet. */
export const computePnl = (sources: PnlSources, { openings, transactions, closing }: LedgerHistory): PnlLedger => {
  const book = beginLedger(sources, openings);
  continueLedger(book, sources, transactions);
  closeLedger(book, sources, closing);
  return book;
};

/** A book before its first transaction. */
export const beginLedger = (sources: PnlSources, openings: readonly OpeningBalance[]): PnlLedger => {
  const book = openLedger(sources.basis);
  for (const { bucket, amount, time } of openings) {
    const entry = ledgerEntryOf(book, sources, bucket);
    acquire(entry.position, amount, { cost_usd: null, time, is_opening: true });
    noteBalance(entry);
  }
  return book;
};

/** Books transactions in the order of the chain. Splitting them into several calls makes no difference. */
export const continueLedger = (
  book: PnlLedger,
  sources: PnlSources,
  transactions: Iterable<WalletTransaction>,
): void => {
  for (const transaction of transactions) {
    const { time, fee, rent, is_claim, place } = transaction;
    const step: LedgerStep = { book, sources, time, in_window: time >= sources.from, is_claim, place };
    for (const holding of transaction.balances) rebase(step, holding);
    const legs = legsOf(step, transaction.moves, transaction.valued_by);
    const { outs, ins } = settlePositionEvents(step, legs, transaction.events);
    // Coins paid for a claim are a service fee: they bought nothing.
    const pays_service = is_claim && outs.every(({ entry }) => entry.bucket === "");
    const trades = outs.length > 0 && ins.length > 0 && !pays_service;
    if (trades) trade(step, [outs, ins], transaction.pool_worth);
    else {
      for (const leg of outs) send(step, leg);
      for (const leg of ins) receive(step, leg);
    }
    if (rent !== 0n) transferRent(step, rent);
    if (fee > 0n) payFee(step, fee, trades ? [...outs, ...ins] : []);
    noteEvents(step, [...legs.outs, ...legs.ins]);
    if (rent > 0n) noteBalance(ledgerEntryOf(book, sources, ""));
  }
};

/** Books the balances at the end of the window. */
export const closeLedger = (
  book: PnlLedger,
  sources: PnlSources,
  { time, balances }: LedgerHistory["closing"],
): void => {
  const end: LedgerStep = { book, sources, time, in_window: time >= sources.from, is_claim: false };
  for (const holding of balances) rebase(end, holding);
};

const noteEvents = (step: LedgerStep, legs: readonly Leg[]): void => {
  for (const { entry } of legs) {
    noteBalance(entry);
    if (step.in_window) entry.has_event = true;
  }
};

/** A balance above the sum of the movements is income; one below shrinks the position and leaves its cost. */
const rebase = (step: LedgerStep, { bucket, amount }: ContractBalance): void => {
  const entry = ledgerEntryOf(step.book, step.sources, bucket);
  const held = quantityOf(entry.position);
  if (amount <= held) {
    shrink(entry.position, amount);
    return;
  }
  const quote = step.sources.quote(bucket, step.time);
  const usd = receiptCost(entry, { amount: amount - held, usd: usdValue(entry, amount - held, quote) }, quote);
  acquire(entry.position, amount - held, { cost_usd: usd, time: step.time });
  noteBalance(entry);
  if (!step.in_window) return;
  entry.has_event = true;
  entry.trading.received += amount - held;
  if (usd === null) return;
  entry.trading.received_cost_usd += usd;
  entry.trading.income_usd += usd;
};

type LegSides = readonly [outs: readonly Leg[], ins: readonly Leg[]];

const trade = (step: LedgerStep, [outs, ins]: LegSides, pool_worth: WalletTransaction["pool_worth"]): void => {
  const asTraded = (leg: Leg): TradeLeg => {
    const unit = leg.usd === null ? pool_worth.get(leg.entry.bucket) : undefined;
    return unit === undefined ? leg : { ...leg, usd: Number(leg.amount) * unit, rank: PRICE_RANK.same_transaction };
  };
  const value = valueTrade(outs.map(asTraded), ins.map(asTraded));
  if (value === null) swapCost(step, outs, ins);
  else exchange(step, { outs, ins, value });
};

/** Books a trade with a known value: the outs are disposed of and the ins acquired at that value. */
const exchange = (
  step: LedgerStep,
  { outs, ins, value }: { outs: readonly Leg[]; ins: readonly Leg[]; value: TradeValue },
): void => {
  for (const [i, leg] of outs.entries()) dispose(step, leg, value.outs[i] ?? 0);
  for (const [i, { entry, amount }] of ins.entries()) {
    const cost_usd = value.ins[i] ?? 0;
    acquire(entry.position, amount, { cost_usd, time: step.time });
    if (!step.in_window) continue;
    const { trading } = entry;
    trading.buy_count += 1;
    trading.bought += amount;
    trading.bought_priced += amount;
    trading.bought_usd += cost_usd;
    noteTrade(entry, step.time);
  }
};

const dispose = (step: LedgerStep, { entry, amount }: Leg, proceeds: number): void => {
  const removed = remove(entry.position, amount);
  if (removed.missing > 0n) step.book.totals.incomplete_disposals += 1;
  if (!step.in_window) return;
  const { onDisposal } = step.sources;
  if (onDisposal !== undefined)
    for (const part of disposalsOf(step, { entry, amount, proceeds, removed })) onDisposal(part);
  if (removed.has_unpriced_cost) entry.sold_unpriced_cost = true;
  const covered = proceeds * ratioOf(amount - removed.missing, amount);
  const costed = covered * removed.costed_ratio;
  const gain = costed - removed.cost_usd;
  const { trading } = entry;
  const { totals } = step.book;
  trading.sell_count += 1;
  trading.sold += amount;
  trading.sold_priced += amount;
  trading.sold_usd += proceeds;
  trading.realized_usd += gain;
  trading.cost_out_usd += removed.cost_usd;
  trading.proceeds_without_cost_usd += covered - costed + (proceeds - covered);
  const units = Number(removed.costed + removed.uncosted);
  trading.held_units += units;
  trading.held_unit_seconds += units * (step.time - removed.since);
  totals.proceeds_usd += proceeds;
  totals.proceeds_costed_usd += costed;
  if (removed.costed_ratio > 0) {
    totals.costed_disposals += 1;
    if (gain > 0) totals.winning_disposals += 1;
  }
  noteTrade(entry, step.time);
};

/**
 * Books an unvalued trade: the cost of the outs goes to the ins in equal parts (`capDust`), and no profit is realised.
 */
const swapCost = (step: LedgerStep, outs: readonly Leg[], ins: readonly Leg[]): void => {
  const removed = outs.map(({ entry, amount }) => ({ amount, ...remove(entry.position, amount) }));
  const cost_usd = removed.reduce((total, part) => total + part.cost_usd, 0);
  const costs = capDust(
    ins,
    ins.map(() => cost_usd / ins.length),
  );
  const [share, whole] = meanCostedShare(removed);
  const has_unpriced_cost = !step.in_window || removed.some((part) => part.has_unpriced_cost);
  for (const [i, { entry, amount }] of ins.entries()) {
    const costed = (amount * share) / whole;
    const moved = { costed, uncosted: amount - costed, cost_usd: costs[i] ?? 0, has_unpriced_cost };
    restore(entry.position, { ...moved, since: step.time });
  }
  step.book.totals.incomplete_disposals += removed.filter((part) => part.missing > 0n).length;
  if (!step.in_window) return;
  step.book.totals.unpriced_trades += 1;
  for (const { entry, amount } of outs) {
    entry.trading.sell_count += 1;
    entry.trading.sold += amount;
  }
  for (const { entry, amount } of ins) {
    entry.trading.buy_count += 1;
    entry.trading.bought += amount;
  }
};

/** Mean of the costed share of the requested amount over the outs, as a fraction of integers. */
const meanCostedShare = (parts: readonly (RemovedCost & { readonly amount: bigint })[]): readonly [bigint, bigint] => {
  let share = 0n;
  let whole = 1n;
  for (const { costed, amount } of parts) {
    share = share * amount + costed * whole;
    whole *= amount;
  }
  return [share, whole * BigInt(parts.length)];
};

const noteTrade = ({ trading }: LedgerEntry, time: number): void => {
  trading.first_trade_at ??= time;
  trading.last_trade_at = time;
};

/**
 * Books an outflow without an inflow: the cost leaves pro rata and no profit is realised. Tokens sent to an unlabelled
 * contract are parked there.
 */
const send = (step: LedgerStep, { entry, peers }: Leg): void => {
  for (const [peer, amount] of peers) {
    const kind = step.sources.peer(peer);
    if (kind === "contract") {
      recordDeposit(step, entry, { at: peer, amount });
      continue;
    }
    if (remove(entry.position, amount).missing > 0n) step.book.totals.incomplete_disposals += 1;
    if (!step.in_window) continue;
    entry.trading.sent += amount;
    if (kind === "exchange") entry.trading.sent_to_exchange += amount;
  }
};

/**
 * Books an inflow without an outflow: units parked at the peer return first, the rest is income or a receipt at market
 * value.
 */
const receive = (step: LedgerStep, leg: Leg): void => {
  for (const [peer, amount] of leg.peers) {
    const is_income = step.is_claim || peer === "" || step.sources.peer(peer) === "distributor";
    recordWithdrawal(step, leg, { at: peer, amount, is_income });
  }
};

/** Reports whether the wallet holds the token or it had an event inside the window: it then gets a row. */
export const hasRow = (entry: LedgerEntry): boolean => entry.has_event || quantityOf(entry.position) > 0n;
