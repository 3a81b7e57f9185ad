import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, openTestFacts, type TestFacts, testAddress } from "../../test/facts_store.ts";
import { fixedChain } from "../../test/fixed_chain.ts";
import { toHex } from "../lib/bytes.ts";
import { DAY_S, HOUR_S } from "../lib/time.ts";
import type { SwapsRow } from "../store/tables.gen.ts";
import { SandwichLabels } from "./sandwich_labels.ts";

const [BOT, VICTIM, MAKER] = [0x11, 0x22, 0x33].map(testAddress) as [Uint8Array, Uint8Array, Uint8Array]; // three numbers, three addresses
const POOL = testAddress(0xf0);
/** A midnight. */
const T0 = 1_785_542_400;
const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** One hour per block. */
const timeOf = (block: number): number => T0 + block * HOUR_S;

/** A swap: the sign is its direction. Each trader of a block has a transaction per swap. */
const swap = (block: number, at: number, [trader, way]: readonly [Uint8Array, 1 | -1]): SwapsRow => ({
  network: "demo",
  pool: POOL,
  block_number: block,
  tx_index: at,
  log_index: at,
  time: timeOf(block),
  tx_hash: blockHash(block * 10 + at),
  caller: trader,
  recipient: trader,
  trader,
  amount0: BigInt(way) * 5n,
  amount1: BigInt(-way) * 5n,
});

const sandwich = (block: number, trader = BOT): SwapsRow[] => [
  swap(block, 0, [trader, 1]),
  swap(block, 1, [VICTIM, 1]),
  swap(block, 2, [trader, -1]),
];

const blocks = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n).map((number) => ({
    network: "demo",
    block_number: number,
    hash: blockHash(number),
    parent_hash: blockHash(Math.max(0, number - 1)),
    time: timeOf(number),
    producer: MAKER,
    transaction_count: 0,
    has_traces: 1,
    verified: "full" as const,
  }));

const index = (from: number, to: number, swaps: readonly SwapsRow[]) =>
  store.seed({ network: "demo", from, to, first: 0 }, { blocks: blocks(from, to), swaps: [...swaps] });

const labelled = () =>
  store.query(
    "SELECT lower(hex(address)), category, toUnixTimestamp(valid_from), evidence FROM labels FINAL WHERE source = 'sandwiches' ORDER BY ALL",
  );

test("three sandwiches on one day make a bot; two and one, or trades around no other trade, do not", async () => {
  const enclosesNobody = [swap(3, 0, [MAKER, 1]), swap(3, 1, [MAKER, -1]), swap(3, 2, [VICTIM, 1])];
  const sameWay = [swap(4, 0, [MAKER, 1]), swap(4, 1, [VICTIM, 1]), swap(4, 2, [MAKER, 1])];
  const first = [...sandwich(1), ...sandwich(2), ...enclosesNobody, ...sameWay, ...sandwich(5, MAKER)];
  // Day 0 has blocks 0 to 23, day 1 blocks 24 to 47, day 2 begins with block 48.
  await index(0, 23, [...first, ...sandwich(6, MAKER)]);
  await index(24, 47, [...sandwich(24, MAKER), ...sandwich(30), ...sandwich(31), ...sandwich(40)]);
  const pass = new SandwichLabels({ network: fixedChain().network, store, now_ms: () => 1_000 });
  await pass.update(signal);
  expect(await labelled()).toEqual([]); // day 1 is not known to be over
  await index(48, 60, []);
  await pass.update(signal);
  // Valid from the second midnight after day 1; the evidence is the front of the day's first one, block 30.
  const bot = [toHex(BOT), "mev_bot", T0 + 3 * DAY_S, `0x${toHex(blockHash(300))}`];
  expect(await labelled()).toEqual([bot]);
  await index(61, 80, [...sandwich(62), ...sandwich(63), ...sandwich(64)]);
  await pass.update(signal);
  expect(await labelled()).toEqual([bot]); // it keeps its first day
  await new SandwichLabels({ network: fixedChain().network, store, now_ms: () => 2_000 }).update(signal);
  expect(await labelled()).toEqual([bot]);
});
