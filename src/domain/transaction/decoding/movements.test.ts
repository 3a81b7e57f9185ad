import { expect, test } from "vitest";
import { bareTransaction } from "../../../../test/activity_scenario.ts";
import { ALICE, BOB, bytes, logOf, ZERO_ADDRESS } from "../../../../test/sample_logs.ts";
import type { EventLog } from "../../../chains/chain.ts";
import { type Hex, hex, toHex } from "../../../lib/bytes.ts";
import { movementsOf, netChanges } from "./movements.ts";

const TRANSFER = "Transfer(address,address,uint256)";
const DEPOSIT = "Deposit(address,uint256)";
const token = hex("ee".repeat(20));
const other = bytes("cc".repeat(20));

test("value, inner calls and tokens are in order of execution", () => {
  const transaction = bareTransaction({
    value: 5n,
    calls: [
      { kind: "call", sender: bytes(BOB), recipient: other, value: 3n, init_hash: null, code_hash: null },
      { kind: "create", sender: bytes(BOB), recipient: other, value: 0n, init_hash: null, code_hash: null },
    ],
    logs: [logOf(TRANSFER, [ALICE, BOB], [7])],
  });
  expect(movementsOf(transaction, { wrapped_native: null }).map(({ kind, amount }) => [kind, amount])).toEqual([
    ["native", 5n],
    ["internal", 3n],
    ["erc20", 7n],
  ]);
});

test("nothing moved in a transaction that failed", () => {
  const transaction = bareTransaction({ value: 5n, succeeded: false, logs: [logOf(TRANSFER, [ALICE, BOB], [7])] });
  expect(movementsOf(transaction, { wrapped_native: null })).toEqual([]);
});

test("a wrap counts only from the network's own wrapped coin, and once beside its Transfer", () => {
  const deposit = logOf(DEPOSIT, [ALICE], [9]);
  const minted = { ...logOf(TRANSFER, [ZERO_ADDRESS, ALICE], [9]), index: 1 };
  const kinds = (logs: readonly EventLog[], wrapped: Hex | null) =>
    movementsOf(bareTransaction({ logs }), { wrapped_native: wrapped }).map(({ kind }) => kind);
  expect(kinds([deposit], token)).toEqual(["wrap"]);
  expect(kinds([deposit], hex("ab".repeat(20)))).toEqual([]);
  expect(kinds([deposit], null)).toEqual([]);
  expect(kinds([minted, deposit], token)).toEqual(["erc20"]);
  // Two deposits and one Transfer: one of the deposits is reported by the Transfer alone.
  expect(kinds([deposit, minted, { ...deposit, index: 2 }], token)).toEqual(["erc20", "wrap"]);
});

test("net changes add up to nothing between addresses, and a round trip is no change", () => {
  const logs = [
    logOf(TRANSFER, [ALICE, BOB], [10]),
    logOf(TRANSFER, [BOB, ALICE], [4]),
    logOf(TRANSFER, [BOB, toHex(other)], [6]),
    // Out of the void: only the receiver is listed.
    logOf(TRANSFER, [ZERO_ADDRESS, ALICE], [1]),
  ];
  // alice -10 + 4 + 1, bob +10 - 4 - 6, the other +6.
  expect(netChanges(movementsOf(bareTransaction({ logs }), { wrapped_native: null }))).toEqual([
    { address: ALICE, token, token_id: null, amount: -5n },
    { address: toHex(other), token, token_id: null, amount: 6n },
  ]);
});

test("two NFTs of one collection are two holdings", () => {
  const logs = [logOf(TRANSFER, [ALICE, BOB, 1], []), logOf(TRANSFER, [BOB, ALICE, 2], [])];
  expect(netChanges(movementsOf(bareTransaction({ logs }), { wrapped_native: null }))).toMatchObject([
    { address: ALICE, token_id: 1n, amount: -1n },
    { address: BOB, token_id: 1n, amount: 1n },
    { address: BOB, token_id: 2n, amount: -1n },
    { address: ALICE, token_id: 2n, amount: 1n },
  ]);
});
