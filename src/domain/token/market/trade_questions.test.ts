import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../../../test/facts_store.ts";
import { diceOf, type RandomBelow } from "../../../../test/random.ts";
import { type Hex, toHex } from "../../../lib/bytes.ts";
import { DAY_S, HOUR_S, hourOf } from "../../../lib/time.ts";
import { poolSidesOf } from "../../valuation/prices/pool_sides.ts";

// Queries about the trades of a token, on random trades, compared with a plain loop.

const network = "demo";
const T0 = 1_700_000_000;
const BLOCKS = 900;
const BLOCK_S = 600;
const timeOf = (block: number): number => T0 + block * BLOCK_S;
const UNTIL = timeOf(BLOCKS - 50);
const [TOKEN, OTHER] = [testAddress(0x70), testAddress(0x71)];
const [FIRST, SECOND, FORGED] = [testAddress(0xa1), testAddress(0xa2), testAddress(0xa3)];
const TRADERS = [1, 2, 3, 4, 5].map((number) => testAddress(0xb00 + number));
const DECIMALS = 1;
/** Every second hour has a price. */
const HOURS = Array.from({ length: 200 }, (_, i) => hourOf(T0) + i * HOUR_S).filter((_, i) => i % 2 === 0);
const PRICES = HOURS.map((_, i) => 1 + (i % 7));

interface TradeFixture {
  readonly pool: Uint8Array;
  readonly block: number;
  readonly time: number;
  readonly tx: number;
  readonly trader: string;
  /** Of the token, and of the other coin. */
  readonly change: bigint;
  readonly other: bigint;
}

let store: TestFacts;
let trades: readonly TradeFixture[] = [];

const poolRow = (pool: Uint8Array, tokens: readonly [Uint8Array, Uint8Array], venue: string) => ({
  network,
  block_number: 0,
  tx_index: 0,
  log_index: pool[19] ?? 0,
  time: T0,
  tx_hash: testAddress(0),
  pool,
  family: "uniswap_v2",
  venue,
  factory: testAddress(0xfac),
  creator: testAddress(0xfac),
  token0: tokens[0],
  token1: tokens[1],
  fee_ppm: 3_000,
  tick_spacing: 0,
  hooks: "",
});

const drawnAmount = (dice: RandomBelow): bigint => {
  const amount = BigInt(dice(9) - 4);
  return dice(40) === 0 ? amount * 2n ** 130n : amount;
};

const drawnSwap = (dice: RandomBelow, log_index: number) => {
  const block = dice(BLOCKS);
  const trader = TRADERS[dice(TRADERS.length)] ?? TOKEN;
  return {
    network,
    pool: [FIRST, SECOND, FORGED][dice(3)] ?? FIRST,
    block_number: block,
    tx_index: dice(3),
    log_index,
    time: timeOf(block),
    tx_hash: testAddress(block),
    caller: trader,
    recipient: trader,
    trader,
    amount0: drawnAmount(dice),
    amount1: drawnAmount(dice),
  };
};

/** A trader who returns what they received, within a day. */
const circleSwap = (index: number) => {
  const block = BLOCKS - 100 + index;
  return {
    ...{ ...drawnSwap(diceOf(1), 3_000 + index), block_number: block, time: timeOf(block), tx_index: 0, pool: SECOND },
    ...{ trader: testAddress(0xc1c), amount0: index % 2 === 0 ? -3n : 3n },
    amount1: index % 2 === 0 ? 7n : -7n,
  };
};

/** Swaps of one transaction in one pool as their sum; one that did not exchange the coins is no trade. */
const netTrades = (swaps: readonly TradeFixture[]): readonly TradeFixture[] => {
  const sums = new Map<string, TradeFixture>();
  for (const swap of swaps) {
    const key = [toHex(swap.pool), swap.trader, swap.block, swap.tx].join(":");
    const known = sums.get(key) ?? { ...swap, change: 0n, other: 0n };
    sums.set(key, { ...known, change: known.change + swap.change, other: known.other + swap.other });
  }
  return [...sums.values()].filter(({ change, other }) => change * other < 0n);
};

beforeAll(async () => {
  store = await openTestFacts();
  const dice = diceOf(7);
  const drawn = Array.from({ length: 3_000 }, (_, index) => drawnSwap(dice, index));
  const circles = Array.from({ length: 8 }, (_, index) => circleSwap(index));
  const swaps = [...drawn, ...circles];
  const pools = [
    // Another factory announces the same pool, earlier, with its tokens swapped.
    { ...poolRow(FIRST, [OTHER, TOKEN], ""), log_index: 0 },
    poolRow(FIRST, [TOKEN, OTHER], "uni"),
    poolRow(SECOND, [OTHER, TOKEN], "uni"),
    poolRow(FORGED, [TOKEN, OTHER], ""),
  ];
  await store.seed({ network, from: 0, to: BLOCKS - 1, time: T0, block_s: BLOCK_S }, { pools, swaps });
  const single = swaps
    .filter(({ pool }) => pool !== FORGED)
    .map(({ pool, block_number, time, tx_index, trader, amount0, amount1 }) => ({
      ...{ pool, block: block_number, time, tx: tx_index, trader: toHex(trader) },
      ...(pool === FIRST ? { change: amount0, other: amount1 } : { change: amount1, other: amount0 }),
    }));
  trades = netTrades(single);
});
afterAll(() => store.close());

const scopeOf = async () => {
  const snapshot = await store.facts.snapshot(network, null);
  return { facts: store.facts, snapshot, sides: await poolSidesOf({ facts: store.facts, snapshot }, toHex(TOKEN)) };
};

const size = (change: bigint): bigint => (change < 0n ? -change : change);
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const usdOf = ({ change, time }: TradeFixture): number | null => {
  const at = HOURS.indexOf(hourOf(time));
  return at < 0 ? null : (Number(size(change)) / 10 ** DECIMALS) * (PRICES[at] ?? 0);
};
const usdSum = (some: readonly TradeFixture[]): number => sum(some.map((trade) => usdOf(trade) ?? 0));
const grouped = <K extends string | number>(
  some: readonly TradeFixture[],
  keyOf: (trade: TradeFixture) => K,
): Map<K, TradeFixture[]> => {
  const groups = new Map<K, TradeFixture[]>();
  for (const trade of some) groups.set(keyOf(trade), [...(groups.get(keyOf(trade)) ?? []), trade]);
  return groups;
};
const isBuy = ({ change }: TradeFixture): boolean => change < 0n;
const isSell = ({ change }: TradeFixture): boolean => change > 0n;
const unpriced = (some: readonly TradeFixture[]): number => some.filter((trade) => usdOf(trade) === null).length;
const middle = (some: readonly TradeFixture[]): number => {
  // A trade without a price counts with the price -1: its median has no meaning, and no answer shows it.
  const usd = some.map((trade) => usdOf(trade) ?? -Number(size(trade.change)) / 10 ** DECIMALS).sort((a, b) => a - b);
  const half = (usd.length - 1) / 2;
  return ((usd[Math.floor(half)] ?? 0) + (usd[Math.ceil(half)] ?? 0)) / 2;
};
const near = (value: number) => expect.closeTo(value, Math.abs(value) > 1e9 ? -Math.log10(Math.abs(value)) + 9 : 6);

const inside = (since: number): readonly TradeFixture[] => trades.filter(({ time }) => time >= since && time <= UNTIL);

test("trades of two periods", async () => {
  const { facts, snapshot, sides } = await scopeOf();
  const period_s = 2 * DAY_S;
  const since = UNTIL - 2 * period_s + 1;
  const rows = await facts.ask(snapshot, "market/trades", {
    ...{ ...sides, until: UNTIL, since, period_s, decimals: DECIMALS, hours: HOURS, prices: PRICES },
  });
  const periods = grouped(
    inside(since).filter(({ change }) => change !== 0n),
    ({ time }) => Math.floor((UNTIL - time) / period_s),
  );
  const traders = (some: readonly TradeFixture[]): number => new Set(some.map(({ trader }) => trader)).size;
  expect(rows).toEqual(
    [0, 1].map((period) => {
      const all = periods.get(period) ?? [];
      const [bought, sold] = [all.filter(isBuy), all.filter(isSell)];
      return {
        ...{ period, trades: all.length, buys: bought.length, sells: sold.length },
        ...{ buyers: traders(bought), sellers: traders(sold), traders: traders(all) },
        bought: bought.reduce((total, { change }) => total - change, 0n),
        sold: sold.reduce((total, { change }) => total + change, 0n),
        ...{ bought_usd: near(usdSum(bought)), sold_usd: near(usdSum(sold)) },
        ...{ unpriced: unpriced(all), median_usd: near(middle(all)) },
      };
    }),
  );
});

test("amounts by day, the last one by pool", async () => {
  const { facts, snapshot, sides } = await scopeOf();
  const since = UNTIL - 4 * DAY_S + 1;
  const rows = await facts.ask(snapshot, "market/days", {
    ...{ ...sides, until: UNTIL, since, decimals: DECIMALS, hours: HOURS, prices: PRICES },
  });
  const days = grouped(
    inside(since).filter(({ change }) => change !== 0n),
    ({ time, pool }) => {
      const day = Math.floor((UNTIL - time) / DAY_S);
      return `${day}:${day === 0 ? toHex(pool) : ""}`;
    },
  );
  expect(rows).toEqual(
    [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, all]) => ({
        ...{ day: Number(key.split(":")[0]), pool: key.split(":")[1] },
        ...{ amount: near(sum(all.map(({ change }) => Number(size(change))))), usd: near(usdSum(all)) },
        unpriced: unpriced(all),
      })),
  );
});

test("amounts that went in circles", async () => {
  const { facts, snapshot, sides } = await scopeOf();
  const since = UNTIL - 3 * DAY_S + 1;
  const small = inside(since);
  const rows = await facts.ask(snapshot, "market/wash", { ...sides, until: UNTIL, since });
  const rounds = grouped(small, ({ trader, time }) => `${trader}:${Math.floor((UNTIL - time) / DAY_S)}`);
  const washed = [...rounds.values()].filter((all) => {
    const nets = [...grouped(all, ({ block, tx }) => `${block}:${tx}`).values()].map((some) =>
      sum(some.map(({ change }) => Number(change))),
    );
    const least = Math.min(nets.filter((net) => net < 0).length, nets.filter((net) => net > 0).length);
    return least >= 3 && Math.abs(sum(nets)) * 100 <= sum(nets.map(Math.abs));
  });
  const tradedOf = (all: readonly TradeFixture[]): number => sum(all.map(({ change }) => Number(size(change))));
  expect(washed.length).toBeGreaterThan(0);
  expect(rows).toEqual([{ traded: near(tradedOf(small)), washed: near(sum(washed.map(tradedOf))) }]);
});

test("volumes of traders, of some first and of the others", async () => {
  const { facts, snapshot, sides } = await scopeOf();
  const [since, until] = [UNTIL - 5 * DAY_S, UNTIL];
  const ask = (kept: readonly Hex[], limit: number) =>
    facts.ask(snapshot, "holders/volumes", {
      ...{ ...sides, since, until, kept, limit, decimals: DECIMALS, hours: HOURS, prices: PRICES },
    });
  const rowOf = (trader: string, all: readonly TradeFixture[]) => {
    const of = (some: readonly TradeFixture[]): number => new Set(some.map(({ block, tx }) => `${block}:${tx}`)).size;
    const blocks = [...grouped(all, ({ block }) => block).values()];
    const hourOfDay = ({ time }: TradeFixture): number => Math.floor((time % DAY_S) / HOUR_S);
    return {
      ...{ trader, swaps: all.length, buys: of(all.filter(isBuy)), sells: of(all.filter(isSell)) },
      ...{ buy_usd: near(usdSum(all.filter(isBuy))), sell_usd: near(usdSum(all.filter(isSell))) },
      ...{ unpriced: unpriced(all), transactions_in_block_max: Math.max(...blocks.map(of)) },
      active_hours: new Set(all.map(hourOfDay)).size,
      order: -usdSum(all),
    };
  };
  const traders = grouped(
    trades.filter(({ time }) => time >= since && time <= until),
    ({ trader }) => trader,
  );
  const expected = [...traders]
    .map(([trader, all]) => rowOf(trader, all))
    .sort((a, b) => a.order - b.order)
    .map(({ order: _, ...row }) => row);
  expect(await ask([], 100)).toEqual(expected);
  expect(await ask([], 2)).toEqual(expected.slice(0, 2));
  const some = TRADERS.slice(1, 3).map(toHex);
  const [kept, others] = [true, false].map((is_kept) =>
    expected.filter(({ trader }) => some.some((one) => one === trader) === is_kept),
  );
  expect(kept?.length).toBe(2);
  expect(await ask(some, 100)).toEqual([...(kept ?? []), ...(others ?? [])]);
});

test("amounts that pools paid and took by hour, of all and of some", async () => {
  const { facts, snapshot, sides } = await scopeOf();
  const some = TRADERS.slice(0, 2).map(toHex);
  const [since, until] = [UNTIL - 2 * DAY_S, UNTIL];
  for (const members of [null, some]) {
    const rows = await facts.ask(snapshot, "flows/dex_hours", {
      ...{ ...sides, since, until, is_all: Number(members === null), members: members ?? [], categories: [] },
    });
    const hours = grouped(
      trades
        .filter(({ time }) => time >= since && time <= until)
        .filter(({ trader }) => members === null || members.some((one) => one === trader)),
      ({ time }) => hourOf(time),
    );
    expect(rows).toEqual(
      [...hours]
        .sort(([a], [b]) => a - b)
        .map(([hour, all]) => ({
          hour,
          bought: all.filter(isBuy).reduce((total, { change }) => total - change, 0n),
          sold: all.filter(isSell).reduce((total, { change }) => total + change, 0n),
          bought_count: all.filter(isBuy).length,
          sold_count: all.filter(isSell).length,
        })),
    );
  }
});
