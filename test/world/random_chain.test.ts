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

interface Frame {
  readonly type: string;
  readonly from: HexText;
  readonly to?: HexText;
  readonly value?: HexText;
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

const frames = (frame: Frame): readonly Frame[] =>
  frame.error === undefined ? [frame, ...(frame.calls ?? []).flatMap(frames)] : [];

const burntIn = (frame: Frame): bigint => {
  const all = frames(frame);
  const born = new Set(all.filter(({ type }) => type.startsWith("CREATE")).map(({ to }) => to));
  return all
    .filter(({ type, from, to }) => type === "SELFDESTRUCT" && from === to && born.has(from))
    .reduce((sum, { value }) => sum + BigInt(value ?? 0), 0n);
};

const blocks = async (): Promise<readonly Mined[]> => {
  const calls = Array.from({ length: chain.head }, (_, n) => ({
    method: "eth_getBlockByNumber",
    params: [`0x${(n + 1).toString(16)}`, false],
  }));
  // eth_getBlockByNumber without full transactions.
  return (await chain.rpc.batch(calls)) as Mined[];
};

test("every coin of genesis is with a known address, or burnt as base fee or by a contract that left itself to nobody", async () => {
  // Nothing is created after genesis: 1,000,000 ether = balances + base fees + what EIP-6780 burns (a contract that is
  // created and destroyed in one transaction with itself as heir).
  const balances = await chain.nativeBalances(chain.addresses, chain.head);
  const held = balances.reduce((sum, balance) => sum + balance, 0n);
  let burnt = 0n;
  for (const block of await blocks()) {
    for (const hash of block.transactions) {
      // eth_getTransactionReceipt of a mined transaction, callTracer's frame.
      const receipt = (await chain.rpc.call("eth_getTransactionReceipt", hash)) as { gasUsed: HexText };
      const frame = (await chain.rpc.call("debug_traceTransaction", hash, { tracer: "callTracer" })) as Frame;
      burnt += BigInt(block.baseFeePerGas) * BigInt(receipt.gasUsed) + burntIn(frame);
    }
  }
  expect(held + burnt).toBe(10n ** 24n);
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
  for (const hash of mined.flatMap(({ transactions }) => transactions)) {
    const trace = await chain.rpc.call("debug_traceTransaction", hash, { tracer: "callTracer" });
    // callTracer's frame.
    const frame = trace as Frame;
    if (frame.error !== undefined) failed += 1;
    for (const { type } of frames(frame)) kinds.add(type);
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
