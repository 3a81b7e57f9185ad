import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { data, failed } from "../../lib/outcome.ts";
import { roundNumber, roundNumbers, roundOutcome } from "./rounding.ts";

test("sums of doubles end where their noise begins", () => {
  expect(roundNumber("total_in_usd", 10_000_000.000000002)).toBe(10_000_000);
  expect(roundNumber("amount", 0.1 + 0.2)).toBe(0.3);
  expect(roundNumber("usd_value", 0.1 + 0.2)).toBe(0.3);
  // Text of the same amount shows cents.
  expect(roundNumber("total_value_usd", 2_249_998_395_242.6499)).toBe(2_249_998_395_242.65);
  expect(roundNumber("share_percent", 100.00000000000001)).toBe(100);
  expect(roundNumber("realized_usd", 1_244.6199999999997)).toBe(1_244.62);
});

test("the rest of a difference is no money, and no dollars are 0, not -0", () => {
  expect(roundNumber("net_usd", 7.275957614183426e-12)).toBe(0);
  expect(Object.is(roundNumber("net_usd", -1.8189894035458565e-12), 0)).toBe(true);
  expect(roundNumber("realized_usd_90d", -1e-13)).toBe(0);
  // A fee may be small and is known to its last digit.
  expect(roundNumber("fee_usd", 3.141592653589793e-8)).toBe(3.14159265359e-8);
});

test("a price may be as small as it likes", () => {
  expect(roundNumber("price_usd", 3.2e-15)).toBe(3.2e-15);
  expect(roundNumber("avg_buy_price_usd", 1.23456789012345e-14)).toBe(1.23456789012e-14);
  expect(roundNumber("avg_cost_usd", 4e-13)).toBe(4e-13);
});

test("amounts keep the digits that any decimal has in a double", () => {
  expect(roundNumber("balance", 52.44771108888529)).toBe(52.4477110888853);
  expect(roundNumber("amount", 123_456_789.123456)).toBe(123_456_789.123456);
  expect(roundNumber("total_supply", 1e-18)).toBe(1e-18);
  // Money named after an amount is money.
  expect(roundNumber("amount_usd", 86_723.99999999997)).toBe(86_724);
});

test("leaves integers, texts and non-numbers unchanged", () => {
  expect(roundNumber("block_number", 2 ** 53)).toBe(2 ** 53);
  const answer = { of: ["1.0000000000000002", null, true], raw: 10n ** 30n, at: { ratio: 1 / 3 } };
  expect(roundNumbers(answer)).toEqual({ ...answer, at: { ratio: 0.333333333333333 } });
});

test("rounds data and the partial findings of a failed check", () => {
  expect(roundOutcome(data({ usd: 0.1 + 0.2 }))).toEqual(data({ usd: 0.3 }));
  const found = { ...failed("CHECK_INCOMPLETE", "half"), partial: { usd: 0.1 + 0.2 } };
  expect(roundOutcome(found)).toEqual({ ...found, partial: { usd: 0.3 } });
});

const EXAMPLES = join(import.meta.dirname, "../../../docs/examples");

test.each(readdirSync(EXAMPLES))("no figure of %s is noise", (file) => {
  const example: unknown = JSON.parse(readFileSync(join(EXAMPLES, file), "utf8"));
  expect(roundNumbers(example)).toEqual(example);
});
