import { describe, expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import type { SimulationMarket } from "./market.ts";
import type { SizedRoundTrip } from "./round_trips.ts";
import type { RoundTrip, SimulatedStep } from "./simulator_calls.ts";
import type { SimulatedTrade } from "./trades.ts";
import { type Buyer, contractBuyer, hasCooldown, isCallerDependent, isHoneypot, plainBuyer } from "./verdict.ts";

const market: SimulationMarket = {
  pool: hex("01"),
  family: "uniswap_v2",
  token: hex("02"),
  quote: hex("03"),
  fee_ppm: 3_000,
  payee: hex("01"),
  key: null,
  depth_raw: 1_000n,
  depth_usd: 1_000,
};
const works = (given = 1_000n, arrived = given, gas_used = 100): SimulatedStep => ({
  done: true,
  given,
  arrived,
  gas_used,
  failure: null,
});
const fails = (failure = "no"): SimulatedStep => ({ done: false, given: 0n, arrived: 0n, gas_used: 100, failure });

const rehearsed = (steps: Partial<RoundTrip>): SizedRoundTrip => ({
  market,
  amount: 1n,
  rehearsal: { purchase: works(), move: works(), sale: works(), half: null, ...steps },
});
const played = (steps: Partial<SimulatedTrade>): SimulatedTrade => ({
  market,
  amount: 1n,
  purchase: works(),
  move: works(),
  near_sales: [works(), works()],
  late_sale: works(),
  last_sale: works(),
  late_purchase: null,
  ...steps,
});
const buyerIn = (...all: readonly SizedRoundTrip[]): Buyer => {
  const buyer = contractBuyer(all);
  if (buyer === null) throw new Error("nothing was simulated");
  return buyer;
};

describe("a honeypot", () => {
  test("can be bought, and every sale fails", () => {
    expect(isHoneypot(buyerIn(rehearsed({ sale: fails(), half: fails() })), [])).toBe(true);
    // One size of two can be sold.
    expect(isHoneypot(buyerIn(rehearsed({ sale: fails(), half: fails() }), rehearsed({})), [])).toBe(false);
  });

  test("is a tax of 90 percent on a sale, and not one of 89.99", () => {
    expect(isHoneypot(buyerIn(rehearsed({ sale: works(10_000n, 1_000n) })), [])).toBe(true);
    expect(isHoneypot(buyerIn(rehearsed({ sale: works(10_000n, 1_001n) })), [])).toBe(false);
  });

  test("is unknown, and never denied, when nothing could be bought", () => {
    const buyer = buyerIn(rehearsed({ purchase: fails("closed"), move: null, sale: null }));
    expect(isHoneypot(buyer, [])).toBeNull();
    expect(buyer).toMatchObject({ can_buy: false, can_sell: null, buy_failure: "closed", buy_tax_percent: null });
  });

  test("is a token whose router cannot sell, or that some blocks alone let sell, however well it sells otherwise", () => {
    const buyer = buyerIn(rehearsed({}));
    expect(isHoneypot(buyer, ["sells_only_outside_router"])).toBe(true);
    expect(isHoneypot(buyer, ["sells_only_in_some_blocks"])).toBe(true);
    expect(isHoneypot(buyer, ["stops_selling_later", "tax_grows_with_amount"])).toBe(false);
  });

  test("does not apply to a token that can be sold only in part", () => {
    const buyer = buyerIn(rehearsed({ sale: fails(), half: works() }));
    expect(isHoneypot(buyer, [])).toBe(false);
    expect(buyer).toMatchObject({ can_sell: true, cannot_sell_all: true });
  });
});

test("a purchase that fails only at the larger size is a limit: it can be bought", () => {
  const buyer = buyerIn(rehearsed({}), rehearsed({ purchase: fails(), move: null, sale: null }));
  expect(buyer).toMatchObject({ can_buy: true, can_sell: true });
});

test("without a simulation there is no buyer", () => {
  expect(contractBuyer([{ market, amount: 1n, rehearsal: null }])).toBeNull();
  expect(plainBuyer([])).toBeNull();
});

describe("a cooldown", () => {
  test("is a sale that fails in the next block and works later", () => {
    expect(hasCooldown([played({ near_sales: [fails(), works()] })], null)).toBe(true);
    expect(hasCooldown([played({})], null)).toBe(false);
  });

  test("is also a sale that fails in the block of the purchase and works in the next", () => {
    expect(hasCooldown([played({})], fails())).toBe(true);
    expect(hasCooldown([played({})], works())).toBe(false);
  });

  test("is not a restriction that never ends, and is unknown when nothing was bought", () => {
    expect(
      hasCooldown([played({ near_sales: [fails(), fails()], late_sale: fails(), last_sale: fails() })], null),
    ).toBe(false);
    expect(
      hasCooldown([played({ purchase: fails(), near_sales: [], late_sale: null, last_sale: null })], null),
    ).toBeNull();
  });
});

describe("contracts and plain accounts", () => {
  const contract = buyerIn(rehearsed({}));

  test("are treated differently when only one of them can buy or sell", () => {
    expect(
      isCallerDependent(
        contract,
        [played({ near_sales: [fails(), fails()], late_sale: fails(), last_sale: fails() })],
        null,
      ),
    ).toBe(true);
    expect(isCallerDependent(contract, [played({ purchase: fails() })], null)).toBe(true);
    const refused = buyerIn(rehearsed({ sale: fails(), half: fails() }));
    expect(isCallerDependent(refused, [played({})], works())).toBe(true);
  });

  test("are treated alike when both have to wait", () => {
    const refused = buyerIn(rehearsed({ sale: fails(), half: fails() }));
    expect(isCallerDependent(refused, [played({ near_sales: [fails(), works()] })], null)).toBe(false);
    // The contract sells in the block of its purchase, where the plain account cannot either.
    expect(isCallerDependent(refused, [played({})], fails())).toBe(false);
  });

  test("are treated differently when their taxes differ by more than one percent", () => {
    // 1 % and 2.1 % against nothing.
    expect(isCallerDependent(contract, [played({ purchase: works(1_000n, 990n) })], null)).toBe(false);
    expect(isCallerDependent(contract, [played({ purchase: works(1_000n, 979n) })], null)).toBe(true);
  });

  test("cannot be compared when only one was tried", () => {
    expect(isCallerDependent(contract, [], null)).toBeNull();
    expect(isCallerDependent(null, [played({})], null)).toBeNull();
  });
});
