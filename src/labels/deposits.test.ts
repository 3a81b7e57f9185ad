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
  return { address: USER, peer: HOT, token: "", amount: 100n, time, ...place, last_in: time - 1_800, ...said };
};
/** Both have always been hot, unless the case gives a time for the second. */
const judge = (rows: readonly Outflow[], hot_since = 0) => {
  const since = new Map([HOT, HOT2].map((wallet) => [wallet, hot_since]));
  return depositAddresses(rows, since, new Set(since.keys()));
};

test("the third prompt sweep to one hot wallet makes a deposit address, on its day", () => {
  expect(judge([sweep(0), sweep(1)])).toEqual([]);
  expect(judge([sweep(0), sweep(1), sweep(5), sweep(9)])).toEqual([
    { address: USER, hot_wallet: HOT, day: T0 + 5 * DAY_S, block_number: 5, tx_index: 0 },
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
