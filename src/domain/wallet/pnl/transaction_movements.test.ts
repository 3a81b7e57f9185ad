import { expect, test } from "vitest";
import { type MovementRow, movementsOf } from "../../../../test/movements.ts";
import { OTHER, of, run, TOKEN, tx } from "../../../../test/wallet_scenario.ts";
import { TIP_ACCOUNTS } from "../../../labels/tips.ts";
import { TransactionMovements } from "./transaction_movements.ts";

const [TIPPED = ""] = TIP_ACCOUNTS;
const SOLD: MovementRow = { block: 1, time: 5, direction: -1, kind: "spl", token: TOKEN, amount: 40n };
const GOT: MovementRow = { ...SOLD, position: 1, direction: 1, token: OTHER, amount: 8n };
const COINS: MovementRow = { ...SOLD, position: 2, kind: "native", token: "" };

const movesOf = (rows: readonly MovementRow[]): TransactionMovements =>
  new TransactionMovements(movementsOf(rows), { first: 0, end: rows.length }, { wrapped: null, anchors: new Set() });

test("a tip is a cost of its transaction, besides the fee, and no side of the trade", () => {
  const tip = { ...COINS, peer: TIPPED, amount: 3n };
  const fee = { ...COINS, position: 3, kind: "fee" as const, amount: 1n };
  const moves = movesOf([SOLD, GOT, tip, fee]);
  expect(moves.feeOf(0)).toBe(4n);
  expect(moves.movesOf(0).map(({ bucket, delta }) => [bucket, delta])).toEqual([
    [TOKEN, -40n],
    [OTHER, 8n],
  ]);
  // 40 of 100 that cost 2 each, for 8 at 15: 120 - 80 are gained. Nothing prices TOKEN; the coin at 10 does not decide: 4 of them are paid.
  const owned = [
    { bucket: TOKEN, amount: 100n, time: 0 },
    { bucket: "", amount: 50n, time: 0 },
  ] as const;
  const prices = { "": 10, [OTHER]: 15, [TOKEN]: (time: number) => (time === 0 ? 2 : null) };
  const book = run([tx(5, moves.movesOf(0), moves.feeOf(0))], { owned, prices });
  expect(of(book).trading).toMatchObject({ sell_count: 1, sold_usd: 120, realized_usd: 40 });
  expect(of(book, OTHER).trading).toMatchObject({ buy_count: 1, bought_usd: 120 });
  expect(of(book, "").trading).toMatchObject({ sell_count: 0, sent: 0n });
  expect([of(book, "").position.costed, book.totals.gas_fees_usd, book.totals.unpriced_trades]).toEqual([46n, 40, 0]);
});

test("a token for a tip account, and coins that come from one, are no tip", () => {
  const moves = movesOf([
    { ...SOLD, peer: TIPPED },
    { ...COINS, direction: 1, peer: TIPPED, amount: 3n },
  ]);
  expect([moves.feeOf(0), moves.movesOf(0).length]).toEqual([0n, 2]);
});
