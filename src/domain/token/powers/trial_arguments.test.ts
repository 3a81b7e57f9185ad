import { describe, expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import { type ArgumentSetting, callsOf } from "./trial_arguments.ts";

const account = (byte: string) => hex(byte.repeat(20));
const SETTING: ArgumentSetting = {
  ...{
    token: account("77"),
    caller: account("ca"),
    victim: account("11"),
    other: account("22"),
    friend: account("ff"),
  },
  ...{
    payee: account("99"),
    marker: account("55"),
    keys: { words: [], texts: [], numbers: [] },
    payloads: [],
    supply: 1_000_000n,
    balance: 500n,
    time: 1_800_000_000,
    roles: [],
  },
};
const word = (text: string): string => text.padStart(64, "0");
const SELECTOR = hex("12345678");
const calls = (types: string, count = 40) => callsOf({ selector: SELECTOR, types }, SETTING, count);

describe("arguments of a trial", () => {
  test("are the holder first and the caller next, and a thousandth of the supply", () => {
    expect(calls("address,address,uint256", 1)).toEqual([
      `12345678${word("11".repeat(20))}${word("ca".repeat(20))}${word("3e8")}`,
    ]);
  });

  test("fit a small number, and name an address where one was taken for a number", () => {
    // A thousandth of the supply is 1,000, and a uint8 holds 255.
    expect(calls("uint8", 1)).toEqual([`12345678${word("ff")}`]);
    expect(calls("uint256")).toContain(`12345678${word("11".repeat(20))}`);
    expect(calls("uint256[]")).toContain(`12345678${word("20")}${word("1")}${word("11".repeat(20))}`);
  });

  test("of a permit have a term without an end and special signatures", () => {
    const types = "address,address,uint256,uint256,uint8,bytes32,bytes32";
    const [holder, spender, coins, forever] = [
      word("11".repeat(20)),
      word("ca".repeat(20)),
      word("1f4"),
      "f".repeat(64),
    ];
    for (const kind of ["0", "1b", "1"])
      expect(calls(types)).toContain(
        `12345678${holder}${spender}${coins}${forever}${word(kind)}${word("")}${word("")}`,
      );
  });

  test("are keys of settings, in whatever type they come", () => {
    const keyed = { ...SETTING, keys: { words: [hex(word("13"))], texts: ["fee"], numbers: [48_271n] } };
    const of = (types: string) => callsOf({ selector: SELECTOR, types }, keyed, 40);
    expect(of("bytes32,uint256")).toContain(`12345678${word("13")}${word("63")}`);
    expect(of("uint8,uint256")).toContain(`12345678${word("13")}${word("63")}`);
    const text = `${word("3")}${"666565".padEnd(64, "0")}`;
    expect(of("string,uint256")).toContain(`12345678${word("40")}${word("63")}${text}`);
    expect(of("bytes,uint256")).toContain(`12345678${word("40")}${word("63")}${text}`);
    expect(of("uint256")).toContain(`12345678${word("bc8f")}`);
  });

  test("are never repeated, and a function without any is called once", () => {
    expect(calls("")).toEqual(["12345678"]);
    const flags = calls("bool");
    expect(flags).toEqual([`12345678${word("1")}`, `12345678${word("0")}`]);
  });

  test("of types that no signature has leave the bare selector", () => {
    expect(calls("nothing[")).toEqual(["12345678"]);
  });
});
