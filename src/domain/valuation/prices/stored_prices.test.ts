import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../../../test/facts_store.ts";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { addressOf, dailyBlocks, priceRow } from "../../../../test/value_rows.ts";
import type { TokenHour } from "./price_cache.ts";
import { readStored } from "./stored_prices.ts";

const HOUR_S = 3_600;
const START = 1_699_999_200;
const HOURS = 40;
const TOKENS = 30;
const hours = Array.from({ length: HOURS }, (_, n) => START + n * HOUR_S);
const tokens = Array.from({ length: TOKENS }, (_, n) => addressOf(0xa00 + n));
const CONFIDENCES = ["low", "medium", "high"] as const;
const METHODS = ["anchor", "market", "last", "a later one", "an older one"] as const;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
  await store.seed({ network: "demo", from: 100, to: 110 }, { blocks: dailyBlocks(110) });
  // Every seventh pair has none; all prices differ.
  const rows = tokens.flatMap((token, i) =>
    hours.flatMap((hour, j) => {
      const n = i * HOURS + j;
      if (n % 7 === 0) return [];
      const [method, confidence] = [METHODS[n % 5] ?? "market", CONFIDENCES[n % 3] ?? "low"];
      const backing = n % 2 === 0 ? {} : { cost_to_move_usd: n, sell_reserve: 2 * n, sell_payout_usd: 3 * n };
      return [{ ...priceRow(token, hour, 1 + n), method, confidence, depth_usd: 10 * n, ...backing }];
    }),
  );
  await store.writer.insert("prices", rows);
});
afterAll(() => store.close());

const read = async (wanted: readonly TokenHour[]) => {
  const { facts } = store;
  const snapshot = await facts.snapshot("demo", null);
  return readStored({ facts, snapshot, network: fixedChain({}).network }, wanted);
};

test("reads the same prices for many pairs as for each pair alone, and no others", async () => {
  const pairs = tokens.flatMap((token, i) => hours.map((hour, j) => ({ token, hour, n: i * HOURS + j })));
  // 1,200 pairs without every twentieth: 1,140 are read as a table, and 100 at a time by name.
  const wanted = pairs.filter(({ n }) => n % 20 !== 0);
  const table = await read(wanted);
  for (let from = 0; from < wanted.length; from += 100) {
    const some = wanted.slice(from, from + 100);
    const named = await read(some);
    for (const { token, hour } of some) expect(table(token, hour)).toEqual(named(token, hour));
  }
  for (const { token, hour, n } of pairs) {
    // A method that this release does not know is no price.
    const is_known = n % 20 !== 0 && n % 7 !== 0 && n % 5 < 3;
    const [method, confidence] = [METHODS[n % 5], CONFIDENCES[n % 3]];
    const is_limited = n % 2 === 1;
    const sells = is_limited ? { reserve: 2 * n, payout_max_usd: 3 * n } : null;
    const backing = { cost_to_move_usd: is_limited ? n : null, sells };
    expect(table(token, hour)).toEqual(
      is_known ? { hour, price_usd: 1 + n, depth_usd: 10 * n, method, confidence, ...backing } : null,
    );
  }
});
