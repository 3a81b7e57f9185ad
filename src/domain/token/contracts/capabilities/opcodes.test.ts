import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hex } from "../../../../lib/bytes.ts";
import { selectorOf } from "../../../abi.ts";
import { callDataOf } from "./access_probes.ts";
import { traitsOf } from "./opcodes.ts";
import { functionsAmong, isReadable } from "./selectors.ts";

const code = (hex: string): Uint8Array => Buffer.from(hex.replace(/\s/g, ""), "hex");
const artifact = (name: string): Uint8Array => {
  const path = new URL(`../../../../../contracts/artifacts/${name}.json`, import.meta.url);
  // Written by scripts/contracts.ts.
  const { deployed_bytecode } = JSON.parse(readFileSync(path, "utf8")) as { deployed_bytecode: string };
  return code(deployed_bytecode.slice(2));
};

test("constants are not instructions: a self-destruct inside a constant does not count", () => {
  // PUSH4 ffffffff, JUMPDEST, STOP.
  expect(traitsOf(code("63 ffffffff 5b 00")).has_selfdestruct).toBe(false);
  expect(traitsOf(code("63 ffffffff 5b ff")).has_selfdestruct).toBe(true);
});

test("bytes after an end do not run unless a jump can reach them", () => {
  // STOP, then CALL, DELEGATECALL, SELFDESTRUCT and PUSH4 EQ: data.
  expect(traitsOf(code("00 f1 f4 ff 63 01020304 14"))).toEqual({
    selectors: new Set(),
    has_selfdestruct: false,
    has_delegatecall: false,
    has_external_call: false,
  });
  // The same behind a JUMPDEST.
  expect(traitsOf(code("00 5b f1 f4 63 01020304 14 ff"))).toEqual({
    selectors: new Set(["01020304"]),
    has_selfdestruct: true,
    has_delegatecall: true,
    has_external_call: true,
  });
});

test("a selector that is not compared with the called one belongs to another contract", () => {
  // PUSH4 01020304 EQ, PUSH4 05060708 PUSH1 0 MSTORE.
  expect([...traitsOf(code("63 01020304 14 63 05060708 6000 52")).selectors]).toEqual(["01020304"]);
});

test("a constant that is cut off at the end of the code is harmless", () => {
  expect([...traitsOf(code("63 0102")).selectors]).toEqual([]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => traitsOf(bytes)).not.toThrow();
    }),
  );
});

test.each([
  ["PlainToken", []],
  ["HoneypotToken", ["transferOwnership(address)"]],
  ["FeeToken", ["setFees(uint256,uint256,uint256)", "transferOwnership(address)"]],
  ["BanToken", ["pause()", "unpause()", "setBlacklist(address[],bool)", "transferOwnership(address)"]],
  ["ShadowToken", ["mint(address,uint256)", "burn(address,uint256)"]],
])("the code of %s shows exactly its functions", (name, signatures) => {
  const { selectors } = traitsOf(artifact(name));
  expect(isReadable(selectors)).toBe(true);
  expect(functionsAmong(selectors).map(({ signature }) => signature)).toEqual(signatures);
});

test("code without the functions of a token is not read as a token without functions", () => {
  // A proxy: it knows upgradeTo and forwards everything else.
  expect(isReadable(traitsOf(artifact("Proxy")).selectors)).toBe(false);
  expect(traitsOf(artifact("Proxy")).has_delegatecall).toBe(true);
});

test("the simulator's own code has external calls", () => {
  expect(traitsOf(artifact("Simulator"))).toMatchObject({ has_external_call: true, has_selfdestruct: false });
});

const ACCOUNT = hex("ab".repeat(20));
const word = (hex: string): string => hex.padStart(64, "0");

test("functions are called with the sample of every type, lists with one element", () => {
  expect(callDataOf("pause()", { account: ACCOUNT, size: 7n })).toBe(selectorOf("pause()"));
  expect(callDataOf("f(address,uint256,bool)", { account: ACCOUNT, size: 7n })).toBe(
    selectorOf("f(address,uint256,bool)") + word(ACCOUNT) + word("7") + word("1"),
  );
  // Two words of head, then a list of one.
  expect(callDataOf("setBots(address[],bool)", { account: ACCOUNT, size: 7n })).toBe(
    selectorOf("setBots(address[],bool)") + word("40") + word("1") + word("1") + word(ACCOUNT),
  );
  // Three words of head are 96 = 0x60 bytes; empty bytes are one word of length.
  expect(callDataOf("f(address,bytes,uint256)", { account: ACCOUNT, size: 7n })).toBe(
    selectorOf("f(address,bytes,uint256)") + word(ACCOUNT) + word("60") + word("7") + word("0"),
  );
});
