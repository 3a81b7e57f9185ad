import { expect, test } from "vitest";
import { historyOf, type MovementRow, WRAPPED } from "../../../../test/movements.ts";
import { addressOf } from "../../../../test/value_rows.ts";
import { volumesOf } from "./volumes.ts";
import { wrapRows } from "./wraps.ts";

const [ACCOUNT, FRIEND] = [addressOf(5), addressOf(6)];
const at = { block: 1, time: 12, is_own: true } as const;
const coin = (position: number, direction: 1 | -1, amount: bigint, peer = ACCOUNT): MovementRow => ({
  ...{ ...at, position, direction, amount, peer },
});
const wrapped = (position: number, direction: 1 | -1, amount: bigint): MovementRow => ({
  ...{ ...at, position, direction, amount, token: WRAPPED, kind: "wrap", peer: "" },
});
const marksOf = (rows: readonly MovementRow[]) => [...wrapRows(historyOf(rows))];

test("coins in an account of the wallet are the other side of the wrap, rent and payments are not", () => {
  // 5 to a friend, rent and 3 + 7 to the account, of which 10 are wrapped.
  const rows: MovementRow[] = [
    coin(0, -1, 5n, FRIEND),
    { ...coin(1, -1, 2n), kind: "rent" },
    coin(2, -1, 3n),
    coin(3, -1, 7n),
    wrapped(4, 1, 10n),
  ];
  expect(marksOf(rows)).toEqual([0, 0, 1, 1, 1]);
  const { in: got, out: gave } = volumesOf(historyOf(rows, { prices: { "": 2, [WRAPPED]: 2 } }));
  // In: 10 at 2. Out: 15 at 2, of which 10.
  expect([got.usd, got.wraps_usd, gave.usd, gave.wraps_usd]).toEqual([20, 20, 30, 20]);
});

test("coins returned by an unwrap are the other side too", () => {
  expect(marksOf([wrapped(0, -1, 8n), coin(1, 1, 8n), { ...coin(2, 1, 2n), kind: "rent" }])).toEqual([1, 1, 0]);
});

test("of two receivers of the wrapped amount the nearer one is the account", () => {
  expect(marksOf([coin(0, -1, 4n, FRIEND), coin(1, -1, 4n), wrapped(2, 1, 4n)])).toEqual([0, 1, 1]);
});

test("does not match another transaction, another amount, or a wrap with the contract as peer", () => {
  expect(marksOf([coin(0, -1, 4n), { ...wrapped(1, 1, 4n), tx: 1 }])).toEqual([0, 1]);
  expect(marksOf([coin(0, -1, 4n), wrapped(1, 1, 3n)])).toEqual([0, 1]);
  expect(marksOf([coin(0, -1, 4n), coin(1, -1, 4n, WRAPPED), wrapped(2, 1, 4n)])).toEqual([0, 1, 1]);
});
