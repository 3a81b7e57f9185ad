import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { groupTransactions } from "./group_transactions.ts";
import type { WalletTransaction } from "./pnl.ts";
import type { PositionEvent } from "./position_events.ts";

const [ONE, TWO, OTHER] = ["01", "02", "03"].map((byte) => hex(byte.repeat(20)));
const MEMBERS = new Set([ONE ?? "", TWO ?? ""]);
const POSITION = hex("0a".repeat(20));

const transaction = (block_number: number, events: readonly PositionEvent[]): WalletTransaction => ({
  ...{ place: { block_number, tx_index: 0 }, time: block_number, fee: 0n, rent: 0n, moves: [], valued_by: null },
  ...{ is_claim: false, events, pool_worth: new Map(), balances: [] },
});

const handedTo = (to: string | undefined): PositionEvent => ({
  ...{ kind: "handed_over", position: POSITION, to: hex(to ?? "") },
});

test("a position that one member hands to another stays in the books, and one that leaves the group does not", () => {
  const own = [transaction(1, [handedTo(TWO)]), transaction(3, [handedTo(OTHER)])];
  const joined = [...groupTransactions([own, [transaction(1, []), transaction(2, [])]], MEMBERS)];
  expect(joined.map(({ place, events }) => [place?.block_number, events])).toEqual([
    [1, []],
    [2, []],
    [3, [handedTo(OTHER)]],
  ]);
});
