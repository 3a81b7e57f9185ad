import { createSolanaRpc } from "@solana/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../../test/solana/seeded_random.ts";
import { makeTraffic, type Traffic } from "../../../test/solana/traffic.ts";
import { faultsOf } from "../../demo/solana/equation.ts";
import { fromBase58 } from "../../lib/base58.ts";
import { type Hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { silentLog } from "../../lib/log.ts";
import type { Block, Network } from "../chain.ts";
import { solana } from "../networks/known.gen.ts";
import type { OpenChain } from "../open_chain.ts";
import { openSolanaChain } from "./chain.ts";

const ROUNDS = 60;
const signal = new AbortController().signal;
const hexOf = (text: string): Hex => toHex(fromBase58(text) ?? new Uint8Array(0));

let traffic: Traffic;
let chain: OpenChain;

const networkOf = (genesis: string): Network => ({ ...solana, caip2: `solana:${genesis.slice(0, 32)}` });

const open = (rpc: readonly string[], more: object = {}): Promise<OpenChain> =>
  openSolanaChain(networkOf(traffic.facade.genesis), { rpc, log: silentLog, attempts_max: 2, ...more }, signal);

beforeAll(async () => {
  traffic = await makeTraffic(seededRandom(7), ROUNDS);
  await traffic.facade.start();
  chain = await open([traffic.facade.url]);
}, 60_000);

afterAll(async () => {
  await chain?.close();
  await traffic?.facade.close();
});

const range = () => {
  const { slots } = traffic.facade;
  return { from: Math.min(...slots), to: Math.max(...slots) };
};

/** Balances as the sums of all moves in the blocks: token/holder -> amount. */
const sumsOf = (blocks: readonly Block[]): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  const add = (token: Hex, holder: Uint8Array, amount: bigint): void => {
    const key = `${token}/${toHex(holder)}`;
    if (holder.length > 0) sums.set(key, (sums.get(key) ?? 0n) + amount);
  };
  for (const block of blocks) {
    for (const { address, amount } of block.issuance) add("", address, amount);
    for (const { sender, fee, moves } of block.transactions) {
      add("", sender, -fee);
      for (const { token, source, destination, amount } of moves ?? []) {
        add(toHex(token), source, -amount);
        add(toHex(token), destination, amount);
      }
    }
  }
  return sums;
};

describe("a chain of real programs", () => {
  test("every balance that the blocks add up to equals the node's", async () => {
    const { from, to } = range();
    const blocks = await chain.blocks(from, to, signal);
    const sums = sumsOf(blocks);
    const holders = traffic.addresses.map(hexOf);
    const lamports = await chain.nativeBalances(holders, signal);
    expect(holders.map((holder) => sums.get(`/${holder}`) ?? 0n)).toEqual(lamports);
    const pairs = traffic.people.flatMap(({ address }) =>
      traffic.mints.map((mint) => ({ token: hexOf(mint), holder: hexOf(address) })),
    );
    const tokens = await chain.tokenBalances(pairs, signal);
    expect(pairs.map(({ token, holder }) => sums.get(`${token}/${holder}`) ?? 0n)).toEqual(tokens);
    expect(tokens.filter((amount) => (amount ?? 0n) > 0n).length).toBeGreaterThan(6);
    // Fees were withheld: the mint holds the part of the supply that no account has.
    const [, taxed] = traffic.mints.map(hexOf);
    const [mint] = await chain.tokenMetadata([taxed ?? ""], signal);
    const held = [...sums].filter(([key]) => key.startsWith(`${taxed}/`)).reduce((sum, [, amount]) => sum + amount, 0n);
    expect(sums.get(`${taxed}/${taxed}`)).toBeGreaterThan(0n);
    expect([mint?.standard, mint?.decimals, mint?.total_supply]).toEqual(["spl", 6, held]);
  });

  test("every transaction balances by itself, failed ones included", async () => {
    const { from, to } = range();
    const rpc = createSolanaRpc(traffic.facade.url);
    const blocks = await chain.blocks(from, to, signal);
    for (const slot of traffic.facade.slots) {
      const config = { encoding: "base64", maxSupportedTransactionVersion: 0, transactionDetails: "full" } as const;
      const answered = await rpc.getBlock(BigInt(slot), { ...config, rewards: true }).send();
      const ours = blocks[slot - from];
      expect(ours?.transactions.length).toBe(answered?.transactions.length);
      for (const [i, one] of (answered?.transactions ?? []).entries()) {
        // The real client returns integers as bigint where a node's JSON has numbers.
        const plain = JSON.parse(JSON.stringify(one, (_, item) => (typeof item === "bigint" ? String(item) : item)));
        const fee = Number(plain.meta.fee);
        const answer = { ...plain, meta: { ...plain.meta, fee, innerInstructions: null } };
        expect(faultsOf(answer, { moves: ours?.transactions[i]?.moves ?? [] })).toEqual([]);
      }
    }
    const failed = blocks.flatMap(({ transactions }) => transactions).filter(({ succeeded }) => !succeeded);
    expect(failed).toHaveLength(traffic.failed);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.flatMap(({ moves }) => moves ?? [])).toEqual([]);
  });

  test("a skipped slot repeats the block before it", async () => {
    const { from, to } = range();
    const blocks = await chain.blocks(from, to, signal);
    expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: to - from + 1 }, (_, i) => from + i));
    const skipped = blocks.filter(({ number }) => !traffic.facade.slots.includes(number));
    expect(skipped.length).toBeGreaterThan(3);
    for (const { number, hash, parent_hash, transactions } of skipped) {
      const before = blocks[number - 1 - from];
      expect([toHex(hash), toHex(parent_hash), transactions]).toEqual([
        toHex(before?.hash ?? new Uint8Array(0)),
        toHex(before?.hash ?? new Uint8Array(0)),
        [],
      ]);
      // A read of that slot alone returns the same.
      const [alone] = await chain.blocks(number, number, signal);
      expect(toHex(alone?.hash ?? new Uint8Array(0))).toBe(toHex(hash));
      expect((await chain.ref(number, signal))?.hash).toBe(toHex(hash));
    }
  });

  test("an account is a wallet's, a token's, a program's or derived, and names the program that owns its data", async () => {
    const kindOf = async (address: string) => chain.describe?.(hexOf(address), signal);
    const [alice] = traffic.people;
    const [mint = ""] = traffic.mints;
    const system = hexOf("11111111111111111111111111111111");
    const person = await kindOf(alice?.address ?? "");
    expect(person).toMatchObject({ kind: "eoa", exists: true, resources: null });
    // A plain account has no data; litesvm, like a current cluster, charges no rent.
    const rent_epoch = 2n ** 64n - 1n;
    expect(person?.program).toEqual({ owner_program: system, executable: false, data_len: 0, rent_epoch });
    const token_program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
    const token = await kindOf(mint);
    expect([token?.kind, token?.program?.owner_program]).toEqual(["token", hexOf(token_program)]);
    const program = await kindOf(token_program);
    expect([program?.kind, program?.program?.executable]).toEqual(["program", true]);
    expect(await kindOf("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM")).toMatchObject({ exists: false });
  });

  test("head, final slot and slots beyond", async () => {
    const { head } = traffic.facade;
    expect((await chain.head(signal)).number).toBe(head);
    expect(await chain.finalized(signal)).toBeLessThanOrEqual(head - 32);
    expect(await chain.ref(head + 1, signal)).toBeNull();
    await expect(chain.blocks(head, head + 1, signal)).rejects.toThrow(AssayError);
    await expect(chain.simulate([], signal, head)).rejects.toThrow("rehearsing transactions");
  });
});

describe("a node that lies", () => {
  const lied = async (fault: Traffic["facade"]["fault"], read: (other: OpenChain) => Promise<unknown>) => {
    const other = await open([traffic.facade.url]);
    traffic.facade.fault = fault;
    try {
      return await read(other);
    } finally {
      traffic.facade.fault = null;
      await other.close();
    }
  };

  test("cannot omit a block", async () => {
    const { slots } = traffic.facade;
    const hidden = slots[5] ?? 0;
    const listed = slots.filter((slot) => slot !== hidden);
    const hide: Traffic["facade"]["fault"] = ({ method, params = [] }) =>
      method === "getBlocks"
        ? { result: listed.filter((slot) => slot >= Number(params[0]) && slot <= Number(params[1])) }
        : undefined;
    const read = (other: OpenChain) => other.blocks(hidden - 1, hidden + 1, signal);
    await expect(lied(hide, read)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    // Nor at the end of a range, where only the next block proves it.
    await expect(lied(hide, (other) => other.blocks(hidden, hidden, signal))).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  test("cannot return the block of another slot", async () => {
    const { slots } = traffic.facade;
    const [asked, given] = [slots[6] ?? 0, slots[4] ?? 0];
    const honest = await fetchBlock(given);
    const swap: Traffic["facade"]["fault"] = ({ method, params = [] }) =>
      method === "getBlock" && params[0] === asked ? { result: honest } : undefined;
    const read = (other: OpenChain) => other.blocks(asked - 1, asked + 1, signal);
    await expect(lied(swap, read)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  test("without inner instructions yields no block", async () => {
    const { slots } = traffic.facade;
    const asked = slots[3] ?? 0;
    const block = await fetchBlock(asked);
    const bare = block.transactions.map((one) => ({ ...one, meta: { ...one.meta, innerInstructions: null } }));
    const strip: Traffic["facade"]["fault"] = ({ method, params = [] }) =>
      method === "getBlock" && params[0] === asked ? { result: { ...block, transactions: bare } } : undefined;
    await expect(lied(strip, (other) => other.blocks(asked, asked, signal))).rejects.toThrow("inner_instructions");
  });

  test("may change its answer between list and block: the range is read again", async () => {
    const asked = traffic.facade.slots[7] ?? 0;
    let refused = 0;
    const waver: Traffic["facade"]["fault"] = ({ method, params = [] }) => {
      if (method !== "getBlock" || params[0] !== asked || refused > 0) return undefined;
      refused += 1;
      return { error: { code: -32_007, message: `Slot ${asked} was skipped` } };
    };
    const blocks = await lied(waver, (other) => other.blocks(asked, asked, signal));
    expect(refused).toBe(1);
    expect(blocks).toEqual(await chain.blocks(asked, asked, signal));
  });

  test("or lost a part is skipped while another one is whole", async () => {
    const asked = traffic.facade.slots[3] ?? 0;
    const whole = await fetchBlock(asked);
    const bare = whole.transactions.map((one) => ({ ...one, meta: { ...one.meta, innerInstructions: null } }));
    let spoiled = 0;
    // Both addresses are the same node; it spoils its first answer.
    const other = await open([traffic.facade.url, `${traffic.facade.url}/again`]);
    traffic.facade.fault = ({ method, params = [] }) => {
      if (method !== "getBlock" || params[0] !== asked || spoiled > 0) return undefined;
      spoiled += 1;
      return { result: { ...whole, transactions: bare } };
    };
    const blocks = await other.blocks(asked, asked, signal);
    traffic.facade.fault = null;
    await other.close();
    expect(spoiled).toBe(1);
    expect(blocks).toEqual(await chain.blocks(asked, asked, signal));
  });

  test("that serves another chain is not used", async () => {
    const foreign = { ...networkOf(traffic.facade.genesis), caip2: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" };
    const other = await openSolanaChain(
      foreign,
      { rpc: [traffic.facade.url], log: silentLog, attempts_max: 1 },
      signal,
    );
    const [report] = await other.probe(signal);
    expect(report?.problem).toContain("but Solana is solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp");
    await other.close();
  });

  test("that has pruned old blocks leaves them to the others", async () => {
    const { from } = range();
    const prune: Traffic["facade"]["fault"] = ({ method }) =>
      method === "getFirstAvailableBlock" ? { result: from + 10 } : undefined;
    traffic.facade.fault = prune;
    const other = await open([traffic.facade.url]);
    traffic.facade.fault = null;
    await expect(other.blocks(from, from, signal)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    await other.close();
  });
});

interface AnsweredBlock {
  readonly transactions: readonly { readonly meta: object }[];
}

const fetchBlock = async (slot: number): Promise<AnsweredBlock> => {
  const config = { encoding: "base64", transactionDetails: "full", maxSupportedTransactionVersion: 0, rewards: true };
  const response = await fetch(traffic.facade.url, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getBlock", params: [slot, config] }),
  });
  const { result } = (await response.json()) as { readonly result: AnsweredBlock }; // An answer of our façade.
  return result;
};
