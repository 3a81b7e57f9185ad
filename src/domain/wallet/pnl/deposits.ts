import type { Hex } from "../../../lib/bytes.ts";
import { depositedAt, depositPosition, type LedgerEntry, receiptCost } from "./ledger.ts";
import type { LedgerStep, Leg } from "./legs.ts";
import { acquire, ratioOf, remove, restore } from "./position.ts";

/** Part of a leg and its holder: a contract, or a program with its market. */
interface DepositedAmount {
  readonly at: Hex;
  readonly amount: bigint;
}

/** Parks units that leave but still belong to the wallet, with their cost. */
export const recordDeposit = (step: LedgerStep, entry: LedgerEntry, { at, amount }: DepositedAmount): void => {
  const removed = remove(entry.position, amount);
  if (removed.missing > 0n) step.book.totals.incomplete_disposals += 1;
  restore(depositPosition(step.book, at, entry.bucket), removed);
  if (step.in_window) entry.trading.sent += amount;
};

/**
 * Receives from a place with parked units: those return first, with their cost; the rest is new (`receiptCost`).
 * `is_income`: also without parked units.
 */
export const recordWithdrawal = (
  step: LedgerStep,
  leg: Leg,
  { at, amount, is_income }: DepositedAmount & { readonly is_income: boolean },
): void => {
  const { entry } = leg;
  if (step.in_window) entry.trading.received += amount;
  const lot = depositedAt(step.book, at, entry.bucket);
  const back = lot === undefined ? null : remove(lot, amount);
  if (back !== null) restore(entry.position, back);
  const fresh = back === null ? amount : back.missing;
  if (fresh === 0n) return;
  const worth = leg.usd === null ? null : leg.usd * ratioOf(fresh, leg.amount);
  const quote = step.sources.quote(entry.bucket, step.time);
  const usd = receiptCost(entry, { amount: fresh, usd: worth }, quote);
  acquire(entry.position, fresh, { cost_usd: usd, time: step.time });
  if (!step.in_window || usd === null) return;
  entry.trading.received_cost_usd += usd;
  if (back !== null || is_income) entry.trading.income_usd += usd;
};
