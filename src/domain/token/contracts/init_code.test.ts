import { expect, test } from "vitest";
import { bytesOf } from "../../../../test/value_rows.ts";
import { type Hex, hex, keccak256, toHex } from "../../../lib/bytes.ts";
import { constructorArguments, findInitCode, findSalt } from "./init_code.ts";

// EIP-1014, examples 2 and 3: init code 0x00.
const FACTORY = bytesOf(hex("deadbeef00000000000000000000000000000000"));
const INIT_HASH = keccak256(bytesOf(hex("00")));
const SALT = "000000000000000000000000feed000000000000000000000000000000000000";
const ADDRESS = hex("d04116cdd17bebe565eb2422f2497e06cc1c9833");
const ADDRESS_SALT_0 = hex("b928f69bb1d91cd65274e3c79d8986362984fda3");

const create = (address: Hex) => ({ address, factory: FACTORY, init_hash: INIT_HASH });

test("a salt among the arguments of the call is found and proven by the address", () => {
  const call = bytesOf(hex(`aabbccdd${"11".repeat(32)}${SALT}${"22".repeat(32)}`));
  expect(toHex(findSalt(call, create(ADDRESS)) ?? new Uint8Array(0))).toBe(SALT);
});

test("a salt at the start of the input, as deterministic deployers expect it, is found", () => {
  expect(toHex(findSalt(bytesOf(hex(`${SALT}00`)), create(ADDRESS)) ?? new Uint8Array(0))).toBe(SALT);
});

test("a salt of zero needs no input", () => {
  expect(toHex(findSalt(new Uint8Array(0), create(ADDRESS_SALT_0)) ?? new Uint8Array(0))).toBe("00".repeat(32));
});

test("a salt that does not lead to the address is rejected", () => {
  expect(findSalt(bytesOf(hex(`aabbccdd${"11".repeat(64)}`)), create(ADDRESS))).toBeNull();
});

test("init code is the whole input or follows a salt, and only if its hash matches", () => {
  const code = bytesOf(hex("600160025500"));
  expect(toHex(findInitCode(code, keccak256(code)) ?? new Uint8Array(0))).toBe("600160025500");
  const call = bytesOf(hex(`${SALT}600160025500`));
  expect(toHex(findInitCode(call, keccak256(code)) ?? new Uint8Array(0))).toBe("600160025500");
  expect(findInitCode(call, keccak256(bytesOf(hex("00"))))).toBeNull();
});

// A CBOR map of one entry, {"solc": 0x000819}: 0a bytes, and its length.
const MARK = "a164736f6c6343000819000a";

test("constructor arguments follow the metadata of the code", () => {
  const runtime = bytesOf(hex(`6001${MARK}`));
  const args = `${"00".repeat(31)}2a`;
  const init = bytesOf(hex(`60806040${"6001"}${MARK}${args}`));
  expect(toHex(constructorArguments(init, runtime) ?? new Uint8Array(1))).toBe(args);
});

test("a constructor without arguments has an empty list, not an unknown one", () => {
  expect(constructorArguments(bytesOf(hex(`60806001${MARK}`)), bytesOf(hex(`6001${MARK}`)))).toEqual(Buffer.alloc(0));
});

test("code without metadata, or followed by a partial word, leaves the arguments unknown", () => {
  expect(constructorArguments(bytesOf(hex("6080600160")), bytesOf(hex("6001")))).toBeNull();
  expect(constructorArguments(bytesOf(hex(`6080${MARK}abcd`)), bytesOf(hex(`6001${MARK}`)))).toBeNull();
  expect(constructorArguments(bytesOf(hex("6080")), bytesOf(hex("ffff")))).toBeNull();
});
