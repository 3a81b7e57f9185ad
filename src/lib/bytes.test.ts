import { expect, test } from "vitest";
import { concatHex, hex, intToHex, padHex, padHexEnd, sliceHex } from "./bytes.ts";

test.each(["0xab", "AB", "abc", "alice", "1234567", " ab", "ab\n", "TA5gT7kFLTYSgrTQgsCah6jfCz75xX17ce"])(
  "%j is no hex",
  (text) => {
    expect(() => hex(text)).toThrow(RangeError);
  },
);

test("accepts pairs of lower-case digits, and the empty string", () => {
  expect([hex("00ff"), hex("")]).toEqual(["00ff", ""]);
});

test("concatenates, slices and pads bytes", () => {
  expect(concatHex(hex("01"), "", hex("0203"))).toBe("010203");
  expect([sliceHex(hex("010203"), 1), sliceHex(hex("010203"), 0, 2), sliceHex(hex("01"), 3)]).toEqual([
    "0203",
    "0102",
    "",
  ]);
  expect([padHex(hex("01"), 3), padHex(hex("0102"), 1), padHexEnd(hex("01"), 3)]).toEqual(["000001", "0102", "010000"]);
});

test("encodes an integer in at least the given bytes, negative ones in two's complement", () => {
  // 256 = 0x100, in whole bytes 0x0100; -1 of two bytes = 2^16 - 1.
  expect([intToHex(5n, 2), intToHex(256n, 1), intToHex(-1n, 2), intToHex(0n, 1)]).toEqual([
    "0005",
    "0100",
    "ffff",
    "00",
  ]);
});
