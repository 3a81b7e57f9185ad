/** A node that has lost the inner calls of some blocks and serves them later. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { factsHash } from "../../../test/facts_hash.ts";
import { openTestFacts, type TestFacts } from "../../../test/facts_store.ts";
import { sized } from "../../../test/long.ts";
import { FIRST_BATCH, LossyBatches, RECEIVED, WALLET } from "../../../test/lossy_batches.ts";
import { toHex } from "../../lib/bytes.ts";
import type { Engine } from "../../store/engine.ts";

const MINUTE_MS = 60_000;
const signal = new AbortController().signal;

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store.close());

/** The wallet's blocks were read while the node lacked the inner calls of these. */
const readWithout = async (network: string, lost: readonly number[]): Promise<LossyBatches> => {
  const world = new LossyBatches(store, network);
  world.node.lacksTraces = (number) => lost.includes(number);
  await world.read();
  world.node.asked = [];
  return world;
};

const hashOf = (network: string) => factsHash(store.engine, network, Number.MAX_SAFE_INTEGER);

const HEALED = {
  ...{ state: "read", is_rewriting: false, untraced: [], is_balanced: true, is_plain: true },
  ...{ to_block: 60, verified: "full", found: 6 },
};

test("a lost block is read again with its batch, and the record of its address follows", async () => {
  const world = await readWithout("once", [16]);
  expect(await world.received()).toEqual(RECEIVED.filter(([block]) => block !== 16));
  world.node.lacksTraces = () => false;
  const { healer } = await world.open();
  expect(healer.is_idle).toBe(false);
  expect(await healer.step(signal)).toBe(1);
  // The block, then its batch; the other one is left alone.
  expect(world.node.asked).toEqual([16, ...FIRST_BATCH]);
  expect(await world.received()).toEqual(RECEIVED);
  expect(await world.record()).toMatchObject({ ...HEALED, rewrites: 1 });
  expect(world.searches).toMatchObject([{ address: toHex(WALLET), after: 59, to: 60, is_followed: true }]);
  expect(await world.isSound()).toBe(true);
  await readWithout("clean", []);
  expect(await hashOf("once")).toEqual(await hashOf("clean"));
});

test("the newest lost block of each stretch is requested after growing pauses, and no other", async () => {
  const world = await readWithout("pauses", [13, 16, 43]);
  const { healer } = await world.open();
  const stepOften = async () => {
    for (let step = 0; step < 4; step += 1) expect(await healer.step(signal)).toBe(0);
  };
  // 46 and 40 have their inner calls: 43 is one stretch, 13 and 16 are another.
  await stepOften();
  expect(world.node.asked).toEqual([43, 16]);
  expect(healer.is_idle).toBe(true);
  for (const [minutes, times] of [
    [1, 2],
    [2, 3],
    [4, 4],
  ] as const) {
    world.clock += minutes * MINUTE_MS - 1;
    await stepOften();
    expect(world.node.asked).toHaveLength(2 * (times - 1));
    world.clock += 1;
    await stepOften();
    expect(world.node.asked).toEqual(Array.from({ length: times }, () => [43, 16]).flat());
  }
});

test("a node that traces nothing gets no requests", async () => {
  const world = await readWithout("never", [16]);
  world.node.can_trace = false;
  const { healer } = await world.open();
  expect(await healer.step(signal)).toBe(0);
  expect([healer.is_idle, world.node.asked]).toEqual([true, []]);
});

test("a batch is left alone while another block of it would lose what is stored", async () => {
  const world = await readWithout("trade", [16]);
  world.node.lacksTraces = (number) => number === 10;
  const { healer } = await world.open();
  expect(await healer.step(signal)).toBe(0);
  expect(await world.received()).toEqual(RECEIVED.filter(([block]) => block !== 16));
  expect(await world.record()).toMatchObject({ state: "read", rewrites: 0 });
});

test("a batch of which some inner calls are still lost gets those that are available", async () => {
  const world = await readWithout("part", [13, 16]);
  world.node.lacksTraces = (number) => number === 13;
  const { healer } = await world.open();
  expect(await healer.step(signal)).toBe(1);
  expect(await world.received()).toEqual(RECEIVED.filter(([block]) => block !== 13));
  expect(await world.record()).toMatchObject({ state: "read", untraced: [[13, 13]], is_balanced: false });
});

/** An engine that ends with its nth statement that writes, before it or after it. */
const endingAfter = (writes: number, is_done: boolean): Engine & { readonly written: () => number } => {
  let count = 0;
  const write = async (work: () => Promise<void>): Promise<void> => {
    count += 1;
    if (count > writes || (count === writes && !is_done)) throw new Error("the process ended");
    await work();
    if (count === writes) throw new Error("the process ended");
  };
  const { engine } = store;
  return {
    ...engine,
    command: (...asked) => write(() => engine.command(...asked)),
    insert: (...asked) => write(() => engine.insert(...asked)),
    written: () => count,
  };
};

test("the next start makes rows and records right, after an end at any statement", async () => {
  await readWithout("kept", []);
  const expected = await hashOf("kept");
  const heal = async (network: string, engine: Engine) => {
    const world = await readWithout(network, [16]);
    world.node.lacksTraces = () => false;
    const { healer } = await world.open(engine);
    const has_ended = await healer.step(signal).then(
      () => false,
      () => true,
    );
    return { world, has_ended };
  };
  const whole = endingAfter(Number.MAX_SAFE_INTEGER, true);
  expect((await heal("all", whole)).has_ended).toBe(false);
  const points = sized({ slice: 4, long: Math.min(16, whole.written()) });
  for (let point = 0; point < points; point += 1) {
    const writes = 1 + Math.floor(((point + 0.5) / points) * whole.written());
    const network = `end ${writes} ${point % 2}`;
    const { world, has_ended } = await heal(network, endingAfter(writes, point % 2 === 1));
    expect(has_ended).toBe(true);
    const { healer } = await world.open();
    expect(await world.isSound(), network).toBe(true);
    // An end before the first mark of the batch leaves all of it to be healed.
    while (!healer.is_idle) await healer.step(signal);
    expect(await world.record(), network).toMatchObject(HEALED);
    expect(await hashOf(network), network).toEqual(expected);
  }
}, 900_000);
