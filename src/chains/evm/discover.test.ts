import { describe, expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import type { AccountMarks } from "./account_marks.ts";
import { discoverBlocks } from "./discover.ts";

const WALLET = hex("00000000000000000000000000000000000000aa");

/** An account of a simulated chain: what happens to it, by block. Calls are counted; nothing waits. */
interface Acts {
  /** Blocks in which it sends a transaction. */
  readonly sends: readonly number[];
  /** Blocks in which it is paid coins. */
  readonly paid: readonly number[];
  /** Blocks with a log that names it. */
  readonly named: readonly number[];
}

const countUpTo = (sorted: readonly number[], block: number): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= block) low = middle + 1;
    else high = middle;
  }
  return low;
};

const simulated = ({ sends, paid, named }: Acts) => {
  const count = { calls: 0, rounds: 0 };
  // A transaction costs 21,000, a payment brings 5.
  const balanceAt = (block: number): bigint =>
    10n ** 18n + 5n * BigInt(countUpTo(paid, block)) - 21_000n * BigInt(countUpTo(sends, block));
  const past: Pick<AccountMarks, "marks" | "logBlocks"> = {
    async marks({ kind, blocks }) {
      count.calls += blocks.length;
      count.rounds += 1;
      return blocks.map((block) => (kind === "nonce" ? BigInt(countUpTo(sends, block)) : balanceAt(block)));
    },
    async logBlocks(_address, { from, to }) {
      count.calls += 4;
      return { blocks: named.filter((block) => block >= from && block <= to), requests: 4 };
    },
  };
  return { past, count };
};

const sortedSet = (blocks: readonly number[]): number[] => [...new Set(blocks)].sort((a, b) => a - b);

const plain = { address: WALLET, is_plain: true, signal: new AbortController().signal };
const RANGE = 23_000_000;

/** Different numbers from 1 to `range`, the same in each run. */
const spread = (count: number, seed: number, range = RANGE): number[] => {
  const found = new Set<number>();
  let state = seed;
  while (found.size < count) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    found.add(1 + Math.floor((state / 2 ** 32) * range));
  }
  return [...found].sort((a, b) => a - b);
};

test("finds what it sends, what it is paid and what names it, and nothing else", async () => {
  const { past } = simulated({ sends: [5, 900], paid: [6, 7, 512], named: [7, 100] });
  const found = await discoverBlocks({ ...plain, past, after: 0, to: 1_000 });
  expect(found.blocks).toEqual([5, 6, 7, 100, 512, 900]);
  // 2 transactions and 3 payments.
  expect([found.first, found.last]).toEqual([10n ** 18n, 10n ** 18n + 15n - 42_000n]);
});

test("an act beside a named block is not lost", async () => {
  const { past } = simulated({ sends: [99, 101], paid: [], named: [100] });
  const found = await discoverBlocks({ ...plain, past, after: 98, to: 101 });
  expect(found.blocks).toEqual([99, 100, 101]);
});

test("the first and the last block of the range count, the block before it does not", async () => {
  const { past } = simulated({ sends: [10, 11, 20], paid: [], named: [10, 21] });
  const found = await discoverBlocks({ ...plain, past, after: 10, to: 20 });
  expect(found.blocks).toEqual([11, 20]);
});

test("an empty range has no blocks", async () => {
  const { past } = simulated({ sends: [10], paid: [], named: [10] });
  const found = await discoverBlocks({ ...plain, past, after: 10, to: 10 });
  expect(found).toMatchObject({ blocks: [], last: 10n ** 18n - 21_000n });
});

describe("23 million blocks", () => {
  test.each([1, 10, 100, 1_000, 10_000])(
    "%i appearances cost log2(range / appearances) + 4 calls each, and 8 for the search",
    async (n) => {
      // Two fifths send, two fifths are paid, one fifth is only named.
      const blocks = spread(n, 7 + n);
      const sends = blocks.filter((_, i) => i % 5 < 2);
      const paid = blocks.filter((_, i) => i % 5 === 2 || i % 5 === 3);
      const named = blocks.filter((_, i) => i % 5 === 4 || i % 5 === 1);
      const { past, count } = simulated({ sends, paid, named });
      const found = await discoverBlocks({ ...plain, past, after: 0, to: RANGE });
      expect(found.blocks).toEqual(blocks);
      expect(found.requests).toBe(count.calls);
      expect(count.calls).toBeLessThanOrEqual(n * (Math.log2(RANGE / n) + 4) + 8);
    },
  );

  test("an account without acts costs two states and four searches of logs", async () => {
    const { past, count } = simulated({ sends: [], paid: [], named: [] });
    expect((await discoverBlocks({ ...plain, past, after: 0, to: RANGE })).blocks).toEqual([]);
    expect(count.calls).toBe(2 * 2 + 4);
  });

  test("rounds grow with the logarithm of the range", async () => {
    const sends = spread(40, 3);
    const { past, count } = simulated({ sends, paid: [], named: [] });
    await discoverBlocks({ ...plain, past, after: 0, to: RANGE });
    // ceil(log2(23,000,000)) = 25 halvings; a round of 40 intervals is one request. Then one round of balances.
    expect(count.rounds).toBeLessThanOrEqual(27);
  });

  test("logs cost no states of an account to which nothing else happened", async () => {
    const named = spread(10_000, 5);
    const { past, count } = simulated({ sends: [], paid: [], named });
    const found = await discoverBlocks({ ...plain, past, after: 0, to: RANGE });
    expect(found.blocks).toEqual(named);
    expect(count.calls).toBe(2 * 2 + 4);
  });
});

test.each([true, false])("random acts are found exactly, whatever names them (plain: %s)", async (is_plain) => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const range = 1 + ((seed * 37) % 3_000);
    const some = (k: number) => spread(Math.min(range, k), seed * 11 + k, range);
    const acts = { sends: some(seed % 17), paid: some(seed % 9), named: some(seed % 13) };
    const { past } = simulated(acts);
    const found = await discoverBlocks({ ...plain, is_plain, past, after: 0, to: range });
    expect(found.blocks).toEqual(sortedSet([...acts.sends, ...acts.paid, ...acts.named]));
  }
});

test.each([
  ["transactions", { sends: spread(600, 3), paid: [], named: [] }],
  ["payments", { sends: [], paid: spread(600, 5), named: [] }],
])("a search with a limit ends when more %s are certain, long before all are found", async (_, acts: Acts) => {
  const sorted = { ...acts, sends: sortedSet(acts.sends), paid: sortedSet(acts.paid) };
  const search = (blocks_max: number) => {
    const { past, count } = simulated(sorted);
    return { count, found: discoverBlocks({ ...plain, past, after: 0, to: RANGE, blocks_max }) };
  };
  const { count, found } = search(100);
  const error = await found.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: "TOO_MANY_BLOCKS", requests: count.calls });
  // Halves of 23 million blocks until 101 of them changed: some 256 states of each kind.
  expect(count.calls).toBeLessThan(1_500);
  expect((await search(600).found).blocks).toHaveLength(600);
});

test("a contract that receives and sends the same amount is found where a log is between", async () => {
  const held = (block: number): bigint => (block >= 300 && block < 700 ? 5n : 0n);
  const past: Pick<AccountMarks, "marks" | "logBlocks"> = {
    marks: async ({ kind, blocks }) => blocks.map((block) => (kind === "nonce" ? 1n : held(block))),
    logBlocks: async () => ({ blocks: [500], requests: 4 }),
  };
  const found = await discoverBlocks({ ...plain, is_plain: false, past, after: 0, to: 1_000 });
  expect(found.blocks).toEqual([300, 500, 700]);
});
