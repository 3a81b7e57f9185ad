import { afterAll, beforeAll, expect, test } from "vitest";
import { type RandomChain, startRandomChain } from "./random_chain.ts";
import type { HexText } from "./rpc.ts";

const SEED = 7;
const DEEDS = 150;

let chain: RandomChain;
beforeAll(async () => {
  chain = await startRandomChain({ seed: SEED, deeds: DEEDS });
});
afterAll(() => chain?.stop());

interface Mined {
  readonly hash: HexText;
  readonly baseFeePerGas: HexText;
  readonly transactions: readonly HexText[];
}

const blocks = async (): Promise<readonly Mined[]> => {
  const calls = Array.from({ length: chain.head }, (_, n) => ({
    method: "eth_getBlockByNumber",
    params: [`0x${(n + 1).toString(16)}`, false],
  }));
  // eth_getBlockByNumber without full transactions.
  return (await chain.rpc.batch(calls)) as Mined[];
};

test("every coin of genesis is with a known address or burnt as base fee or in a contract without heir", async () => {
  // Nothing is created after genesis: 1,000,000 ether = balances + burnt. Burnt base fee is base fee times gas used; what
  // flash() without an heir burns can only make the rest larger.
  const balances = await chain.nativeBalances(chain.addresses, chain.head);
  const held = balances.reduce((sum, balance) => sum + balance, 0n);
  let fees = 0n;
  for (const block of await blocks()) {
    for (const hash of block.transactions) {
      // eth_getTransactionReceipt of a mined transaction.
      const receipt = (await chain.rpc.call("eth_getTransactionReceipt", hash)) as { gasUsed: HexText };
      fees += BigInt(block.baseFeePerGas) * BigInt(receipt.gasUsed);
    }
  }
  const burnt = 10n ** 24n - held;
  expect(burnt).toBeGreaterThanOrEqual(fees);
  // flash() carries up to 0.1 ether a time.
  expect(burnt - fees).toBeLessThan(BigInt(DEEDS) * 10n ** 17n);
});

test("a token's balances add up to its supply", async () => {
  for (const token of chain.tokens) {
    const holdings = chain.addresses.map((holder) => ({ token, holder }));
    const held = (await chain.tokenBalances(holdings, chain.head)).reduce((sum, balance) => sum + balance, 0n);
    // totalSupply()
    const supply = await chain.rpc.call("eth_call", { to: token, data: "0x18160ddd" }, "latest");
    expect(held).toBe(BigInt(String(supply)));
    expect(held).toBeGreaterThan(0n);
  }
});

test("some transactions fail, some share a block, and contracts create and end", async () => {
  const mined = await blocks();
  expect(mined.some(({ transactions }) => transactions.length > 1)).toBe(true);
  const kinds = new Set<string>();
  let failed = 0;
  const walk = (call: { type: string; calls?: never[] }): void => {
    kinds.add(call.type);
    for (const inner of call.calls ?? []) walk(inner);
  };
  for (const hash of mined.flatMap(({ transactions }) => transactions)) {
    const trace = await chain.rpc.call("debug_traceTransaction", hash, { tracer: "callTracer" });
    // callTracer's frame.
    const frame = trace as { type: string; error?: string; calls?: never[] };
    if (frame.error !== undefined) failed += 1;
    walk(frame);
  }
  expect(failed).toBeGreaterThan(5);
  expect([...kinds]).toEqual(expect.arrayContaining(["CALL", "CREATE", "CREATE2", "SELFDESTRUCT"]));
});

test("balances of earlier blocks can be asked", async () => {
  // Block 1 pays alice, the first actor: 1,000 ether, and she has sent nothing yet.
  const [bank, alice] = await chain.nativeBalances([chain.bank, "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"], 1);
  expect(alice).toBe(10n ** 21n);
  // 1,000,000 - 1,000 ether - 21,000 gas at 1 gwei
  expect(bank).toBe(10n ** 24n - 10n ** 21n - 21_000n * 10n ** 9n);
});

test("the same seed gives the same chain, another seed another one", async () => {
  const hashOf = async (seed: number): Promise<unknown> => {
    const other = await startRandomChain({ seed, deeds: 20 });
    const block = await other.rpc.call("eth_getBlockByNumber", "latest", false);
    await other.stop();
    // A header has a hash.
    return (block as { hash: HexText }).hash;
  };
  const [first, again, different] = await Promise.all([hashOf(1), hashOf(1), hashOf(2)]);
  expect(again).toBe(first);
  expect(different).not.toBe(first);
});
