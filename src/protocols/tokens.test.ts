import { expect, test } from "vitest";
import { ALICE, BOB, factsOf, type LogCase, logOf, ZERO_ADDRESS } from "../../test/sample_logs.ts";
import { PROTOCOLS } from "./index.ts";

const TRANSFER = "Transfer(address,address,uint256)";
const SINGLE = "TransferSingle(address,address,address,uint256,uint256)";
const BATCH = "TransferBatch(address,address,address,uint256[],uint256[])";
const APPROVAL = "Approval(address,address,uint256)";
const transfer = { fact: "transfer", token_id: 0n };

const cases: readonly LogCase[] = [
  {
    name: "erc20",
    log: logOf(TRANSFER, [ALICE, BOB], [5]),
    facts: [{ ...transfer, kind: "erc20", source: ALICE, destination: BOB, amount: 5n }],
    near_miss: logOf(TRANSFER, [ALICE], [BOB, 5]),
  },
  {
    name: "bare_transfer", // CryptoKitties: nothing indexed
    log: logOf(TRANSFER, [], [ZERO_ADDRESS, BOB, 5]),
    facts: [{ ...transfer, kind: "erc20", source: "", destination: BOB, amount: 5n, is_bare: true }],
    near_miss: logOf(TRANSFER, [], [ALICE, BOB, 5, 0]),
  },
  {
    name: "erc20 mint of the largest amount",
    log: logOf(TRANSFER, [ZERO_ADDRESS, BOB], [-1]),
    facts: [{ ...transfer, kind: "erc20", source: "", destination: BOB, amount: 2n ** 256n - 1n }],
    near_miss: logOf("Transfer(address,address,uint128)", [ZERO_ADDRESS, BOB], [1]),
  },
  {
    name: "erc721",
    log: logOf(TRANSFER, [ALICE, ZERO_ADDRESS, 7], []),
    facts: [{ ...transfer, kind: "erc721", token_id: 7n, source: ALICE, destination: "", amount: 1n }],
    near_miss: logOf(TRANSFER, [ALICE, BOB, 7], [7]),
  },
  {
    name: "erc1155_single",
    log: logOf(SINGLE, [BOB, ZERO_ADDRESS, ALICE], [9, 3]),
    facts: [{ ...transfer, kind: "erc1155", token_id: 9n, source: "", destination: ALICE, amount: 3n }],
    near_miss: logOf(SINGLE, [BOB, ZERO_ADDRESS, ALICE], [9, 3, 0]),
  },
  {
    name: "erc1155_batch",
    log: logOf(BATCH, [BOB, ALICE, BOB], [64, 160, 2, 11, 12, 2, 100, 200]),
    facts: [
      { ...transfer, kind: "erc1155", token_id: 11n, source: ALICE, destination: BOB, amount: 100n },
      { ...transfer, kind: "erc1155", token_id: 12n, source: ALICE, destination: BOB, amount: 200n },
    ],
    near_miss: logOf(BATCH, [BOB, ALICE, BOB], [64, 160, 2, 11, 12, 1, 100]), // two ids, one amount
  },
  {
    name: "weth_deposit",
    log: logOf("Deposit(address,uint256)", [ALICE], [4]),
    facts: [{ ...transfer, kind: "wrap", source: "", destination: ALICE, amount: 4n }],
    near_miss: logOf("Deposit(address,uint256)", [], [ALICE, 4]), // seen on mainnet: a vault's own Deposit
  },
  {
    name: "weth_withdrawal",
    log: logOf("Withdrawal(address,uint256)", [ALICE], [4]),
    facts: [{ ...transfer, kind: "wrap", source: ALICE, destination: "", amount: 4n }],
    near_miss: logOf("Withdrawal(address,uint256)", [ALICE, 4], []),
  },
  {
    name: "destroyed_black_funds",
    log: logOf("DestroyedBlackFunds(address,uint256)", [], [ALICE, 4]),
    facts: [{ fact: "destruction", holder: ALICE, amount: 4n }],
    near_miss: logOf("DestroyedBlackFunds(address,uint256)", [ALICE], [4]), // a fork that indexes the holder
  },
  {
    name: "tether_issue",
    log: logOf("Issue(uint256)", [], [7]),
    facts: [{ fact: "owner_supply" }],
    near_miss: logOf("Issue(uint256)", [7], []),
  },
  {
    name: "tether_redeem",
    log: logOf("Redeem(uint256)", [], [7]),
    facts: [{ fact: "owner_supply" }],
    near_miss: logOf("Redeem(uint256)", [], [7, 8]),
  },
  {
    name: "ownership_transferred",
    log: logOf("OwnershipTransferred(address,address)", [ALICE, ZERO_ADDRESS], []),
    facts: [{ fact: "ownership", kind: "ownership", previous: ALICE, current: "" }],
    near_miss: logOf("OwnershipTransferred(address,address)", [], [ALICE, ZERO_ADDRESS]),
  },
  {
    name: "upgraded",
    log: logOf("Upgraded(address)", [BOB], []),
    facts: [{ fact: "ownership", kind: "implementation", previous: "", current: BOB }],
    near_miss: logOf("Upgraded(address)", [], [BOB]),
  },
  {
    name: "admin_changed",
    log: logOf("AdminChanged(address,address)", [], [ALICE, BOB]),
    facts: [{ fact: "ownership", kind: "admin", previous: ALICE, current: BOB }],
    near_miss: logOf("AdminChanged(address,address)", [ALICE, BOB], []),
  },
  {
    name: "beacon_upgraded",
    log: logOf("BeaconUpgraded(address)", [BOB], []),
    facts: [{ fact: "ownership", kind: "beacon", previous: "", current: BOB }],
    near_miss: logOf("BeaconUpgraded(address)", [], [BOB]),
  },
  {
    name: "erc20_approval",
    log: logOf(APPROVAL, [ALICE, BOB], [-1]),
    facts: [{ fact: "approval", kind: "erc20", owner: ALICE, spender: BOB, amount: 2n ** 256n - 1n }],
    near_miss: logOf(APPROVAL, [ALICE], [BOB, 1]),
  },
  {
    name: "erc721_approval",
    log: logOf(APPROVAL, [ALICE, ZERO_ADDRESS, 7], []),
    facts: [{ fact: "approval", kind: "erc721", owner: ALICE, spender: "", amount: 7n }],
    near_miss: logOf(APPROVAL, [ALICE, BOB, 7], [7]),
  },
  {
    name: "approval_for_all",
    log: logOf("ApprovalForAll(address,address,bool)", [ALICE, BOB], [1]),
    facts: [{ fact: "approval", kind: "for_all", owner: ALICE, spender: BOB, amount: 1n }],
    near_miss: logOf("ApprovalForAll(address,address,bool)", [ALICE, BOB, 1], []),
  },
];

test.each(cases)("$name: a true log says exactly this", ({ log, facts }) => {
  expect(factsOf(log)).toEqual(facts);
});

test.each(cases)("$name: a near miss says nothing", ({ near_miss }) => {
  expect(factsOf(near_miss)).toEqual([]);
});

test("every token and ownership event that is decoded has a case here", () => {
  const names = new Set(cases.map(({ name }) => name));
  const here = PROTOCOLS.filter(
    ({ name }) =>
      !/^(justlend|uniswap|pancake|solidly|slipstream|algebra|infinity|liquidity_book|balancer|curve|vault|aave|position)/.test(
        name,
      ),
  ).map(({ name }) => name);
  expect(here.filter((name) => !names.has(name))).toEqual([]);
});
