import { expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { HOUR_S } from "../../../lib/time.ts";
import type { PoolEvents } from "./pool_events.ts";
import { PriceCalculator, type PricedHour } from "./price_calculator.ts";

/** A book that goes on prices the ends of hours as books whose events end there. Events are made up: no engine is needed. */

const [USDC, TOK, POOL] = ["01", "02", "03"].map((digits) => hex(digits.padStart(40, "0"))) as [Hex, Hex, Hex];
const { network } = fixedChain({
  network: { id: "ends", stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }], wrapped_native: null },
});
const POOLS = [{ pool: POOL, family: "uniswap_v2", token0: USDC, token1: TOK, decimals0: 6, decimals1: 6 }];
const START = 1_700_006_400;
const UNIT = 10n ** 6n;

/** States of the pool: several a block-hour, some hours without any. The reserves follow no formula of the code. */
const STATES = Array.from({ length: 120 }, (_, i) => ({
  block: 2 * i + 1,
  // 7 to 52 minutes apart, and five hours after every twentieth.
  time: START + i * 1_500 + ((i * 977) % 1_200) + Math.floor(i / 20) * 5 * HOUR_S,
  reserve0: BigInt(100_000 + ((i * 7_919) % 40_000)) * UNIT,
  reserve1: BigInt(50 + ((i * 31) % 17)) * UNIT,
}));

const hourOf = (time: number): number => time - (time % HOUR_S);
type MadeState = (typeof STATES)[number];

const stateOf = ({ reserve0, reserve1, block }: MadeState) => ({
  ...{ pool: POOL, reserve0, reserve1, sqrt_price_x96: 0n, liquidity: 0n, tick: 0, state_block: block, state_log: 0 },
});

const byHour = (states: readonly MadeState[]): readonly (readonly [number, readonly MadeState[]])[] =>
  [...new Set(states.map(({ time }) => hourOf(time)))].map((hour) => [
    hour,
    states.filter(({ time }) => hourOf(time) === hour),
  ]);

/** The events up to a state. */
const eventsTo = (last: MadeState): PoolEvents => ({
  network,
  block: { number: last.block, time: last.time },
  blockBefore: async (time) => STATES.filter((one) => one.time < time).at(-1)?.block ?? null,
  earlier: async () => [],
  poolsAt: async (_, at) => {
    const state = STATES.filter(({ block }) => block <= (at ?? 0)).at(-1);
    const states = state === undefined ? [] : [{ ...stateOf(state), time: state.time }];
    return { states, ranges: [], balances: [], singletons: [] };
  },
  between: async (_, { after, end }) => {
    const inside = STATES.filter(({ block, time }) => block > (after ?? 0) && block <= last.block && time < end);
    const hours = byHour(inside);
    return {
      hours: hours.map(([hour, all]) => ({
        ...{ hour, first_block: all[0]?.block ?? 0, last_block: all.at(-1)?.block ?? 0 },
      })),
      rows: {
        volumes: hours.map(([hour]) => ({ pool: POOL, hour, volume0: 500n * UNIT, volume1: UNIT })),
        states: hours.flatMap(([hour, all]) => {
          const newest = all.at(-1);
          if (newest === undefined) return [];
          const ratios = all.map(({ reserve0, reserve1 }) => Number(reserve1) / Number(reserve0));
          return [{ ...stateOf(newest), hour, seconds: all.map(({ time }) => time), ratios }];
        }),
        ...{ deltas: [], ranges: [], singletons: [] },
      },
    };
  },
});

const open = (last: MadeState): Promise<PriceCalculator> =>
  PriceCalculator.open(eventsTo(last), POOLS, { hour: hourOf(START), is_all: false });

test("prices as of the last block of hours are those of books that end there, and whole hours stay as they are", async () => {
  const newest = STATES.at(-1) as MadeState; // There are 120.
  const ends = byHour(STATES.slice(0, -5)).flatMap(([, all]) => all.at(-1) ?? []);
  expect(ends.length).toBeGreaterThan(40);
  const book = await open(newest);
  const priced: PricedHour[] = [];
  // As a series does: some steps at a time.
  for (let first = 0; first < ends.length; first += 8) {
    const part = ends.slice(first, first + 8);
    const to = Math.max(...part.map(({ time }) => hourOf(time)));
    priced.push(...(await book.advance(eventsTo(newest), to, new Map(part.map(({ time }) => [hourOf(time), time])))));
  }
  const atEnd = new Map(priced.map(({ hour, at_end }) => [hour, at_end]));
  const differing = new Set<number>();
  for (const end of ends) {
    const hour = hourOf(end.time);
    const alone = (await (await open(end)).advance(eventsTo(end), hour)).at(-1);
    expect([hour, atEnd.get(hour)]).toEqual([hour, alone?.prices]);
    const whole = priced.find((one) => one.hour === hour)?.prices.get(TOK)?.price_usd;
    if (whole !== alone?.prices.get(TOK)?.price_usd) differing.add(hour);
  }
  // Otherwise the whole hours would do.
  expect(differing.size).toBeGreaterThan(10);
  const last = ends.at(-1) as MadeState; // More than 40.
  const plain = await (await open(newest)).advance(eventsTo(newest), hourOf(last.time));
  expect(priced.map(({ hour, prices }) => [hour, prices])).toEqual(plain.map(({ hour, prices }) => [hour, prices]));
});
