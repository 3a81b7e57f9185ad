import { entryOf, parkingLot, usdValue } from "./book.ts";
import type { Leg, Step } from "./legs.ts";
import { acquire, remove, restore } from "./position.ts";

/** Whom rent lies with, whichever account it is in: no address. */
const RENTED = "rent";

/** Rent leaves the native bucket as a send and waits with its cost until it is given back; what others paid is received. */
export const moveRent = (step: Step, rent: bigint): void => {
  const entry = entryOf(step.book, step.sources, "");
  const lot = parkingLot(step.book, RENTED, "");
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

/** The fee leaves the native bucket after the trade, as a send, and is reported beside the tokens that were traded. */
export const payFee = (step: Step, fee: bigint, traded: readonly Leg[]): void => {
  const native = entryOf(step.book, step.sources, "");
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
