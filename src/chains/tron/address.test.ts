import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { formatAddress, parseAddress } from "./address.ts";

// The contract of USDT: base58 and hex of one address, as recorded in a transaction to it and in its token_info.
const USDT = hex("a614f803b6fd780986a42c78ec9c7f77e6ded13c");

test("reads an address in base58check or as 41 and 20 bytes, and stores 20 bytes", () => {
  expect(parseAddress("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")).toBe(USDT);
  expect(parseAddress(`41${USDT}`)).toBe(USDT);
  expect(parseAddress(`41${USDT.toUpperCase()}`)).toBe(USDT);
  expect(formatAddress(USDT)).toBe("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
});

test.each([
  ["one letter is different", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
  ["a digit is missing", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6"],
  ["letters that base58 does not have", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj0O"],
  ["an EVM address", `0x${USDT}`],
  ["no prefix", USDT],
  ["another prefix (a0 was the test network's)", `a0${USDT}`],
  ["nothing", ""],
])("rejects %s as an address", (_why, text) => {
  expect(parseAddress(text)).toBeNull();
});

test("the id of a TRC-10 token is its text, and bytes that are neither are hex", () => {
  expect(formatAddress(hex(Buffer.from("1002000").toString("hex")))).toBe("1002000");
  expect(formatAddress(hex("00ff"))).toBe("0x00ff");
});
