import { expect, test } from "vitest";
import { fromHex } from "../../../lib/bytes.ts";
import { selectorOf } from "../../abi.ts";
import { argumentsOf, entryIn } from "./abi_entries.ts";

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const bytes = (...words: readonly bigint[]): Uint8Array => fromHex(words.map(word).join("")) ?? new Uint8Array(0);
const shown = (address: string): string => `0x${address}`;

const uint = (name: string) => ({ name, type: "uint256" });
const fill = (members: readonly object[], type = "tuple") => ({
  ...{ type: "function", name: "fill", stateMutability: "nonpayable", outputs: [] },
  inputs: [{ name: "order", type, components: members }, uint("nonce")],
});

const read = (item: object, signature: string, data: Uint8Array) => {
  const entry = entryIn([item], "function", selectorOf(signature));
  if (entry === null) throw new Error(`no ${signature}`);
  return argumentsOf(entry, data, shown)?.map(({ name, value }) => [name, value]);
};

test("members of tuples have the names of the published source", () => {
  const inner = { name: "fee", type: "tuple", components: [uint("bps"), uint("least")] };
  const item = fill([uint("amount"), inner]);
  expect(read(item, "fill((uint256,(uint256,uint256)),uint256)", bytes(7n, 30n, 1n, 9n))).toEqual([
    ["order", JSON.stringify({ amount: "7", fee: { bps: "30", least: "1" } })],
    ["nonce", "9"],
  ]);
});

test("lists of tuples too", () => {
  const item = fill([uint("amount"), uint("price")], "tuple[2]");
  expect(read(item, "fill((uint256,uint256)[2],uint256)", bytes(1n, 2n, 3n, 4n, 5n))?.[0]).toEqual([
    "order",
    JSON.stringify([
      { amount: "1", price: "2" },
      { amount: "3", price: "4" },
    ]),
  ]);
});

test("a tuple with an unnamed member or two equal names stays a list", () => {
  for (const other of ["", "amount", "no name at all"]) {
    const item = fill([uint("amount"), uint(other)]);
    expect(read(item, "fill((uint256,uint256),uint256)", bytes(1n, 2n, 3n))?.[0]).toEqual(["order", '["1","2"]']);
  }
});
