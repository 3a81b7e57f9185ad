import { encodeErrorResult, parseAbi } from "viem/utils";
import { expect, test } from "vitest";
import { tracedCall } from "../../../../test/activity_scenario.ts";
import { formatAddress } from "../../../chains/evm/address.ts";
import { EMPTY, fromHex } from "../../../lib/bytes.ts";
import { reasonOf, revertOf } from "./reverts.ts";

const abi = parseAbi([
  "error Error(string)",
  "error Panic(uint256)",
  "error ERC20InsufficientBalance(address,uint256,uint256)",
]);
const payload = (errorName: "Error" | "Panic" | "ERC20InsufficientBalance", args: readonly unknown[]): Uint8Array =>
  // The arguments fit the named error.
  fromHex(encodeErrorResult({ abi, errorName, args } as never)) ?? EMPTY;

/** A callee without a published interface. */
const SILENT = { abi: null, shown: formatAddress };
/** An example of EIP-55 itself. */
const A = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test("reads revert text, panics and known errors", () => {
  expect(reasonOf(payload("Error", ["too little"]), SILENT)).toBe("too little");
  expect(reasonOf(payload("Panic", [0x11n]), SILENT)).toBe("Panic(17): arithmetic overflow or underflow");
  expect(reasonOf(payload("Panic", [0x99n]), SILENT)).toBe("Panic(153): unknown code");
  expect(reasonOf(payload("ERC20InsufficientBalance", [A, 1n, 2n]), SILENT)).toBe(
    `ERC20InsufficientBalance(${A}, 1, 2)`,
  );
});

test("reads a contract's own error by its published interface", () => {
  const own = parseAbi(["error Refused(uint256)"]);
  const said = fromHex(encodeErrorResult({ abi: own, errorName: "Refused", args: [3n] })) ?? EMPTY;
  expect(
    reasonOf(said, {
      ...SILENT,
      abi: [{ type: "error", name: "Refused", inputs: [{ name: "depth", type: "uint256" }] }],
    }),
  ).toBe("Refused(3)");
  expect(reasonOf(said, SILENT)).toBeNull();
});

test("empty and malformed payloads have no reason", () => {
  expect(reasonOf(EMPTY, SILENT)).toBeNull();
  expect(reasonOf(Uint8Array.of(1, 2, 3), SILENT)).toBeNull();
  expect(reasonOf(Uint8Array.of(1, 2, 3, 4), SILENT)).toBeNull();
  expect(reasonOf(payload("Error", ["cut"]).subarray(0, 40), SILENT)).toBeNull();
});

test("a reason is cleaned and truncated", () => {
  expect(reasonOf(payload("Error", ["a\u202e\u0000b"]), SILENT)).toBe("ab");
  expect(reasonOf(payload("Error", ["x".repeat(5_000)]), SILENT)?.length).toBeLessThanOrEqual(256);
});

test("the failure began at the origin of the same payload, not at a swallowed one", () => {
  const output = payload("Error", ["no"]);
  const failed = { error: "execution reverted", is_undone: true };
  const calls = [
    tracedCall({ ...failed, output }),
    // Swallowed: another call follows it.
    tracedCall({ depth: 1, ...failed, output }),
    tracedCall({ depth: 1, ...failed, output }),
    tracedCall({ depth: 2, ...failed, output }),
    tracedCall({ depth: 3, ...failed, output: EMPTY }),
  ];
  expect(revertOf(calls, SILENT)).toEqual({ reason: "no", selector: "08c379a0", failed_at_depth: 2 });
  expect(revertOf(calls.slice(0, 1), SILENT)?.failed_at_depth).toBe(0);
  // The last call succeeded: the outermost failed by itself.
  expect(revertOf([...calls.slice(0, 1), tracedCall({ depth: 1 })], SILENT)?.failed_at_depth).toBe(0);
});

test("without a payload the virtual machine's error is the reason", () => {
  const calls = [tracedCall({ error: "out of gas", is_undone: true })];
  expect(revertOf(calls, SILENT)).toEqual({ reason: "out of gas", selector: null, failed_at_depth: 0 });
  expect(revertOf([tracedCall({})], SILENT)).toBeNull();
  expect(revertOf([], SILENT)).toBeNull();
});
