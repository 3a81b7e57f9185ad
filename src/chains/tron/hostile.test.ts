import { expect, test } from "vitest";
import { blockOf, sun, type TronJson, transactionOf } from "../../demo/tron/shapes.ts";
import { BadAnswer } from "../node/answer.ts";
import { needsSeveralKeys, readResources, stakedIn } from "./account.ts";
import { readBlock } from "./blocks.ts";

const ALICE = `41${"a1".repeat(20)}`;
const BOB = `41${"b0".repeat(20)}`;
const NUMBER = 70_000_000;
const TIME_MS = 1_757_590_707_000;

const contract = (type: string, value: TronJson, seed: string) =>
  transactionOf(
    { type, value: { owner_address: ALICE, ...value }, time_ms: TIME_MS, seed: seed.repeat(64) },
    "SUCCESS",
  );

const transactions = [
  contract("TransferContract", { to_address: BOB, amount: 5 }, "1"),
  contract("TransferAssetContract", { to_address: BOB, asset_name: "31303030303031", amount: sun(2n ** 60n) }, "2"),
  contract(
    "TriggerSmartContract",
    { contract_address: BOB, data: "a9059cbb", call_token_value: 3, token_id: 1_000_001 },
    "3",
  ),
  contract(
    "ExchangeCreateContract",
    { first_token_id: "5f", first_token_balance: 7, second_token_id: "31", second_token_balance: 8 },
    "4",
  ),
];

const infos = transactions.map(
  (transaction, i): TronJson => ({
    id: transaction.txID,
    fee: 1_000,
    blockNumber: NUMBER,
    receipt: { energy_usage_total: 100, result: i === 2 ? "SUCCESS" : undefined },
    log: [{ address: BOB.slice(2), topics: ["dd".repeat(32)], data: "00" }],
    internal_transactions: [
      {
        caller_address: BOB,
        transferTo_address: ALICE,
        callValueInfo: [{ callValue: 9 }, { callValue: 2, tokenId: "1000001" }],
        note: "63616c6c",
      },
    ],
  }),
);

const honest = (): { block: TronJson; infos: readonly TronJson[] } =>
  JSON.parse(
    JSON.stringify({
      block: blockOf({ number: NUMBER, time_ms: TIME_MS, parent_id: "ab".repeat(32), transactions }),
      infos,
    }).replaceAll("int64:", ""),
  );

const reading = { number: NUMBER, has_inner: true, verify: "full" } as const;

/** Every position in a tree, as the list of names that leads to it. */
const placesOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value !== "object" || value === null
    ? [path]
    : [path, ...Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))];

const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  -1,
  1.5,
  2 ** 53,
  "",
  "zz",
  "9".repeat(40),
  "constructor",
  [],
  [[]],
  {},
  { __proto__: null },
  true,
  "41",
];

/** The tree with one value replaced. */
const changed = (path: readonly string[], value: unknown): unknown => {
  const tree: unknown = honest();
  let at = tree;
  for (const step of path.slice(0, -1)) at = Reflect.get(at as object, step);
  Reflect.set(at as object, path.at(-1) ?? "", value);
  return tree;
};

test("reads an honest block, with the movements of TRC-10 and exchanges", () => {
  const { transactions: read, has_traces } = readBlock(honest(), reading).block;
  expect(has_traces).toBe(true);
  // The token of the second, the token value of the third, both sides of the fourth; each has an inner TRC-10 payment.
  expect(read.map(({ moves }) => moves?.map(({ kind, amount }) => `${kind} ${amount}`))).toEqual([
    ["trc10 2"],
    ["trc10 1152921504606846976", "trc10 2"],
    ["trc10 3", "trc10 2"],
    ["native 7", "trc10 8", "trc10 2"],
  ]);
});

test("whatever a node puts in any position, the block is read or rejected as a bad answer", () => {
  const places = placesOf(honest()).filter((path) => path.length > 0);
  let refused = 0;
  for (const path of places) {
    for (const value of HOSTILE) {
      // `changed` returns a tree of the same two members.
      const raw = changed(path, value) as { block: unknown; infos: unknown };
      try {
        readBlock(raw, reading);
      } catch (error) {
        expect(error, `${path.join(".")} = ${JSON.stringify(value)}`).toBeInstanceOf(BadAnswer);
        refused += 1;
      }
    }
  }
  expect(refused).toBeGreaterThan(1_000);
});

const ACCOUNT: TronJson = {
  address: ALICE,
  balance: 7,
  frozenV2: [{}, { amount: 5 }, { type: "ENERGY", amount: 3 }, { amount: 2 }, { type: "TRON_POWER" }],
  owner_permission: { permission_name: "owner", threshold: 2, keys: [{ address: BOB, weight: 1 }] },
  active_permission: [
    {
      type: "Active",
      id: 2,
      permission_name: "pay\u202e",
      threshold: 1,
      operations: "7f",
      keys: [{ address: BOB, weight: 1 }],
    },
  ],
};
/** The caller pays 30 percent. */
const CONTRACT: TronJson = { smart_contract: { consume_user_resource_percent: 30 }, runtimecode: "00" };
const USED: TronJson = { freeNetUsed: 5, freeNetLimit: 600, NetLimit: 9, EnergyLimit: 4, EnergyUsed: 1 };

test("an account's stakes are added up by resource, and its texts are cleaned", () => {
  const read = readResources({ account: ACCOUNT, used: USED, contract: CONTRACT });
  // Bandwidth is the resource without a name: 5 + 2. Zeros are omitted.
  expect(read.frozen_v2).toEqual([
    { resource: "bandwidth", amount: 7n },
    { resource: "energy", amount: 3n },
  ]);
  expect(read.bandwidth).toEqual({ free_limit: 600, free_used: 5, staked_limit: 9, staked_used: 0 });
  expect(read.caller_energy_percent).toBe(30);
  expect(read.active_permissions).toMatchObject([{ id: 2, name: "pay", threshold: 1, operations: "7f" }]);
  // One key of weight 1 does not reach 2.
  expect(needsSeveralKeys(read)).toBe(true);
  expect(needsSeveralKeys({ ...read, owner_permission: null })).toBe(false);
});

test("counts stakes for the account itself and for others, also while they are being withdrawn", () => {
  // 5 + 3 + 2 staked; 11 ended; 1 and 4 of the first kind of stakes; 20 + 30 + 40 + 50 delegated.
  const account = {
    ...ACCOUNT,
    unfrozenV2: [{ unfreeze_amount: 11, unfreeze_expire_time: 9 }],
    frozen: [{ frozen_balance: 1, expire_time: 9 }],
    delegated_frozenV2_balance_for_bandwidth: 20,
    delegated_frozen_balance_for_bandwidth: 30,
    account_resource: {
      frozen_balance_for_energy: { frozen_balance: 4, expire_time: 9 },
      delegated_frozenV2_balance_for_energy: 40,
      delegated_frozen_balance_for_energy: 50,
    },
  };
  expect(stakedIn(account)).toBe(10n + 11n + 1n + 4n + 140n);
  expect(stakedIn({ balance: 7 })).toBe(0n);
  for (const path of placesOf(account).filter((steps) => steps.length > 0)) {
    for (const value of HOSTILE) {
      const raw = structuredClone(account);
      let at: object = raw;
      for (const step of path.slice(0, -1)) at = Reflect.get(at, step);
      Reflect.set(at, path.at(-1) ?? "", value);
      try {
        stakedIn(raw);
      } catch (error) {
        expect(error, `${path.join(".")} = ${JSON.stringify(value)}`).toBeInstanceOf(BadAnswer);
      }
    }
  }
});

test("for any answer about an account, it is read or rejected as a bad answer", () => {
  const places = placesOf({ account: ACCOUNT, used: USED, contract: CONTRACT }).filter((path) => path.length > 1);
  let refused = 0;
  for (const path of places) {
    for (const value of HOSTILE) {
      const raw = structuredClone({ account: ACCOUNT, used: USED, contract: CONTRACT });
      let at: object = raw;
      for (const step of path.slice(0, -1)) at = Reflect.get(at, step);
      Reflect.set(at, path.at(-1) ?? "", value);
      try {
        readResources(raw);
      } catch (error) {
        expect(error, `${path.join(".")} = ${JSON.stringify(value)}`).toBeInstanceOf(BadAnswer);
        refused += 1;
      }
    }
  }
  expect(refused).toBeGreaterThan(200);
});

test("a block with partly unknown movements is not marked complete", () => {
  const untold = { ...contract("ExchangeTransactionContract", { token_id: "5f", quant: 1 }, "5") };
  const unknown = { ...contract("SomethingNewContract", {}, "6") };
  for (const one of [untold, unknown]) {
    const block = blockOf({ number: NUMBER, time_ms: TIME_MS, parent_id: "ab".repeat(32), transactions: [one] });
    const info = { id: one.txID, blockNumber: NUMBER };
    expect(readBlock({ block, infos: [info] }, reading).block.has_traces).toBe(false);
  }
});

test.each<[string, string, (raw: ReturnType<typeof honest>) => void]>([
  ["the block's id", "header_hash", ({ block }) => void Object.assign(block, { blockID: "ab".repeat(32) })],
  [
    "a transaction's id",
    "transaction_hash",
    ({ block, infos: told }) => {
      Object.assign(Object(block.transactions)[0], { txID: "cd".repeat(32) });
      Object.assign(told[0] ?? {}, { id: "cd".repeat(32) });
    },
  ],
  [
    "the number in an info",
    "block_reference",
    ({ infos: told }) => void Object.assign(told[0] ?? {}, { blockNumber: 1 }),
  ],
  ["the outcome of one", "ending", ({ infos: told }) => void Object.assign(told[0] ?? {}, { result: "FAILED" })],
])("%s is compared under `full`, by its name %s, and not under `header`", (_, check, change) => {
  const raw = honest();
  change(raw);
  expect(() => readBlock(raw, reading)).toThrow(expect.objectContaining({ check }));
  expect(readBlock(raw, { ...reading, verify: "header" }).block.transactions).toHaveLength(transactions.length);
});
