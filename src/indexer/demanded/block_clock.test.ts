import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { BlockClock } from "./block_clock.ts";

const open = (timeOf: (block: number) => number, head: number) => {
  const clock = new BlockClock({
    from_block: 0,
    ref: async (number) =>
      number > head ? null : { number, hash: hex(""), parent_hash: hex(""), time: timeOf(number) },
  });
  clock.note({ number: head, time: timeOf(head) });
  let requests = 0;
  const onRequest = (): void => {
    requests += 1;
  };
  return { clock, user: { signal: new AbortController().signal, onRequest }, requests: () => requests };
};

test("blocks at an even pace are found with few headers", async () => {
  // Block n at second 1,000 + 12 n: block 83,333 at 1,000,996, the next one at 1,001,008.
  const { clock, user, requests } = open((block) => 1_000 + 12 * block, 23_000_000);
  expect(await clock.lastBefore(1_001_000, user)).toBe(83_333);
  expect(requests()).toBeLessThanOrEqual(4);
  // A known neighbour makes the next one cheaper.
  const before = requests();
  expect(await clock.lastBefore(1_000_996, user)).toBe(83_332);
  expect(requests() - before).toBeLessThanOrEqual(1);
});

test("a long pause between two blocks takes no more than halving the range would, and some", async () => {
  // A block a second up to 999; block 1,000 comes a year later.
  const timeOf = (block: number): number => (block < 1_000 ? block : 31_536_000 + block);
  const { clock, user, requests } = open(timeOf, 1_000_000);
  expect(await clock.lastBefore(20_000_000, user)).toBe(999);
  // The first block, 4 probes, log2 of 1,000,000.
  expect(requests()).toBeLessThanOrEqual(1 + 4 + 20);
});

test("before the first block there is none", async () => {
  const { clock, user } = open((block) => 500 + block, 10);
  expect(await clock.lastBefore(500, user)).toBeNull();
  expect(await clock.lastBefore(501, user)).toBe(0);
});

test("of very many known blocks it forgets every other one, and answers as before", async () => {
  const { clock, user, requests } = open((block) => 1_000 + 12 * block, 23_000_000);
  for (let block = 0; block < 45_000; block += 1) clock.note({ number: 7 * block, time: 1_000 + 84 * block });
  expect(clock.size).toBeLessThanOrEqual(20_000);
  // Block 83,333 at 1,000,996.
  expect(await clock.lastBefore(1_001_000, user)).toBe(83_333);
  expect(requests()).toBeLessThanOrEqual(5);
  expect(await clock.lastBefore(1_000 + 12 * 22_000_000 + 1, user)).toBe(22_000_000);
});
