import { expect, test } from "vitest";
import { hex } from "../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../lib/time.ts";
import { depositAddresses, type Outflow } from "./deposits.ts";

const HOT = hex("aa".repeat(20));
const HOT2 = hex("bb".repeat(20));
const USER = hex("11".repeat(20));
const FRIEND = hex("22".repeat(20));
/** A midnight. */
const T0 = 1_785_542_400;

/** A sweep at noon of a day, half an hour after the money came in. */
const sweep = (day: number, said: Partial<Outflow> = {}): Outflow => {
  const time = T0 + day * DAY_S + 12 * HOUR_S;
  const place = { block_number: day, tx_index: (said.peer ?? HOT) === HOT ? 0 : 1 };
  return {
    address: USER,
    peer: HOT,
    token: "",
    amount: 100n,
    time,
    ...place,
    last_in: time - 1_800,
    is_own: 1,
    ...said,
  };
};
/** Both have always been hot, unless the case gives a time for the second. */
const judge = (rows: readonly Outflow[], hot_since = 0) => {
  const since = new Map([HOT, HOT2].map((wallet) => [wallet, hot_since]));
  return depositAddresses(rows, since, new Set(since.keys()));
};

test("the third prompt sweep to one hot wallet makes a deposit address, on its day", () => {
  expect(judge([sweep(0), sweep(1)])).toEqual([]);
  expect(judge([sweep(0), sweep(1), sweep(5), sweep(9)])).toEqual([
    { address: USER, hot_wallet: HOT, day: T0 + 5 * DAY_S, block_number: 5, tx_index: 0, certainty: 1 },
  ]);
});

test("payments to a wallet before it was known to be hot count from that day on", () => {
  const rows = [sweep(0), sweep(1), sweep(2)];
  expect(judge(rows, T0 + 6 * DAY_S + HOUR_S)).toMatchObject([{ day: T0 + 6 * DAY_S, block_number: 2 }]);
  expect(judge(rows, T0 + 2 * DAY_S + 20 * HOUR_S)).toMatchObject([{ day: T0 + 2 * DAY_S }]);
  // On the day on which the wallet becomes known as hot, the account has paid another address as much: the rule no
  // longer holds.
  const other = sweep(4, { peer: FRIEND, amount: 300n });
  expect(judge([...rows, other], T0 + 4 * DAY_S)).toEqual([]);
  expect(judge([...rows, other], T0 + 3 * DAY_S)).toMatchObject([{ day: T0 + 3 * DAY_S, block_number: 2 }]);
});

test("money that stayed for more than a day, or of unknown origin, is no sweep", () => {
  const late = sweep(2, { last_in: T0 + DAY_S + 12 * HOUR_S - 1 });
  expect(judge([sweep(0), sweep(1), late])).toEqual([]);
  expect(judge([sweep(0), sweep(1), sweep(2, { last_in: T0 + DAY_S + 12 * HOUR_S })])).toHaveLength(1);
  expect(judge([sweep(0), sweep(1), sweep(2, { last_in: 0 })])).toEqual([]);
});

test("nine transactions of ten are enough, eight of ten are not", () => {
  const other = (day: number) => sweep(day, { peer: FRIEND, amount: 1n });
  const days = (count: number, first: number) => Array.from({ length: count }, (_, n) => sweep(first + n));
  // The friend is first, so that the rule cannot hold before the tenth day.
  expect(judge([other(0), ...days(8, 1)])).toEqual([]);
  expect(judge([other(0), ...days(9, 1)])).toMatchObject([{ day: T0 + 9 * DAY_S }]);
  expect(judge([other(0), other(1), ...days(8, 2)])).toEqual([]);
});

test("one large payment to another address outweighs many small sweeps", () => {
  const days = Array.from({ length: 19 }, (_, n) => sweep(1 + n));
  // 19 of 20 transactions, but 1,900 of 2,111 base units (90.004 %) or of 2,112 (89.96 %).
  expect(judge([sweep(0, { peer: FRIEND, amount: 211n }), ...days])).toHaveLength(1);
  expect(judge([sweep(0, { peer: FRIEND, amount: 212n }), ...days])).toEqual([]);
});

test("sweeps to two hot wallets are counted separately, and a hot wallet is not a deposit address", () => {
  expect(judge([sweep(0), sweep(1), sweep(2, { peer: HOT2 })])).toEqual([]);
  expect(judge([0, 1, 2].map((day) => sweep(day, { address: HOT2 })))).toEqual([]);
});

test("a payment later on the same day still counts against it", () => {
  const other = sweep(2, { peer: FRIEND, time: T0 + 2 * DAY_S + 20 * HOUR_S, tx_index: 2 });
  expect(judge([sweep(0), sweep(1), sweep(2), other])).toEqual([]);
  // A day later the rule had already held.
  const tomorrow = { ...other, time: other.time + DAY_S };
  expect(judge([sweep(0), sweep(1), sweep(2), tomorrow])).toHaveLength(1);
});

test("scattered or late payments after the rule held lower the certainty, and below half nothing is left", () => {
  /** To another address each day. */
  const other = (day: number, amount = 100n) => sweep(day, { peer: hex(`${10 + day}`.repeat(20)), amount });
  const three = [sweep(0), sweep(1), sweep(2)];
  const certainty = (rows: readonly Outflow[]) => judge(rows).map((found) => [found.day, found.certainty]);
  const day = T0 + 2 * DAY_S;
  expect(certainty(three)).toEqual([[day, 1]]);
  // Three of four transactions and 300 of 400 units; three of six; three of seven.
  expect(certainty([...three, other(3)])).toEqual([[day, 0.75]]);
  expect(certainty([...three, other(3), other(4), other(5)])).toEqual([[day, 0.5]]);
  expect(certainty([...three, other(3), other(4), other(5), other(6)])).toEqual([]);
  // One payment of more than all sweeps together contradicts it too.
  expect(certainty([...three, other(3, 301n)])).toEqual([]);
  // Money that stayed for two days.
  const kept = sweep(5, { last_in: T0 + 3 * DAY_S });
  expect(certainty([...three, kept])).toEqual([[day, 0.75]]);
  // A token of a stranger that pretends to move from the account.
  const forged = [3, 4, 5, 6].map((n) => ({ ...other(n), token: FRIEND, is_own: 0 }));
  expect(certainty([...three, ...forged])).toEqual([[day, 1]]);
  // Further sweeps restore it: 27 of 30 transactions.
  const more = Array.from({ length: 24 }, (_, n) => sweep(6 + n));
  expect(certainty([...three, other(3), other(4), other(5), ...more])).toEqual([[day, 1]]);
});

test("an exchange that replaces its hot wallet keeps its deposit addresses", () => {
  const replaced = Array.from({ length: 6 }, (_, n) => sweep(3 + n, { peer: FRIEND }));
  expect(judge([sweep(0), sweep(1), sweep(2), ...replaced])).toMatchObject([{ hot_wallet: HOT, certainty: 1 }]);
});
