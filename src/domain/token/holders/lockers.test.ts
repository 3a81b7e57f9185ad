import { expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import type { ContractCall } from "../../../chains/chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { selectorOf, wordOf } from "../../abi.ts";
import { readLocks } from "./lockers.ts";

const TOKEN: Hex = hex("11".repeat(20));
const LOCKER: Hex = hex("22".repeat(20));
const NOW = 1_800_000_000;
const DAY = 86_400;

const words = (...values: readonly (number | bigint)[]): Hex =>
  hex(values.map((value) => wordOf(BigInt(value))).join(""));

const locksOf = async (answers: Readonly<Record<string, Hex | ((data: Hex) => Hex)>>) => {
  const answer = ({ to, data }: ContractCall): { readonly ok: boolean; readonly data: Hex } => {
    const entry = Object.entries(answers).find(([signature]) => data.startsWith(selectorOf(signature)));
    if (to !== LOCKER || entry === undefined) return { ok: false, data: "" };
    return { ok: true, data: typeof entry[1] === "string" ? entry[1] : entry[1](data) };
  };
  const reader = { chain: fixedChain({ answer }), signal: AbortSignal.timeout(10_000), at: 7, time: NOW };
  const [locks] = await readLocks(reader, [{ token: TOKEN, locker: LOCKER }]);
  return locks;
};

/** lockDate, amount, initialAmount, unlockDate, lockID, owner. */
const uncx = (amount: number, until: number): Hex => words(NOW - DAY, amount, amount + 5, until, 0, 99);

test("a UNCX locker reports each lock; an expired one is left out", async () => {
  const list = [uncx(700, NOW + 9 * DAY), uncx(200, NOW - 1), uncx(100, NOW)];
  const locks = await locksOf({
    "getNumLocksForToken(address)": words(list.length),
    "tokenLocks(address,uint256)": (data) => list[Number.parseInt(data.slice(-64), 16)] ?? "",
  });
  // Its `withdraw` needs the time to be past: at the very second a lock still holds.
  expect(locks).toEqual([
    { amount: 700n, until: NOW + 9 * DAY },
    { amount: 100n, until: NOW },
  ]);
});

/** id, token, owner, amount, lockDate, tgeDate, tgeBps, cycle, cycleBps, unlockedAmount, offset of an empty text. */
const pink = (amount: number, [from, bps, cycle, cycle_bps]: readonly [number, number, number, number]): Hex =>
  words(1, 0, 0, amount, NOW - 100 * DAY, from, bps, cycle, cycle_bps, 0, 11 * 32, 0);

const pinkList = (locks: readonly Hex[]): Hex => {
  const sizes = locks.map(({ length }) => length / 2);
  const offsets = sizes.map((_, i) => locks.length * 32 + sizes.slice(0, i).reduce((sum, size) => sum + size, 0));
  return hex(words(32, locks.length, ...offsets) + locks.join(""));
};

test("a PinkLock reports plain locks and locks that end in parts", async () => {
  const list = [
    pink(1_000, [NOW + 30 * DAY, 0, 0, 0]),
    pink(1_000, [NOW - DAY, 0, 0, 0]),
    // 20 % ten days ago, 10 % every three days: 20 + 3 · 10 = 50 % are free, the next part in two days.
    pink(1_000, [NOW - 10 * DAY, 2_000, 3 * DAY, 1_000]),
    // 50 % a hundred days ago and 10 % a day: all of it is free.
    pink(1_000, [NOW - 100 * DAY, 5_000, DAY, 1_000]),
  ];
  const locks = await locksOf({
    "totalLockCountForToken(address)": words(list.length),
    "getLocksForToken(address,uint256,uint256)": pinkList(list),
  });
  expect(locks).toEqual([
    { amount: 1_000n, until: NOW + 30 * DAY },
    { amount: 500n, until: NOW + 2 * DAY },
  ]);
});

test("an empty list has no lock, and a locker without readable terms does not count as one without locks", async () => {
  expect(await locksOf({ "getNumLocksForToken(address)": words(0) })).toEqual([]);
  expect(await locksOf({})).toBeNull();
  // More than is read; a count without its locks; a list shorter than its count.
  expect(await locksOf({ "getNumLocksForToken(address)": words(201) })).toBeNull();
  expect(await locksOf({ "getNumLocksForToken(address)": words(2) })).toBeNull();
  const short = pinkList([pink(1, [NOW + 1, 0, 0, 0])]);
  expect(
    await locksOf({ "totalLockCountForToken(address)": words(2), "getLocksForToken(address,uint256,uint256)": short }),
  ).toBeNull();
});

test("a lock forever ends where the calendar does, and hostile offsets read nothing", async () => {
  const forever = words(0, 5, 5, 2n ** 255n, 0, 0);
  const answers = { "getNumLocksForToken(address)": words(1), "tokenLocks(address,uint256)": forever };
  expect(await locksOf(answers)).toEqual([{ amount: 5n, until: 253_402_300_799 }]);
  for (const bad of [words(2n ** 255n), words(32, 1, 2n ** 200n), words(32, 2n ** 64n), ""] as const) {
    const said = { "totalLockCountForToken(address)": words(1), "getLocksForToken(address,uint256,uint256)": bad };
    expect(await locksOf(said)).toBeNull();
  }
});
