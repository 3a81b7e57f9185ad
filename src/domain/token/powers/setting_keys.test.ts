import { expect, test } from "vitest";
import { fromHex, type Hex, hex } from "../../../lib/bytes.ts";
import { settingKeysIn } from "./setting_keys.ts";

const keysIn = (code: string) => settingKeysIn([fromHex(hex(code)) ?? new Uint8Array(0)]);
const left = (text: string): Hex => hex(Buffer.from(text).toString("hex").padEnd(64, "0"));

test("a word in the code is a key, as text and as 32 bytes", () => {
  // PUSH7 "sellFee", PUSH1 200, SHL.
  expect(keysIn("6673656c6c46656560c81b")).toEqual({ words: [left("sellFee")], texts: ["sellFee"], numbers: [] });
});

test("the slot of a mapping shows the key that the compiler hashed", () => {
  // solc 0.8.37: settings["sell"], with `mapping(bytes32 => uint256) settings` in slot 6.
  const slot = "70b55841874e39bcba026bd81c5d9811d5056fd7ab17b67cf67933d2ea1590b0";
  expect(keysIn(`7f${slot}54`)).toEqual({ words: [left("sell")], texts: ["sell"], numbers: [] });
});

test("an unknown hash and an instruction that looks like a word are no keys", () => {
  expect(keysIn(`7f${"ab".repeat(32)}54`)).toEqual({ words: [], texts: [], numbers: [] });
  expect(keysIn("73656c6c")).toEqual({ words: [], texts: [], numbers: [] });
});

test("compared numbers are special values; selectors and places of jumps are not", () => {
  // PUSH2 48271 EQ; PUSH2 48271 DUP2 EQ; PUSH4 EQ; PUSH2 JUMPI.
  expect(keysIn("61bc8f14").numbers).toEqual([48_271n]);
  expect(keysIn("61bc8f8114").numbers).toEqual([48_271n]);
  expect(keysIn("63a9059cbb1461012357").numbers).toEqual([]);
});
