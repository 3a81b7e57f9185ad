import { expect, test } from "vitest";
import type { Chain } from "../../../chains/chain.ts";
import { hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { creationBlock, noCodeAt } from "./creation.ts";

const CONTRACT = hex("00000000000000000000000000000000000000c0");
const signal = new AbortController().signal;

/** A chain on which the contract has this code from a block on. */
const since = (block: number, code = Uint8Array.of(0x60, 0x01)): Chain => {
  const account = async (_: unknown, __: unknown, at = 0) => ({
    balance: 0n,
    nonce: 0,
    code: at >= block ? code : new Uint8Array(0),
  });
  // Only this member is used.
  return { account } as unknown as Chain;
};

const search = (chain: Chain) => ({ chain, contract: CONTRACT, signal });

test.each([1, 2, 500, 999, 1_000])("finds the block %i that gave a contract its code", async (block) => {
  expect(await creationBlock(search(since(block)), [0, 1_000])).toBe(block);
});

test("a contract that had code before, one that never got any and a delegating account have no such block", async () => {
  expect(await creationBlock(search(since(7)), [7, 1_000])).toBeNull();
  expect(await creationBlock(search(since(1_001)), [0, 1_000])).toBeNull();
  // EIP-7702: 0xef0100 and an address.
  const delegated = Buffer.from(`ef0100${"ab".repeat(20)}`, "hex");
  expect(await creationBlock(search(since(5, delegated)), [0, 1_000])).toBeNull();
});

test("a search outlives single refusals of a node, and ends with a node that keeps refusing", async () => {
  let refusals = 0;
  const refusing = (every: number): Chain => {
    let reads = 0;
    const chain = since(500);
    const account: Chain["account"] = async (...asked) => {
      reads += 1;
      if (reads % every !== 0) return chain.account(...asked);
      refusals += 1;
      throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "header not found" });
    };
    return { ...chain, account };
  };
  expect(await creationBlock(search(refusing(4)), [0, 1_000])).toBe(500);
  expect(refusals).toBeGreaterThan(1);
  await expect(creationBlock(search(refusing(1)), [0, 1_000])).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});

test("only a network that is indexed whole knows that no contract was there before", () => {
  expect(noCodeAt("0xc0", { network: "demo" })).toContain("the index knows no contract there");
  const followed = { is_plain: true, addresses: [] };
  expect(noCodeAt("0xc0", { network: "demo", followed })).toContain("a contract that was destroyed is not known");
});
