import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import type { Block } from "../chains/chain.ts";
import { MissingBlock } from "../chains/node/refused_block.ts";
import { type Hex, intToHex, toHex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { silentLog } from "../lib/log.ts";
import { decodeBlock } from "./decode.ts";
import { Head } from "./head.ts";
import { openIndexStore } from "./index_store.ts";
import type { Enrich } from "./options.ts";
import { Quarantine } from "./quarantine.ts";

const START = 64;
const signal = new AbortController().signal;
/** A block of the same number on another branch has another hash. */
const hashOf = (number: number, branch = 0): Hex => intToHex(BigInt(number * 16 + branch), 32);
const bytes = (hex: Hex) => Buffer.from(hex, "hex");

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** Every block pays one reward of 1 to its producer, so it has one row in `blocks` and one in `transfers`. */
const blockOf = (number: number, branch: number): Block => ({
  number,
  hash: bytes(hashOf(number, branch)),
  parent_hash: bytes(hashOf(number - 1)),
  time: 1_700_000_000 + 12 * number,
  producer: testAddress(1),
  base_fee: null,
  transactions: [],
  issuance: [{ kind: "reward", address: testAddress(1), amount: 1n }],
  has_traces: true,
  verified: "full",
});

const unavailable = (block: number): AssayError =>
  new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "no node answers", cause: new MissingBlock(block) });

/** A tail over a node whose blocks and answers the test sets. */
const openHead = async (id: string) => {
  const branches = new Map<number, number>();
  const late = new Set<number>();
  const node: { enrich: Enrich } = { enrich: async () => undefined };
  const fixed = fixedChain({ network: { id } });
  const refOf = (number: number) => {
    const { hash, parent_hash, time } = blockOf(number, branches.get(number) ?? 0);
    return { number, hash: toHex(hash), parent_hash: toHex(parent_hash), time };
  };
  const chain = {
    ...fixed,
    ref: async (number: number) => (branches.has(number) ? refOf(number) : null),
    blocks: async (from: number, to: number) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      const missing = numbers.find((number) => late.has(number));
      if (missing !== undefined) throw unavailable(missing);
      return numbers.map((number) => blockOf(number, branches.get(number) ?? 0));
    },
  };
  const index_store = openIndexStore(store, chain.network, Date.now);
  const quarantine = new Quarantine({ network: id, store: index_store, log: silentLog, now_ms: Date.now });
  const parts = {
    chain,
    store: index_store,
    decode: (block: Block) => decodeBlock(block, chain.network, new Map()),
    complete: async () => undefined,
    enrich: (...asked: Parameters<Enrich>) => node.enrich(...asked),
    openings: "skip",
    segment_rows: 75_000,
    log: silentLog,
    now: () => 0,
    poll_ms: 1,
  } as const;
  const head = new Head(parts, quarantine);
  await store.writer.insert("networks", [
    { network: id, chain_id: 1, from_block: START, from_hash: bytes(hashOf(START)), is_opened: 0, written_at: 0 },
  ]);
  await head.open(START);
  return {
    head,
    node,
    /** The node gets the block; its head triggers a step. */
    step: async (number: number, branch = 0) => {
      branches.set(number, branch);
      return head.step(refOf(number), signal);
    },
    lose: (number: number) => branches.delete(number),
    /** Blocks that the node names and cannot serve yet. */
    late,
    /** The node, behind a load balancer, reports this as its newest block. */
    fallBack: (number: number) => {
      for (const other of [...branches.keys()]) if (other > number) branches.delete(other);
      return head.step(refOf(number), signal);
    },
    /** Numbers of the blocks with a row in the table. */
    rowsOf: async (table: "blocks" | "transfers" | "ledger") =>
      (await store.query(`SELECT block_number FROM ${table} WHERE network = '${id}' ORDER BY block_number`)).map(
        ([number]) => Number(number),
      ),
    shown: async () => (await store.facts.snapshot(id, null)).block,
  };
};

const refuse: Enrich = async () => {
  throw new Error("the node does not answer");
};

test("the rows of a block are written while the node is queried about it, and its block row comes last", async () => {
  const { node, step, rowsOf, shown } = await openHead("asked");
  await step(64);
  let answer = (): void => undefined;
  node.enrich = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const written = step(65);
  await expect.poll(() => rowsOf("ledger"), { timeout: 10_000 }).toEqual([64, 65]);
  expect(await rowsOf("blocks")).toEqual([64]);
  expect((await shown()).number).toBe(64);
  answer();
  expect(await written).toBe(1);
  expect(await rowsOf("blocks")).toEqual([64, 65]);
  expect((await shown()).number).toBe(65);
});

test("a block that a node cannot complete is shown once it can, once, and without a rollback", async () => {
  const { head, node, step, rowsOf, shown } = await openHead("silent");
  await step(64);
  const { tail_drops } = await store.facts.snapshot("silent", null);
  node.enrich = refuse;
  await expect(step(65)).rejects.toThrow("does not answer");
  // Nor at a retry.
  await expect(step(65)).rejects.toThrow("does not answer");
  expect([head.tip?.number, (await shown()).number]).toEqual([64, 64]);
  node.enrich = async () => undefined;
  // The node has another block meanwhile: the one that waits comes first.
  expect([await step(66), head.tip?.number]).toEqual([1, 65]);
  expect([await step(66), head.tip?.number]).toEqual([1, 66]);
  for (const table of ["blocks", "transfers", "ledger"] as const) expect(await rowsOf(table)).toEqual([64, 65, 66]);
  expect((await store.facts.snapshot("silent", null)).tail_drops).toBe(tail_drops);
});

test("a block that its node replaces before it was shown leaves no row", async () => {
  const { node, step, rowsOf, shown } = await openHead("replaced");
  await step(64);
  node.enrich = refuse;
  await expect(step(65)).rejects.toThrow("does not answer");
  node.enrich = async () => undefined;
  // Its run of 32 blocks goes, and is read again.
  expect(await step(65, 1)).toBe(0);
  expect(await rowsOf("transfers")).toEqual([]);
  expect(await step(65, 1)).toBe(2);
  for (const table of ["blocks", "transfers", "ledger"] as const) expect(await rowsOf(table)).toEqual([64, 65]);
  expect((await shown()).hash).toBe(hashOf(65, 1));
});

test("a shown block that is replaced also removes one that was not shown yet", async () => {
  const { head, node, step, lose, rowsOf } = await openHead("shorter");
  await step(64);
  await step(65);
  node.enrich = refuse;
  await expect(step(66)).rejects.toThrow("does not answer");
  node.enrich = async () => undefined;
  // Another branch, one block shorter.
  lose(66);
  expect([await step(65, 1), head.tip]).toEqual([0, null]);
  expect(await rowsOf("transfers")).toEqual([]);
  expect(await step(65, 1)).toBe(2);
  for (const table of ["blocks", "transfers", "ledger"] as const) expect(await rowsOf(table)).toEqual([64, 65]);
});

test("a newest block that the node cannot serve yet does not delay those below it", async () => {
  const { head, step, late, rowsOf } = await openHead("late");
  await step(64);
  late.add(67).add(70);
  // The head is 70: the blocks below the first missing one are written.
  expect([await step(70), head.tip?.number]).toEqual([2, 66]);
  expect(await rowsOf("blocks")).toEqual([64, 65, 66]);
  // If that block is the next one there is nothing to write, and the step fails.
  await expect(step(70)).rejects.toThrow("no node answers");
  late.delete(67);
  expect([await step(70), head.tip?.number]).toEqual([3, 69]);
  late.clear();
  expect([await step(70), head.tip?.number]).toEqual([1, 70]);
});

test("a node whose head drops by some blocks has not reorganised", async () => {
  const { head, step, fallBack, rowsOf } = await openHead("behind");
  for (const number of [64, 65, 66]) await step(number);
  const { tail_drops } = await store.facts.snapshot("behind", null);
  expect(await fallBack(65)).toBe(0);
  // Even below the whole tail.
  expect(await fallBack(60)).toBe(0);
  expect(head.tip?.number).toBe(66);
  expect(await rowsOf("blocks")).toEqual([64, 65, 66]);
  expect((await store.facts.snapshot("behind", null)).tail_drops).toBe(tail_drops);
  // Another block of that number is a reorganisation, whatever the node lacks above it.
  expect(await step(65, 1)).toBe(0);
  expect(head.tip).toBeNull();
});
