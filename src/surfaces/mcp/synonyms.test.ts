import { expect, test } from "vitest";
import { tools } from "../../tools/index.ts";
import { withOwnNames } from "./synonyms.ts";

const renamed = (fields: readonly string[], args: Record<string, unknown>) => withOwnNames(args, new Set(fields));

test.each([
  [
    "the tool's other word for a wallet",
    ["address", "network"],
    { wallet_address: 1, chain: 2 },
    { address: 1, network: 2 },
  ],
  ["the only address, whatever it is", ["token_address"], { address: 1 }, { token_address: 1 }],
  ["a token beside a wallet", ["address", "token_address"], { wallet: 1, token: 2 }, { address: 1, token_address: 2 }],
  ["a contract", ["contract_address"], { address: 1 }, { contract_address: 1 }],
  ["a hash", ["tx_hash"], { hash: 1 }, { tx_hash: 1 }],
  ["a block", ["as_of_block"], { as_of: "2026-01-01" }, { as_of_block: "2026-01-01" }],
])("finds %s", (_, fields, args, expected) => {
  expect(renamed(fields, args)).toEqual(expected);
});

test.each([
  ["unknown names", ["address"], { adress: 1, nonsense: 2 }],
  ["names that the tool has", ["address", "token_address", "wallet"], { wallet: 1, token_address: 2 }],
  ["a field that is given already", ["address"], { address: 1, wallet: 2 }],
  ["two names of one field", ["address"], { wallet: 1, account: 2 }],
  ["a contract that could be the wallet or its token", ["wallet_address", "address"], { contract: 1 }],
])("leaves %s", (_, fields, args) => {
  expect(renamed(fields, args)).toEqual(args);
});

test("an example of every tool keeps its names", () => {
  for (const { input, example } of tools) {
    const args = example as Readonly<Record<string, unknown>>;
    expect(withOwnNames(args, new Set(Object.keys(input.shape)))).toEqual(args);
  }
});
