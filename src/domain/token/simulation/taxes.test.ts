import { describe, expect, test } from "vitest";
import type { SimulatedStep } from "./simulator_calls.ts";
import { highestTax, taxOf } from "./taxes.ts";

const step = (given: bigint, arrived: bigint, done = true): SimulatedStep => ({
  done,
  given,
  arrived,
  gas_used: 1,
  failure: done ? null : "no",
});

describe("a tax", () => {
  test.each([
    // 100 · (1 − 950 / 1,000)
    [1_000n, 950n, 5],
    [1_000n, 1_000n, 0],
    [1_000n, 0n, 100],
    // 100 · (1 − 2 / 3) = 33.333…
    [3n, 2n, 33.33],
    // 100 · (1 − 1 / 3) = 66.666…
    [3n, 1n, 66.67],
    // 0.005 % is rounded up to 0.01, 0.004 % down to 0.
    [100_000n, 99_995n, 0.01],
    [100_000n, 99_996n, 0],
    // More than doubles can distinguish.
    [10n ** 30n, 10n ** 30n - 10n ** 28n, 1],
  ])("with %s given and %s arrived is %s percent", (given, arrived, percent) => {
    expect(taxOf(step(given, arrived))).toEqual({ percent, is_negative: false });
  });

  test("is not known when the step was reverted, was not tried, or moved nothing", () => {
    for (const one of [step(1_000n, 900n, false), null, step(0n, 0n)]) expect(taxOf(one).percent).toBeNull();
  });

  test("is 0 when more arrived than was given, with a flag", () => {
    expect(taxOf(step(1_000n, 1_001n))).toEqual({ percent: 0, is_negative: true });
  });

  test("of several sizes is the highest one, regardless of failed sizes", () => {
    // 1 % and 10 %.
    expect(highestTax([step(100n, 99n), null, step(10n, 9n), step(5n, 0n, false)]).percent).toBe(10);
    expect(highestTax([null, step(5n, 0n, false)]).percent).toBeNull();
  });
});
