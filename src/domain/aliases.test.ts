import { expect, test } from "vitest";
import { hex } from "../lib/bytes.ts";
import { countedOnce, isAlias, sharedToken } from "./aliases.ts";

const [OLD, NEW, COIN, OTHER] = ["a1", "a2", "a3", "a4"].map((byte) => hex(byte.repeat(20))) as [
  never,
  never,
  never,
  never,
];
const network = {
  aliases: [
    { token: OLD, same_as: NEW },
    { token: COIN, same_as: "" as const },
  ],
};

test("an alias stands for the token that owns the balance, on its own network only", () => {
  expect([OLD, NEW, COIN, "" as const].map((token) => sharedToken(network, token))).toEqual([NEW, NEW, "", ""]);
  expect([isAlias(network, OLD), isAlias(network, NEW), isAlias({}, OLD)]).toEqual([true, false, false]);
});

test("a balance that two contracts report is counted once, under the owner, by the owner's row", () => {
  const held = [
    { token: "" as const, amount: 7n },
    { token: OLD, amount: 99n },
    { token: NEW, amount: 100n },
    { token: COIN, amount: 7n },
    { token: OTHER, amount: 1n },
  ];
  expect(countedOnce(network, held)).toEqual([
    { token: "", amount: 7n, aliases: [COIN] },
    { token: NEW, amount: 100n, aliases: [OLD] },
    { token: OTHER, amount: 1n, aliases: [] },
  ]);
});

test("an alias alone is the owner's holding", () => {
  expect(countedOnce(network, [{ token: OLD, amount: 5n }])).toEqual([{ token: NEW, amount: 5n, aliases: [OLD] }]);
});
