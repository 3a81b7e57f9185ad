import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { dropsUnder, headEnd, type TailBlocks } from "./head_end.ts";
import type { SubjectHead, SubjectRecord } from "./records.ts";

const FINAL = { number: 100, hash: hex("f100"), time: 1_000 };

const recordOf = (head: Partial<SubjectHead> | null, subject = "aa"): SubjectRecord => ({
  ...{ subject: hex(subject), state: "read", from_block: 0, to_block: 100, to_hash: hex("f100"), to_time: 1_000 },
  ...{ wished_ms: 1, is_plain: true, is_balanced: true, verified: "full", untraced: [], found: 2, fetched: 2 },
  ...{ requests: 9, problem: "", rewrites: 0, is_rewriting: false },
  head:
    head === null
      ? null
      : {
          ...{ after: 100, number: 110, hash: hex("e110"), time: 1_100, blocks: [], is_plain: true, is_balanced: true },
          ...{ verified: "full", untraced: [], ...head },
        },
});

/** A tail of these blocks, which was cut twice. */
const holding =
  (...held: TailBlocks) =>
  async (blocks: readonly number[]) =>
    held
      .filter(([number]) => blocks.includes(number))
      .map(([block_number, its]) => ({ block_number, hash_hex: hex(its), drops: 2 }));

const A: readonly [number, "a105"] = [105, "a105"];
const B: readonly [number, "b108"] = [108, "b108"];

test.each([
  ["its rows are in the store", [recordOf({ blocks: [[105, hex("a105")]] })], [A], { number: 110, drops: 2, tail: 1 }],
  ["it has no block above the final one", [recordOf({})], [], { number: 110, drops: 0, tail: 0 }],
  ["a row is missing", [recordOf({ blocks: [[105, hex("a105")]] })], [], null],
  ["a row is of another branch", [recordOf({ blocks: [[105, hex("a105")]] })], [[105, "0105"]], null],
  ["a block is there twice", [recordOf({ blocks: [[105, hex("a105")]] })], [A, A], null],
  ["it ends at the final block", [recordOf(null)], [A], null],
  ["it ends below the final block", [recordOf({ number: 99 })], [], null],
  ["blocks between are not named", [recordOf({ after: 101 })], [], null],
] as const)("one history: %s", async (_, records, held, expected) => {
  const end = await headEnd(records, FINAL, holding(...held));
  expect(end && { number: end.newest.number, drops: end.tail_drops, tail: end.tail.length }).toEqual(expected);
});

test("two histories end at the lower end, with a shared block once and without blocks above it", async () => {
  const shared = [105, hex("a105")] as const;
  const low = recordOf({ number: 107, hash: hex("e107"), blocks: [shared] });
  const high = recordOf({ blocks: [shared, [108, hex("b108")]] }, "bb");
  const end = await headEnd([low, high], FINAL, holding(A, B));
  expect(end?.newest).toEqual({ number: 107, hash: "e107", time: 1_100 });
  expect(end?.tail).toEqual([shared]);
});

test.each([
  ["on two branches at one height", { hash: hex("0110") }],
  ["with two blocks of one number", { number: 109, blocks: [[105, hex("0105")]] }],
] as const)("two histories %s end at the final block", async (_, other) => {
  const first = recordOf({ blocks: [[105, hex("a105")]] });
  expect(await headEnd([first, recordOf(other, "bb")], FINAL, holding(A))).toBeNull();
});

test("an end that is not proven, not balanced or without inner calls says so", async () => {
  const head = { is_plain: false, is_balanced: false, untraced: [[105, 105]], blocks: [[105, hex("a105")]] } as const;
  const end = await headEnd([recordOf({ ...head, verified: "receipts" })], FINAL, holding(A));
  expect(end?.records[0]).toMatchObject({
    is_plain: false,
    is_balanced: false,
    verified: "receipts",
    untraced: [[105, 105]],
  });
});

test("rows that vanished since have no number of cuts", async () => {
  expect(await dropsUnder([A], holding(A))).toBe(2);
  expect(await dropsUnder([A], holding())).toBeNull();
});
