import type { Hex } from "../../../lib/bytes.ts";
import { type Entry, parkedAt, parkingLot } from "./book.ts";
import type { Leg, Step } from "./legs.ts";
import { acquire, ratioOf, remove, restore } from "./position.ts";

/** Part of a leg, and with whom it lies: a contract, or a program and the market that it runs. */
interface Stay {
  readonly at: Hex;
  readonly amount: bigint;
}

/** What leaves and is still the wallet's: it waits with its cost. */
export const park = (step: Step, entry: Entry, { at, amount }: Stay): void => {
  const removed = remove(entry.position, amount);
  if (removed.missing > 0n) step.book.totals.incomplete_disposals += 1;
  restore(parkingLot(step.book, at, entry.bucket), removed);
  if (step.in_window) entry.trading.sent += amount;
};

/**
 * What comes from where something was parked: that comes back first, with its cost; the rest is new at its market value.
 * `is_income`: also where nothing was parked.
 */
export const takeBack = (
  step: Step,
  leg: Leg,
  { at, amount, is_income }: Stay & { readonly is_income: boolean },
): void => {
  const { entry } = leg;
  if (step.in_window) entry.trading.received += amount;
  const lot = parkedAt(step.book, at, entry.bucket);
  const back = lot === undefined ? null : remove(lot, amount);
  if (back !== null) restore(entry.position, back);
  const fresh = back === null ? amount : back.missing;
  if (fresh === 0n) return;
  const usd = leg.usd === null ? null : leg.usd * ratioOf(fresh, leg.amount);
  acquire(entry.position, fresh, { cost_usd: usd, time: step.time });
  if (!step.in_window || usd === null) return;
  entry.trading.received_cost_usd += usd;
  if (back !== null || is_income) entry.trading.income_usd += usd;
};
