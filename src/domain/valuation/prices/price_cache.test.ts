import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import type { Snapshot } from "../../../store/facts.ts";
import { momentOf, PriceCache, priceKey, type TokenHour, type TokenPrices } from "./price_cache.ts";

const HARBOR = hex("aa".repeat(20));
const JUNIPER = hex("bb".repeat(20));

const snapshot: Snapshot = {
  network: "demo",
  generation: "1",
  block: { number: 100, hash: hex("01".repeat(32)), time: 7_200 },
  final_block: 90,
  from_block: 0,
  settled_to: 90,
  coverage: { from_block: 0, to_block: 100, complete: true, gaps: [], logs: true, traces: true, verified: "full" },
  tail_drops: 0,
};

const priced = (pairs: readonly TokenHour[]): TokenPrices =>
  new Map(
    pairs
      .filter(({ token }) => token === HARBOR)
      .map(({ token, hour }) => [
        priceKey(token, hour),
        { price_usd: 2, depth_usd: 10_000, sells: null, method: "mid" as const, confidence: "low" as const, hour },
      ]),
  );

/** Computes prices and records the requested pairs. */
const watched = () => {
  const asked: string[][] = [];
  const compute = async (pairs: readonly TokenHour[]): Promise<TokenPrices> => {
    asked.push(pairs.map(({ token, hour }) => priceKey(token, hour)));
    return priced(pairs);
  };
  return { asked, compute };
};

test("a pair is computed once per moment, also when it has no price", async () => {
  const memory = new PriceCache();
  const { asked, compute } = watched();
  const both = [
    { token: HARBOR, hour: 3_600 },
    { token: JUNIPER, hour: 3_600 },
  ];
  const first = await memory.read("one", both, compute);
  const second = await memory.read("one", [...both, { token: HARBOR, hour: 7_200 }], compute);
  expect([...first.keys()]).toEqual([priceKey(HARBOR, 3_600)]);
  expect([...second.keys()]).toEqual([priceKey(HARBOR, 3_600), priceKey(HARBOR, 7_200)]);
  expect(asked).toEqual([[priceKey(HARBOR, 3_600), priceKey(JUNIPER, 3_600)], [priceKey(HARBOR, 7_200)]]);
});

test("callers at the same time share one computation", async () => {
  const memory = new PriceCache();
  const { asked, compute } = watched();
  const pair = [{ token: HARBOR, hour: 3_600 }];
  const [a, b] = await Promise.all([memory.read("one", pair, compute), memory.read("one", pair, compute)]);
  expect(a).toEqual(b);
  expect(asked).toHaveLength(1);
});

test("a caller gets its prices although another caller gave up, and a failure is not cached", async () => {
  const memory = new PriceCache();
  const { asked, compute } = watched();
  const pair = [{ token: HARBOR, hour: 3_600 }];
  const gaveUp = memory.read("one", pair, () => Promise.reject(new Error("deadline")));
  const other = memory.read("one", pair, compute);
  await expect(gaveUp).rejects.toThrow("deadline");
  expect((await other).size).toBe(1);
  expect((await memory.read("one", pair, compute)).size).toBe(1);
  // Once for the other caller's pair, once because the failure was dropped.
  expect(asked).toHaveLength(2);
});

test("least recently used moments are evicted first, and at most 64 are cached", async () => {
  const memory = new PriceCache();
  const { asked, compute } = watched();
  const pair = [{ token: HARBOR, hour: 3_600 }];
  for (let n = 0; n < 64; n += 1) await memory.read(`block ${n}`, pair, compute);
  await memory.read("block 0", pair, compute);
  await memory.read("block 64", pair, compute);
  expect(asked).toHaveLength(65);
  await memory.read("block 0", pair, compute);
  expect(asked).toHaveLength(65);
  await memory.read("block 1", pair, compute);
  expect(asked).toHaveLength(66);
});

test("a final block is the same moment wherever the tail begins, a block of the tail is not", () => {
  const moved = { ...snapshot, final_block: 95, tail_drops: 2 };
  expect(momentOf(moved, null)).not.toBe(momentOf(snapshot, null));
  const old = { number: 80, hash: hex("02".repeat(32)), time: 3_600 };
  expect(momentOf({ ...moved, block: old }, null)).toBe(momentOf({ ...snapshot, block: old }, null));
});

test("another block, an older beginning and more stored hours are other moments", () => {
  const stored = { first_hour: 0, last_hour: 3_600, hours: 2, rows: 2 };
  const moments = [
    momentOf(snapshot, null),
    momentOf(snapshot, stored),
    momentOf(snapshot, { ...stored, last_hour: 7_200, hours: 3, rows: 3 }),
    momentOf({ ...snapshot, from_block: 5 }, null),
    momentOf({ ...snapshot, block: { ...snapshot.block, hash: hex("03".repeat(32)) } }, null),
  ];
  expect(new Set(moments).size).toBe(moments.length);
});
