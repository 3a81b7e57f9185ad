import type { SimulatedStep } from "./simulator_calls.ts";

/** Buy, sell and transfer taxes. Pure. */

export interface Tax {
  /** 0..100 with two decimals; null when the step was reverted or moved nothing. */
  readonly percent: number | null;
  /** More arrived than was given: a rebate, or balances that change by themselves. */
  readonly is_negative: boolean;
}

const NO_TAX: Tax = { percent: null, is_negative: false };
/** Hundredths of a percent in one. */
const UNITS = 10_000n;

/** 100 * (1 - arrived / given), rounded to 0.01, half away from zero. */
export const taxOf = (step: SimulatedStep | null): Tax => {
  if (step === null || !step.done || step.given <= 0n) return NO_TAX;
  const lost = step.given - step.arrived;
  if (lost < 0n) return { percent: 0, is_negative: true };
  return { percent: Number((lost * UNITS * 2n + step.given) / (step.given * 2n)) / 100, is_negative: false };
};

/** The highest of several sizes and pools; null when none is known. */
export const highestTax = (steps: readonly (SimulatedStep | null)[]): Tax => {
  const taxes = steps.map(taxOf);
  const known = taxes.flatMap(({ percent }) => percent ?? []);
  return {
    percent: known.length === 0 ? null : Math.max(...known),
    is_negative: taxes.some(({ is_negative }) => is_negative),
  };
};
