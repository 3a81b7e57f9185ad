import { depositPosition, ledgerEntryOf, usdValue } from "./ledger.ts";
import type { LedgerStep, Leg } from "./legs.ts";
import { acquire, remove, restore } from "./position.ts";

/** Key of the lot for all rent, of any account; not an address. */
const RENTED = "rent";

/**
 * Moves rent out of the native bucket as a send, with its cost, until it is refunded. Refunded rent that others paid
 * counts as received.
 */
export const transferRent = (step: LedgerStep, rent: bigint): void => {
  const entry = ledgerEntryOf(step.book, step.sources, "");
  const lot = depositPosition(step.book, RENTED, "");
  if (step.in_window) entry.has_event = true;
  if (rent < 0n) {
    const removed = remove(entry.position, -rent);
    restore(lot, removed);
    if (removed.missing > 0n) step.book.totals.incomplete_disposals += 1;
    if (step.in_window) entry.trading.sent -= rent;
    return;
  }
  const back = remove(lot, rent);
  restore(entry.position, back);
  const usd = usdValue(entry, back.missing, step.sources.quote("", step.time));
  if (back.missing > 0n) acquire(entry.position, back.missing, { cost_usd: usd, time: step.time });
  if (!step.in_window) return;
  entry.trading.received += rent;
  if (usd !== null) entry.trading.received_cost_usd += usd;
};

/** Takes the fee from the native bucket after the trade, as a send, and reports it with the traded tokens. */
export const payFee = (step: LedgerStep, fee: bigint, traded: readonly Leg[]): void => {
  const native = ledgerEntryOf(step.book, step.sources, "");
  const usd = usdValue(native, fee, step.sources.quote("", step.time));
  const removed = remove(native.position, fee);
  const { totals } = step.book;
  if (removed.missing > 0n) totals.incomplete_disposals += 1;
  if (!step.in_window) return;
  native.has_event = true;
  if (usd === null) totals.gas_fees_unpriced += 1;
  else totals.gas_fees_usd += usd;
  for (const { entry } of traded) {
    if (usd === null) entry.trading.gas_fees_unpriced += 1;
    else entry.trading.gas_fees_usd += usd / traded.length;
  }
};
