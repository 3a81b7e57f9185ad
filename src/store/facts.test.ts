import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, blockRows, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { toHex } from "../lib/bytes.ts";
import type { Snapshot } from "./facts.ts";
import { openWriter } from "./writer.ts";

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

const [BOB, TOKEN] = [testAddress(0xb0b), testAddress(0x70)];

const seedTail = async (network: string, from: number, to: number): Promise<void> => {
  await store.writer.insert("blocks", blockRows({ network, from, to }), { is_tail: true });
};

test("an empty network, a block above the tail and a block below it are not indexed", async () => {
  const network = "bounds";
  await expect(store.facts.snapshot("nowhere", null)).rejects.toMatchObject({
    code: "COVERAGE_INCOMPLETE",
    retryable: true,
  });
  await store.seed({ network, from: 100, to: 109 }, {});
  await expect(store.facts.snapshot(network, 110)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  await expect(store.facts.snapshot(network, 99)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
  expect((await store.facts.snapshot(network, 100)).block).toEqual({
    number: 100,
    hash: toHex(blockHash(100)),
    time: 1_700_000_000,
  });
});

test("coverage promises of all blocks what was verified of the least of them, the tail included", async () => {
  const network = "verified";
  const verified = async (at: number | null = null) => (await store.facts.snapshot(network, at)).coverage.verified;
  await store.seed({ network, from: 100, to: 109, first: 80 }, {});
  expect(await verified()).toBe("full");
  await store.writer.insert(
    "blocks",
    [
      ...blockRows({ network, from: 110, to: 111 }),
      ...blockRows({ network, from: 112, to: 112, verified: "receipts" }),
    ],
    { is_tail: true },
  );
  expect(await verified()).toBe("receipts");
  expect(await verified(109)).toBe("full");
  // Neighbours that differ only in this stay two runs; the older one is worse, so blocks up to its end and beyond are.
  await store.seed({ network, from: 90, to: 99, first: 80, verified: "none" }, {});
  await store.seed({ network, from: 80, to: 89, first: 80 }, {});
  expect(await verified()).toBe("none");
  expect(await verified(89)).toBe("full");
  expect((await store.facts.snapshot(network, null)).coverage).toMatchObject({ from_block: 80, complete: true });
});

test("coverage names the gaps, and traces only where every block has them", async () => {
  const network = "gaps";
  await store.seed({ network, from: 100, to: 109, first: 50 }, {});
  await store.seed({ network, from: 60, to: 79, first: 50, has_traces: false }, {});
  await seedTail(network, 110, 112);
  expect((await store.facts.snapshot(network, null)).coverage).toEqual({
    from_block: 100,
    to_block: 112,
    complete: false,
    gaps: [
      [50, 59],
      [80, 99],
    ],
    logs: true,
    traces: true,
    verified: "full",
  });
  await store.seed({ network, from: 80, to: 99, first: 50 }, {});
  await store.seed({ network, from: 50, to: 59, first: 50 }, {});
  expect((await store.facts.snapshot(network, null)).coverage).toEqual({
    from_block: 50,
    to_block: 112,
    complete: true,
    gaps: [],
    logs: true,
    traces: false,
    trace_gaps: [[60, 79]],
    verified: "full",
  });
});

test("a history that begins in the middle and whose openings were not read is never complete", async () => {
  const network = "unopened";
  await store.seed({ network, from: 50, to: 59, first: 50, is_opened: 0 }, {});
  const { coverage } = await store.facts.snapshot(network, null);
  // No gap in the configured range, but not the whole history.
  expect(coverage).toMatchObject({ from_block: 50, to_block: 59, complete: false, gaps: [] });
  await store.seed({ network: "opened", from: 50, to: 59, first: 50, is_opened: 1 }, {});
  expect((await store.facts.snapshot("opened", null)).coverage.complete).toBe(true);
});

test("a tail that does not join the final blocks is a range of its own", async () => {
  const network = "apart";
  await store.seed({ network, from: 10, to: 19 }, {});
  await seedTail(network, 30, 35);
  const newest = await store.facts.snapshot(network, null);
  expect(newest).toMatchObject({ block: { number: 35 }, final_block: 19, from_block: 30 });
  expect(newest.coverage).toMatchObject({ complete: false, gaps: [[20, 29]] });
  expect(await store.facts.snapshot(network, 15)).toMatchObject({
    from_block: 10,
    coverage: { complete: true, gaps: [] },
  });
  await expect(store.facts.snapshot(network, 25)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
});

test("a snapshot in the tail is void after a cut, even when the same blocks come back", async () => {
  const network = "cut";
  await store.seed({ network, from: 10, to: 31 }, {});
  await seedTail(network, 32, 40);
  const [tail, final] = [await store.facts.snapshot(network, null), await store.facts.snapshot(network, 31)];
  expect(await store.facts.isCurrent(tail)).toBe(true);
  await seedTail(network, 41, 41);
  expect(await store.facts.isCurrent(tail)).toBe(true);
  await store.writer.dropHead(network, 40);
  await seedTail(network, 32, 41);
  expect(await store.facts.isCurrent(tail)).toBe(false);
  expect(await store.facts.isCurrent(final)).toBe(true);
});

test("a snapshot that was taken when a cut had begun is void before the cut is done", async () => {
  const network = "cutting";
  await store.seed({ network, from: 10, to: 31 }, {});
  await seedTail(network, 32, 40);
  await seedTail(network, 41, 41);
  const seen: (boolean | null)[] = [];
  let taken: Snapshot | null = null;
  const { engine } = store;
  // Between what a cut writes down before it and after it.
  const slow = {
    ...engine,
    insert: async (...row: Parameters<typeof engine.insert>) => {
      if (taken !== null) seen.push(await store.facts.isCurrent(taken));
      await engine.insert(...row);
      taken ??= await store.facts.snapshot(network, null);
    },
  };
  await openWriter(slow).dropHead(network, 40);
  expect(seen).toEqual([false]);
  expect(taken).toMatchObject({ block: { number: 41 } });
});

test("a snapshot in the tail is void after a promotion", async () => {
  const network = "promotion";
  await store.seed({ network, from: 10, to: 31 }, {});
  await seedTail(network, 32, 40);
  const tail = await store.facts.snapshot(network, null);
  await store.seed({ network, from: 32, to: 36, first: 10 }, {});
  expect(await store.facts.isCurrent(tail)).toBe(false);
  expect(await store.facts.snapshot(network, null)).toMatchObject({ final_block: 36, block: { number: 40 } });
});

test("questions that tools share answer from both halves", async () => {
  const network = "shared";
  await store.seed({ network, from: 10, to: 19, time: 1_000 }, {});
  await store.writer.insert("blocks", blockRows({ network, from: 20, to: 22, time: 1_120 }), { is_tail: true });
  const snapshot = await store.facts.snapshot(network, null);
  const at = async (time: number) =>
    (await store.facts.ask(snapshot, "block_at_time", { time }))[0]?.block_number ?? null;
  // Block n has time 1000 + 12 (n - 10).
  expect([await at(999), await at(1_000), await at(1_119), await at(1_120), await at(9_999)]).toEqual([
    null,
    10,
    19,
    20,
    22,
  ]);
  const [block] = await store.facts.ask(snapshot, "block_by_number", { number: 21 });
  expect(block).toMatchObject({ block_number: 21, hash: toHex(blockHash(21)), time: 1_132 });

  await store.writer.insert("prices", [
    {
      network,
      token: TOKEN,
      hour: 3600,
      price_usd: 1.5,
      volume_usd: 1,
      depth_usd: 2,
      sell_reserve: -1,
      sell_payout_usd: -1,
      method: "vwap",
      confidence: "high",
      version: 1,
    },
    {
      network,
      token: TOKEN,
      hour: 3600,
      price_usd: 1.25,
      volume_usd: 1,
      depth_usd: 2,
      sell_reserve: -1,
      sell_payout_usd: -1,
      method: "vwap",
      confidence: "high",
      version: 2,
    },
    {
      network,
      token: TOKEN,
      hour: 7200,
      price_usd: 2,
      volume_usd: 1,
      depth_usd: 2,
      sell_reserve: -1,
      sell_payout_usd: -1,
      method: "mid",
      confidence: "low",
      version: 1,
    },
  ]);
  const pairs = { tokens: [toHex(TOKEN), toHex(TOKEN), toHex(BOB)], hours: [3600, 10_800, 7200] };
  expect(
    (await store.facts.ask(snapshot, "prices_at_hours", pairs)).map(({ hour, price_usd }) => [hour, price_usd]),
  ).toEqual([[3600, 1.25]]);
  const latest = async (until: number) =>
    (await store.facts.ask(snapshot, "latest_prices", { tokens: [toHex(TOKEN)], since: 0, until })).map(
      ({ hour, price_usd }) => [hour, price_usd],
    );
  expect(await latest(7199)).toEqual([[3600, 1.25]]);
  expect(await latest(7200)).toEqual([[7200, 2]]);

  const metadata = {
    network,
    standard: "erc20",
    name: "Coin",
    decimals: 6,
    total_supply: 2n ** 255n,
    read_at_block: 10,
    has_hidden: 0,
  };
  await store.writer.insert("tokens", [
    { ...metadata, token: TOKEN, symbol: "CoIn" },
    { ...metadata, token: BOB, symbol: null, name: null, decimals: null, total_supply: null },
  ]);
  expect(await store.facts.ask(snapshot, "tokens_by_symbol", { symbol: "coin", limit: 5 })).toEqual([
    {
      token: toHex(TOKEN),
      standard: "erc20",
      name: "Coin",
      symbol: "CoIn",
      decimals: 6,
      total_supply: 2n ** 255n,
      read_at_block: 10,
      has_hidden: 0,
    },
  ]);
  expect((await store.facts.ask(snapshot, "tokens_among", { tokens: [toHex(BOB)] }))[0]).toMatchObject({
    symbol: null,
    decimals: null,
  });
});

test("forty questions under one signal leave no warning behind", async () => {
  const network = "many";
  await store.seed({ network, from: 100, to: 109 }, {});
  const snapshot = await store.facts.snapshot(network, null);
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  const stop = new AbortController();
  const own = store.facts.withSignal(stop.signal);
  const both = own.withSignal(new AbortController().signal);
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? own : both).holderCounts(snapshot, [toHex(TOKEN)])),
  );
  // Node emits warnings in the next turn.
  await new Promise((done) => setImmediate(done));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});
