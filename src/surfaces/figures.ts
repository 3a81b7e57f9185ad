import type { Outcome } from "../lib/outcome.ts";

/** As many digits as any decimal keeps in a double. Amounts have all of theirs in `*_raw`. */
const DIGITS = 15;
/** Dollars are sums of products: their last digits are lost on the way. */
const USD_DIGITS = 12;
/** Fewer dollars are the rest of a difference. */
const USD_LEAST = 1e-9;

const USD = /(^|_)usd(_|$)/;
/** Dollars for one token: they may be as few as they like. */
const UNIT_PRICE = /price|avg_cost|ath_/;

/** A number as it is told under a name: sums and quotients of doubles end where their noise begins. */
export const figureOf = (name: string, value: number): number => {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  if (!USD.test(name)) return Number(value.toPrecision(DIGITS));
  if (Math.abs(value) < USD_LEAST && !UNIT_PRICE.test(name)) return 0;
  return Number(value.toPrecision(USD_DIGITS));
};

/** The same value with every number as it is told under the name of its member. */
export const figuresIn = (value: unknown, name = ""): unknown => {
  if (typeof value === "number") return figureOf(name, value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((member: unknown) => figuresIn(member, name));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, figuresIn(member, key)]));
};

/** An outcome whose numbers are rounded, once and here. */
export const withFigures = (outcome: Outcome<unknown>): Outcome<unknown> => {
  if (outcome.kind === "data") return { ...outcome, data: figuresIn(outcome.data) };
  if (outcome.kind !== "error" || outcome.partial === undefined) return outcome;
  return { ...outcome, partial: figuresIn(outcome.partial) };
};
