import { expect, test } from "vitest";
import { type Reader, ReadingTurns } from "./reading_turns.ts";

interface TestReader extends Reader {
  readonly name: string;
  missing: readonly number[];
  is_resting: boolean;
}

/** `count` blocks from `first` on. */
const blocks = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

const reader = (name: string, missing: readonly number[], more: Partial<TestReader> = {}): TestReader => ({
  ...{ name, missing, is_resting: false, record: { state: "reading" as const }, asked_by: "", blocks_max: 0 },
  ...{ turn: 0, is_alone: false, failed: async () => undefined },
  ...more,
});

/** The names of a batch's readers and its number of blocks, after which these blocks are stored. */
const read = (turns: ReadingTurns, all: readonly TestReader[], most: number): readonly [string, number] | null => {
  const next = turns.next(all, most);
  if (next === null) return null;
  const stored = new Set(next.blocks);
  for (const one of all) one.missing = one.missing.filter((block) => !stored.has(block));
  return [next.readers.map(({ name }) => name).join(" "), next.blocks.length];
};

const signal = new AbortController().signal;

test("many small addresses share a batch, and each block is in it once", () => {
  const all = [reader("a", [5, 9]), reader("b", [9, 7]), reader("c", [1])];
  expect(new ReadingTurns().next(all, 128)?.blocks).toEqual([1, 5, 7, 9]);
});

test("nothing is read when no address lacks blocks, or all rest", () => {
  expect(new ReadingTurns().next([reader("a", [])], 8)).toBeNull();
  expect(new ReadingTurns().next([reader("a", [1], { is_resting: true })], 8)).toBeNull();
});

test("a small address is whole in the first batch after it came, however many large ones wait", () => {
  const turns = new ReadingTurns();
  const all = [reader("x", blocks(1_000, 50)), reader("y", blocks(2_000, 50)), reader("z", blocks(3_000, 50))];
  // Half of the batch is that of the turn; the rest goes to the one with the fewest blocks.
  expect(read(turns, all, 8)).toEqual(["x y", 8]);
  const small = reader("small", [1, 2, 3]);
  all.push(small);
  // `y` has waited for its turn; four blocks are left for others, three of them for the small one.
  expect(read(turns, all, 8)?.[0].split(" ")).toContain("small");
  expect(small.missing).toEqual([]);
});

test("a large address alone fills the batch", () => {
  expect(read(new ReadingTurns(), [reader("x", blocks(1, 50))], 8)).toEqual(["x", 8]);
});

test("large addresses have their turns one after the other", () => {
  const turns = new ReadingTurns();
  const all = ["x", "y", "z"].map((name, i) => reader(name, blocks(1_000 * (i + 1), 100)));
  const first = Array.from({ length: 6 }, () => read(turns, all, 2)?.[0].split(" ")[0]);
  expect(first).toEqual(["x", "y", "z", "x", "y", "z"]);
});

test("accounts have turns, whatever the number of their addresses", () => {
  const turns = new ReadingTurns();
  const many = blocks(0, 20).map((i) => reader(`m${i}`, blocks(1_000 * (i + 1), 4), { asked_by: "many" }));
  const one = reader("one", blocks(100_000, 40), { asked_by: "one" });
  const all = [...many, one];
  const first = Array.from({ length: 6 }, () => read(turns, all, 4)?.[0].split(" ")[0]);
  expect(first.filter((name) => name === "one")).toHaveLength(3);
});

test("after its turn a batch is filled by those that calls wait for, then by new blocks of read ones, then by counterparties", () => {
  const all = [
    reader("counterparty", [1, 2], { blocks_max: 100 }),
    reader("followed", [3], { record: { state: "read" } }),
    reader("waited", [5, 6, 7]),
    reader("turn", [8, 9, 10, 11]),
  ];
  for (const one of all.slice(0, 3)) one.turn = 1;
  // Four blocks of the turn, three and one of others.
  expect(new ReadingTurns().next(all, 8)?.readers.map(({ name }) => name)).toEqual(["turn", "waited", "followed"]);
});

test("after a failed batch of several each is read alone, and only one that fails alone rests", async () => {
  const turns = new ReadingTurns();
  const failed: string[] = [];
  const all = ["a", "b"].map((name, i) =>
    reader(name, [i + 1], {
      failed: async () => {
        failed.push(name);
      },
    }),
  );
  const both = turns.next(all, 8);
  expect(both?.blocks).toEqual([1, 2]);
  if (both !== null) await turns.failed(both, new Error("no node"), signal);
  expect(failed).toEqual([]);
  const alone = turns.next(all, 8);
  expect(alone?.readers.map(({ name }) => name)).toEqual(["b"]);
  if (alone !== null) await turns.failed(alone, new Error("no node"), signal);
  expect(failed).toEqual(["b"]);
  expect(turns.next(all, 8)?.blocks).toEqual([1]);
});
