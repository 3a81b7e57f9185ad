/** Whose act a transaction is, and which way it goes, where a word alone misleads: one rule each, figures by hand. */
import { expect, test } from "vitest";
import { caseOf, emitted, moved, OTHER, POOL, ROUTER, TOKEN, VAULT, WETH } from "../../../../test/headline_cases.ts";
import { ALICE, BOB, bytes, logOf, ZERO_ADDRESS } from "../../../../test/sample_logs.ts";
import type { EventLog, InternalCall } from "../../../chains/chain.ts";
import { ADDRESSES, INTERFACES } from "../../../knowledge/names.gen.ts";
import { headlineOf } from "./headline.ts";

const COIN = ADDRESSES.polygon_coin;
/** Polygon's coin logs it at the end of every transaction. */
const feeLog = (index: number): EventLog =>
  emitted(COIN, index, logOf(INTERFACES.polygon_coin.LogFeeTransfer, [COIN, ALICE, BOB], [1, 9, 9, 8, 10]));
const polygon = (address: string) =>
  address === COIN ? ({ name: "Polygon", version: null, role: "bridge" } as const) : null;

test("the log of the fee is no bridge: a token sent on Polygon is a transfer", () => {
  const input = bytes(`a9059cbb${BOB.padStart(64, "0")}${"4".padStart(64, "0")}`);
  const logs = [moved(TOKEN, [ALICE, BOB, 4], 0), feeLog(1)];
  const sent = caseOf({ recipient: bytes(TOKEN), input, logs });
  expect(headlineOf({ ...sent, name: polygon })).toMatchObject({ type: "transfer", actor: ALICE });
  const got = caseOf({ logs: [moved(TOKEN, [VAULT, ALICE, 4], 0), feeLog(1)] });
  expect(headlineOf({ ...got, name: polygon })).toBeNull();
});

test("coins that the network makes arrive over its bridge", () => {
  const arrived = caseOf({ minted: 7n, value: 7n, recipient: bytes(BOB), input: bytes("") });
  expect(headlineOf(arrived)).toMatchObject({ type: "bridge_in", actor: BOB, received: [{ token: "", amount: 7n }] });
  const kept = caseOf({ minted: 7n, value: 7n, recipient: bytes(ALICE), input: bytes("") });
  expect(headlineOf(kept)).toMatchObject({ type: "bridge_in", actor: ALICE, given: [], received: [{ amount: 7n }] });
});

test("a payout belongs to its receiver, not to the sender with a smaller part", () => {
  const paid = [moved(TOKEN, [VAULT, ALICE, 1], 0), moved(TOKEN, [VAULT, BOB, 99], 1)];
  const claimed = emitted(VAULT, 2, logOf("RewardPaid(address,uint256)", [BOB], [100]));
  expect(headlineOf(caseOf({ logs: [...paid, claimed] }))).toMatchObject({ type: "claim_reward", actor: BOB });
  const own = emitted(VAULT, 2, logOf("RewardPaid(address,uint256)", [ALICE], [1]));
  expect(headlineOf(caseOf({ logs: [...paid, own] }))).toMatchObject({ type: "claim_reward", actor: ALICE });
});

test("an order is the act of its signer, even if the sender fills it with tokens of its own", () => {
  const logs = [
    moved(TOKEN, [BOB, ALICE, 40], 0),
    moved(OTHER, [ALICE, BOB, 30], 1),
    emitted(ROUTER, 2, logOf(INTERFACES.uniswapx.Fill, ["77".repeat(32), ALICE, BOB], [5])),
  ];
  expect(headlineOf(caseOf({ logs }))).toMatchObject({
    ...{ type: "swap", actor: BOB },
    given: [{ token: TOKEN, amount: 40n }],
    received: [{ token: OTHER, amount: 30n }],
  });
});

test("a vote belongs to the voter, not to the account that brings its signature", () => {
  const cast = (voter: string) =>
    emitted(ROUTER, 0, logOf("VoteCast(address,uint256,bool,uint256)", [], [voter, 3, 1, 9]));
  expect(headlineOf(caseOf({ logs: [cast(ALICE)] }))).toMatchObject({ type: "vote", actor: ALICE });
  expect(headlineOf(caseOf({ logs: [cast(BOB)] }))).toMatchObject({ type: "vote", actor: BOB });
});

test("a loan outweighs the deposit of its collateral in a vault", () => {
  const deposit = emitted(VAULT, 2, logOf("Deposit(address,address,uint256,uint256)", [ALICE, ALICE], [9, 8]));
  const made = [moved(TOKEN, [ALICE, VAULT, 9], 0), moved(VAULT, [ZERO_ADDRESS, ALICE, 8], 1), deposit];
  expect(headlineOf(caseOf({ logs: made }))).toMatchObject({ type: "deposit", actor: ALICE });
  const lent = [moved(OTHER, [POOL, ALICE, 5], 3), emitted(POOL, 4, logOf("Borrow(address,uint256)", [ALICE], [5]))];
  expect(headlineOf(caseOf({ logs: [...made, ...lent] }))).toMatchObject({ type: "borrow", actor: ALICE });
});

test("shares of a vault that holds shares of a pool are a deposit, shares of the pool are liquidity", () => {
  const add = logOf("AddLiquidity(address,uint256[2],uint256[2],uint256,uint256)", [ALICE], [9, 0, 1, 1, 1, 1]);
  const put = moved(TOKEN, [ALICE, POOL, 9], 0);
  const direct = [put, moved(POOL, [ZERO_ADDRESS, ALICE, 8], 1), emitted(POOL, 2, add)];
  expect(headlineOf(caseOf({ logs: direct }))).toMatchObject({ type: "add_liquidity", actor: ALICE });
  const held = [moved(POOL, [ROUTER, VAULT, 8], 3), moved(VAULT, [ZERO_ADDRESS, ALICE, 7], 4)];
  const through = [put, moved(POOL, [ZERO_ADDRESS, ROUTER, 8], 1), emitted(POOL, 2, add), ...held];
  expect(headlineOf(caseOf({ logs: through }))).toMatchObject({ type: "deposit", actor: ALICE });
});

test("without traces, destroyed shares are no request: their payment may have been coins", () => {
  const told = caseOf({
    logs: [
      moved(VAULT, [ALICE, ZERO_ADDRESS, 5], 0),
      emitted(VAULT, 1, logOf("Withdraw(address,uint256)", [ALICE], [5])),
    ],
  });
  expect(headlineOf(told)).toMatchObject({ type: "queue_withdrawal" });
  expect(headlineOf({ ...told, is_untraced: true })).toBeNull();
});

test("NFTs made by the called contract for coins are minted, whatever the word", () => {
  const word = emitted(
    VAULT,
    1,
    logOf("TokensClaimed(uint256,address,address,uint256,uint256)", ["1", ALICE, ALICE], [3, 1]),
  );
  const piece = emitted(VAULT, 0, logOf("Transfer(address,address,uint256)", [ZERO_ADDRESS, ALICE, 3], []));
  const logs = [piece, word];
  expect(headlineOf(caseOf({ recipient: bytes(VAULT), value: 2n, logs }))).toMatchObject({
    type: "mint",
    actor: ALICE,
  });
});

test("coins passed on to several accounts are sent, coins passed to one have no headline", () => {
  const passed = (to: string): InternalCall => ({
    ...{ sender: bytes(ROUTER), recipient: bytes(to), value: 2n },
    ...{ kind: "call", init_hash: null, code_hash: null },
  });
  const calls = [BOB, "c4".repeat(20)].map(passed);
  expect(headlineOf(caseOf({ value: 4n, calls }))).toMatchObject({ type: "transfer", given: [{ amount: 4n }] });
  expect(headlineOf(caseOf({ value: 2n, calls: calls.slice(0, 1) }))).toBeNull();
});

test("an exchange with the called contract is a swap when one of its events states both amounts", () => {
  const moves = [moved(TOKEN, [ALICE, ROUTER, 40], 0), moved(OTHER, [ROUTER, ALICE, 30], 1)];
  const stated = emitted(ROUTER, 2, logOf("Foo(uint256,uint256)", [], [40, 30]));
  expect(headlineOf(caseOf({ logs: [...moves, stated] }))).toMatchObject({ type: "swap", actor: ALICE });
  const half = emitted(ROUTER, 2, logOf("Foo(uint256,uint256)", [], [40, 31]));
  expect(headlineOf(caseOf({ logs: [...moves, half] }))).toBeNull();
});

test("a dollar made for another asset is lent, a dollar made for a dollar is no deposit", () => {
  const made = [moved(TOKEN, [ALICE, POOL, 3], 0), moved(OTHER, [ZERO_ADDRESS, ALICE, 50], 1)];
  const told = caseOf({ logs: made });
  expect(headlineOf({ ...told, is_dollar: (token) => token === OTHER })).toMatchObject({ type: "borrow" });
  const even = caseOf({ logs: [moved(TOKEN, [ALICE, POOL, 3], 0), moved(OTHER, [ZERO_ADDRESS, ALICE, 3], 1)] });
  expect(headlineOf({ ...even, is_dollar: (token) => token === TOKEN })).toBeNull();
  expect(headlineOf({ ...even, wrapped_native: WETH })).toBeNull();
});
