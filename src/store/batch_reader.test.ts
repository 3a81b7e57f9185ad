import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openBatchReader } from "./batch_reader.ts";

/** Reads lengths of words, and records each batch. */
const open = () => {
  const reads: (readonly string[])[] = [];
  const together = openBatchReader<string, number>((word) => word);
  const read = async (words: readonly string[]): Promise<readonly number[]> => {
    reads.push(words);
    await nextTurn();
    if (words.includes("bad")) throw new RangeError("no such word");
    return words.map(({ length }) => length);
  };
  return { reads, ask: (of: string, words: readonly string[]) => together(of, words, read) };
};

test("batches the requests of one turn into one read, and answers each in its own order", async () => {
  const { reads, ask } = open();
  const found = await Promise.all([ask("a", ["one", "three"]), ask("a", ["three", "eleven", "one"]), ask("a", [])]);
  expect(found).toEqual([[3, 5], [5, 6, 3], []]);
  expect(reads.filter(({ length }) => length > 0)).toEqual([["one", "three", "eleven"]]);
});

test("a caller during a read, or with another key, gets a read of its own", async () => {
  const { reads, ask } = open();
  const first = ask("a", ["one"]);
  await nextTurn();
  await nextTurn();
  expect(await Promise.all([first, ask("a", ["one"]), ask("b", ["two"])])).toEqual([[3], [3], [3]]);
  expect(reads).toEqual([["one"], ["one"], ["two"]]);
});

test("a failure reaches all waiting callers and no later one", async () => {
  const { ask } = open();
  const both = await Promise.allSettled([ask("a", ["bad"]), ask("a", ["one"])]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("a", ["one"])).toEqual([3]);
});

test("long lists are read by themselves, and many short ones in several reads", async () => {
  const { reads, ask } = open();
  const words = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `w${from + n}`);
  await Promise.all([ask("a", words(501)), ...[0, 400, 800, 1_200].map((from) => ask("a", words(400, from)))]);
  expect(reads.map(({ length }) => length).sort((a, b) => a - b)).toEqual([501, 800, 800]);
});
