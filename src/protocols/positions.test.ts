import { expect, test } from "vitest";
import { ALICE, BOB, factsOf, type LogCase, logOf } from "../../test/sample_logs.ts";
import { PROTOCOLS } from "./index.ts";

const ASSET = "0a".repeat(20);
const VAULT_DEPOSIT = "Deposit(address,address,uint256,uint256)";
const VAULT_WITHDRAW = "Withdraw(address,address,address,uint256,uint256)";
const V2_DEPOSIT = "Deposit(address,address,address,uint256,uint16)";
const V3_SUPPLY = "Supply(address,address,address,uint256,uint16)";
const WITHDRAW = "Withdraw(address,address,address,uint256)";
const V2_BORROW = "Borrow(address,address,address,uint256,uint256,uint256,uint16)";
const V3_BORROW = "Borrow(address,address,address,uint256,uint8,uint256,uint16)";
const V2_REPAY = "Repay(address,address,address,uint256)";
const V3_REPAY = "Repay(address,address,address,uint256,bool)";
const INCREASE = "IncreaseLiquidity(uint256,uint128,uint256,uint256)";
const DECREASE = "DecreaseLiquidity(uint256,uint128,uint256,uint256)";
const COLLECT = "Collect(uint256,address,uint256,uint256)";

const position = { fact: "position", asset: null, position_id: null, amount1: 0n, liquidity: 0n };
const loan = { ...position, account: BOB, asset: ASSET, amount0: 50n };
const nft = { ...position, account: "", position_id: 7n, amount0: 10n, amount1: 20n };

/** alice acts, the position is bob's. */
const cases: readonly LogCase[] = [
  {
    name: "vault_deposit",
    log: logOf(VAULT_DEPOSIT, [ALICE, BOB], [100, 80]),
    facts: [{ ...position, kind: "vault_deposit", account: BOB, amount0: 100n, liquidity: 80n }],
    near_miss: logOf(VAULT_DEPOSIT, [ALICE], [BOB, 100, 80]),
  },
  {
    name: "vault_withdraw",
    log: logOf(VAULT_WITHDRAW, [ALICE, ALICE, BOB], [100, 80]),
    facts: [{ ...position, kind: "vault_withdraw", account: BOB, amount0: 100n, liquidity: 80n }],
    near_miss: logOf(VAULT_WITHDRAW, [ALICE, BOB], [ALICE, 100, 80]),
  },
  {
    name: "aave_v2_deposit",
    log: logOf(V2_DEPOSIT, [ASSET, BOB, 0], [ALICE, 50]),
    facts: [{ ...loan, kind: "lend" }],
    near_miss: logOf(V2_DEPOSIT, [ASSET, BOB], [ALICE, 50, 0]),
  },
  {
    name: "aave_v3_supply",
    log: logOf(V3_SUPPLY, [ASSET, BOB, 0], [ALICE, 50]),
    facts: [{ ...loan, kind: "lend" }],
    near_miss: logOf(V3_SUPPLY, [ASSET, BOB, 0], [ALICE]),
  },
  {
    name: "aave_withdraw",
    log: logOf(WITHDRAW, [ASSET, BOB, ALICE], [50]),
    facts: [{ ...loan, kind: "unlend" }],
    near_miss: logOf(WITHDRAW, [ASSET, BOB], [ALICE, 50]),
  },
  {
    name: "aave_v2_borrow",
    log: logOf(V2_BORROW, [ASSET, BOB, 0], [ALICE, 50, 2, 1]),
    facts: [{ ...loan, kind: "borrow" }],
    near_miss: logOf(V2_BORROW, [ASSET, BOB, 0], [ALICE, 50, 2]),
  },
  {
    name: "aave_v3_borrow",
    log: logOf(V3_BORROW, [ASSET, BOB, 0], [ALICE, 50, 2, 1]),
    facts: [{ ...loan, kind: "borrow" }],
    near_miss: logOf(V3_BORROW, [ASSET, BOB], [ALICE, 50, 2, 1, 0]),
  },
  {
    name: "aave_v2_repay",
    log: logOf(V2_REPAY, [ASSET, BOB, ALICE], [50]),
    facts: [{ ...loan, kind: "repay" }],
    near_miss: logOf(V2_REPAY, [ASSET, BOB, ALICE], []),
  },
  {
    name: "aave_v3_repay",
    log: logOf(V3_REPAY, [ASSET, BOB, ALICE], [50, 0]),
    facts: [{ ...loan, kind: "repay" }],
    near_miss: logOf(V3_REPAY, [ASSET, BOB, ALICE], [50]),
  },
  {
    name: "position_increase",
    log: logOf(INCREASE, [7], [300, 10, 20]),
    facts: [{ ...nft, kind: "increase", liquidity: 300n }],
    near_miss: logOf(INCREASE, [7], [300, 10]),
  },
  {
    name: "position_decrease",
    log: logOf(DECREASE, [7], [300, 10, 20]),
    facts: [{ ...nft, kind: "decrease", liquidity: 300n }],
    near_miss: logOf(DECREASE, [], [7, 300, 10, 20]),
  },
  {
    name: "position_collect",
    log: logOf(COLLECT, [7], [ALICE, 10, 20]),
    facts: [{ ...nft, kind: "collect" }],
    near_miss: logOf(COLLECT, [7], [ALICE, 10]),
  },
];

test.each(cases)("$name: a true log says exactly this", ({ log, facts }) => {
  expect(factsOf(log)).toEqual(facts);
});

test.each(cases)("$name: a near miss says nothing", ({ near_miss }) => {
  expect(factsOf(near_miss)).toEqual([]);
});

test("every position event that is decoded has a case here", () => {
  const names = new Set(cases.map(({ name }) => name));
  const here = PROTOCOLS.filter(({ name }) => /^(vault|aave|position)_/.test(name)).map(({ name }) => name);
  expect(here.filter((name) => !names.has(name))).toEqual([]);
  expect(here).toHaveLength(12);
});
