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
  const WINDOW_S = 30 * DAY_S;
  /** Half a dollar: less than a real counterparty sends. */
  const dust = (block: number, more: Partial<MovementRow> = {}) =>
    at(block, { direction: 1, kind: "native", peer: FAKE, amount: 1n, ...more });
  const poison = (rows: readonly MovementRow[], known: Parameters<typeof historyOf>[1] = {}) =>
    reasons(rows, { prices: { [DOLLAR]: 1, "": 0.5 }, ...known });

  test("is flagged within thirty days of the real one, and not before it or later", () => {
    expect(poison([paid(1), dust(5, { time: 60 })])).toEqual(["", "lookalike_peer"]);
    expect(poison([paid(1), dust(5, { time: 12 + WINDOW_S })])).toEqual(["", "lookalike_peer"]);
    expect(poison([paid(1), dust(5, { time: 13 + WINDOW_S })])).toEqual(["", ""]);
    expect(poison([dust(1), { ...paid(9), time: 108 }])).toEqual(["", ""]);
  });

  test("shares three and four characters, or two and six, and the real one stays real when it moves again", () => {
    const peers: readonly (readonly [string, boolean])[] = [
      [`abc${"2".repeat(33)}4321`, true],
      [`ab${"2".repeat(32)}114321`, true],
      [`ab${"2".repeat(34)}4321`, false],
      [`abc${"2".repeat(34)}321`, false],
      [`abcd${"f".repeat(36)}`, false],
    ];
    for (const [text, is_alike] of peers) {
      expect(poison([paid(1), dust(5, { peer: hex(text) })]), text).toEqual(["", is_alike ? "lookalike_peer" : ""]);
    }
    expect(poison([paid(1), dust(5), dust(6, { peer: FRIEND })])).toEqual(["", "lookalike_peer", ""]);
  });

  test("is also compared with rows before the window", () => {
    expect(poison([paid(1), dust(5)], { from: 40 })).toEqual(["", "lookalike_peer"]);
  });

  test("imitates a real peer: one that the wallet paid, or one that moved a dollar", () => {
    const got = (amount: bigint) => at(1, { direction: 1, kind: "erc20", token: DOLLAR, peer: FRIEND, amount });
    expect(poison([got(1n), dust(5)])).toEqual(["", "lookalike_peer"]);
    expect(poison([got(0n), dust(5)])).toEqual(["zero_value_transfer", ""]);
    expect(poison([into(1, TOKEN, { peer: FRIEND }), dust(5)])).toEqual(["", ""]);
  });

  test("lures with nothing of worth; a payment is no lure, and a peer that was real before no poisoner", () => {
    const zero = into(2, DOLLAR, { peer: FAKE, amount: 0n });
    expect(poison([paid(1), zero])).toEqual(["", "zero_value_transfer,lookalike_peer"]);
    expect(poison([paid(1), out(2, DOLLAR, { peer: FAKE, amount: 0n })])).toEqual([
      "",
      "zero_value_transfer,lookalike_peer",
    ]);
    expect(poison([paid(1), into(2, TOKEN, { peer: FAKE })])).toEqual(["", "lookalike_peer"]);
    expect(poison([paid(1), into(2, DOLLAR, { peer: FAKE, amount: 1n })])).toEqual(["", ""]);
    expect(poison([paid(1, { peer: FAKE }), paid(2), zero])).toEqual(["", "", "zero_value_transfer"]);
    // A payment in error makes no counterparty of it.
    expect(poison([paid(1), dust(2), paid(3, { peer: FAKE }), dust(4)])).toEqual([
      ...["", "lookalike_peer", "", "lookalike_peer"],
    ]);
  });

  test("is compared as it is written, with a confidence by lure and shared characters", () => {
    // Bytes that share nothing, written alike.
    const written: Readonly<Record<string, string>> = { [FRIEND]: "QxyAAAAAAAAwxyz", [FAKE]: "QxyBBBBBBBBwxyz" };
    const other = hex("12".repeat(20));
    const writtenAs = (peer: Hex): string => written[peer] ?? peer;
    const rows = [paid(1), dust(2), dust(3, { peer: other })];
    expect(poison(rows, { writtenAs })).toEqual(["", "lookalike_peer", ""]);
    const { imitations } = historyOf(rows, { prices: { "": 0.5 }, writtenAs });
    // Seven shared characters and dust.
    expect([...imitations]).toEqual([[FAKE, { imitates: FRIEND, confidence: 0.9 }]]);
    // abcd…4321: eight, so half of the doubt of a zero transfer (0.05) is left.
    const zero = historyOf([paid(1), into(2, DOLLAR, { peer: FAKE, amount: 0n })], { prices: { [DOLLAR]: 1 } });
    expect(zero.imitations.get(FAKE)).toEqual({ imitates: FRIEND, confidence: 0.975 });
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
