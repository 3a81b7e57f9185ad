import { describe, expect, test } from "vitest";
import { historyOf, type MovementRow } from "../../../../test/movements.ts";
import { addressOf } from "../../../../test/value_rows.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { spamReasonsOf } from "./movement_flags.ts";

const TOKEN = hex("aa".repeat(20));
const OTHER = hex("bb".repeat(20));
const DOLLAR = hex("cc".repeat(20));
const FRIEND = hex(`abcd${"1".repeat(32)}4321`);
const FAKE = hex(`abcd${"2".repeat(32)}4321`);
const DAY_S = 86_400;

const reasons = (rows: readonly MovementRow[], known: Parameters<typeof historyOf>[1] = {}) => {
  const { spam } = historyOf(rows, { prices: { [DOLLAR]: 1, "": 1 }, ...known });
  return rows.map((_, row) => spamReasonsOf(spam[row] ?? 0).join());
};
const at = (block: number, row: Omit<MovementRow, "block" | "time">): MovementRow => ({
  block,
  time: block * 12,
  ...row,
});
const out = (block: number, token: Hex, more: Partial<MovementRow> = {}): MovementRow =>
  at(block, { direction: -1, kind: "erc20", token, amount: 5n, ...more });
const into = (block: number, token: Hex, more: Partial<MovementRow> = {}): MovementRow =>
  at(block, { direction: 1, kind: "erc20", token, amount: 5n, ...more });

describe("an outflow in another sender's transaction", () => {
  test("is flagged without a sign of legitimacy", () => {
    expect(reasons([out(1, TOKEN)])).toEqual(["unrequested_outflow"]);
    expect(reasons([out(1, TOKEN, { is_own: true })])).toEqual([""]);
    expect(reasons([out(1, DOLLAR)])).toEqual([""]);
    expect(reasons([out(1, TOKEN)], { is_contract: true })).toEqual([""]);
  });

  test("is a filled order when the wallet received something in it", () => {
    expect(reasons([out(1, TOKEN), into(1, DOLLAR, { position: 1 })])).toEqual(["", ""]);
    expect(reasons([out(1, TOKEN), into(1, OTHER, { position: 1 })])).toEqual(["", ""]);
    expect(reasons([out(1, TOKEN), at(1, { direction: 1, kind: "internal", amount: 9n, position: 1 })])).toEqual([
      "",
      "",
    ]);
    // A receipt in another transaction, of a zero amount, or of a spam token does not settle an order.
    expect(reasons([out(1, TOKEN), into(2, DOLLAR)])).toEqual(["unrequested_outflow", ""]);
    expect(reasons([out(1, TOKEN), into(1, OTHER, { position: 1, amount: 0n })])).toEqual([
      "unrequested_outflow",
      "zero_value_transfer",
    ]);
    expect(
      reasons([out(1, TOKEN), into(1, OTHER, { position: 1 })], { words: { [OTHER]: ["claim_wording"] } }),
    ).toEqual(["unrequested_outflow", "claim_wording"]);
    const mass = (row: number): number => (row === 1 ? 101 : 0);
    expect(reasons([out(1, TOKEN), into(1, OTHER, { position: 1 })], { receivers: mass })).toEqual([
      "unrequested_outflow",
      "mass_airdrop",
    ]);
  });

  test("is a redemption, a repayment or a liquidation when something of it is burned", () => {
    expect(reasons([out(1, TOKEN, { peer: "" })])).toEqual([""]);
    expect(reasons([out(1, OTHER, { peer: "" }), out(1, TOKEN, { position: 1 })])).toEqual(["", ""]);
  });
});

describe("a peer that looks like another", () => {
  const paid = (block: number, more: Partial<MovementRow> = {}) =>
    at(block, { direction: -1, kind: "native", peer: FRIEND, amount: 5n, is_own: true, ...more });

  test("is flagged within a day of the real one, and not before it or later", () => {
    const fake = (time: number): MovementRow => ({
      block: 5,
      time,
      direction: 1,
      kind: "native",
      peer: FAKE,
      amount: 1n,
    });
    expect(reasons([paid(1), fake(60)])).toEqual(["", "lookalike_peer"]);
    expect(reasons([paid(1), fake(12 + DAY_S)])).toEqual(["", "lookalike_peer"]);
    expect(reasons([paid(1), fake(13 + DAY_S)])).toEqual(["", ""]);
    expect(reasons([fake(12), { ...paid(9), time: 108 }])).toEqual(["", ""]);
  });

  test("shares its visible digits, and the real one stays real when it moves again", () => {
    const half = hex(`abcd${"f".repeat(36)}`);
    expect(reasons([paid(1), at(5, { direction: 1, kind: "native", peer: half, amount: 1n })])).toEqual(["", ""]);
    expect(reasons([paid(1), at(5, { direction: 1, peer: FAKE }), at(6, { direction: 1, peer: FRIEND })])).toEqual([
      "",
      "lookalike_peer",
      "",
    ]);
  });

  test("is also compared with rows before the window", () => {
    const rows = [paid(1), at(5, { direction: 1, kind: "native", peer: FAKE, amount: 1n })];
    expect(reasons(rows, { from: 40 })).toEqual(["", "lookalike_peer"]);
  });

  test("imitates a real peer: one that the wallet paid, or one that moved a dollar", () => {
    const fake = at(5, { direction: 1, kind: "native", peer: FAKE, amount: 1n });
    const got = (amount: bigint) => at(1, { direction: 1, kind: "erc20", token: DOLLAR, peer: FRIEND, amount });
    expect(reasons([got(1n), fake])).toEqual(["", "lookalike_peer"]);
    expect(reasons([got(0n), fake])).toEqual(["zero_value_transfer", ""]);
    expect(reasons([into(1, TOKEN, { peer: FRIEND }), fake])).toEqual(["", ""]);
    // A zero transfer that imitates has both flags.
    expect(reasons([paid(1), into(2, DOLLAR, { peer: FAKE, amount: 0n })])).toEqual([
      "",
      "zero_value_transfer,lookalike_peer",
    ]);
  });
});

test("a token's spam name flags all its movements, the wallet's own too; fees, tips and rent are never flagged", () => {
  const words = { [TOKEN]: ["url_in_name" as const], "": ["url_in_name" as const] };
  expect(
    reasons(
      [
        into(1, TOKEN),
        out(2, TOKEN, { is_own: true }),
        at(2, { direction: -1, kind: "fee", position: 1, is_own: true }),
      ],
      { words },
    ),
  ).toEqual(["url_in_name", "url_in_name", ""]);
  expect(reasons([into(1, TOKEN, { peer: addressOf(3) })], { receivers: () => 101 })).toEqual(["mass_airdrop"]);
  expect(reasons([into(1, DOLLAR)], { receivers: () => 101 })).toEqual([""]);
});
