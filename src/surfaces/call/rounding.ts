import type { Outcome } from "../../lib/outcome.ts";

/** As many digits as any decimal keeps in a double. Amounts have all of theirs in `*_raw`. */
const DIGITS = 15;
/** Dollars are sums of products: their last digits are lost on the way. Whole cents are kept as long as a double has them. */
const USD_DIGITS = 12;
const CENT_DIGITS = 2;
/** Fewer dollars are the rest of a difference. */
const USD_LEAST = 1e-9;

const USD = /(^|_)usd(_|$)/;
/** Dollars for one token: they may be as few as they like. */
const UNIT_PRICE = /price|avg_cost|ath_/;

/** A number rounded by the name of its field: the digits of sums and quotients of doubles end where their noise begins. */
export const roundNumber = (name: string, value: number): number => {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  if (!USD.test(name)) return Number(value.toPrecision(DIGITS));
  if (Math.abs(value) < USD_LEAST && !UNIT_PRICE.test(name)) return 0;
  const whole_digits = Math.floor(Math.log10(Math.abs(value))) + 1;
  return Number(value.toPrecision(Math.max(USD_DIGITS, Math.min(DIGITS, whole_digits + CENT_DIGITS))));
};

/** The same value with every number rounded by the name of its member. */
export const roundNumbers = (value: unknown, name = ""): unknown => {
  if (typeof value === "number") return roundNumber(name, value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((member: unknown) => roundNumbers(member, name));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, roundNumbers(member, key)]));
};

/** An outcome whose numbers are rounded, once and here. */
export const roundOutcome = (outcome: Outcome<unknown>): Outcome<unknown> => {
  if (outcome.kind === "data") return { ...outcome, data: roundNumbers(outcome.data) };
  if (outcome.kind !== "error" || outcome.partial === undefined) return outcome;
  return { ...outcome, partial: roundNumbers(outcome.partial) };
};
