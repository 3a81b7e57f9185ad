import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { is_long, sized } from "../../test/long.ts";
import { lossyChain, openNode } from "../../test/lossy_chain.ts";
import { contentsOf, indexOnce, openIndexer, SOUND } from "../../test/lossy_index.ts";
import type { Engine } from "../store/engine.ts";
import { readGaps } from "../store/gaps.ts";

/** Blocks 0 to 63 become segments, 64 to 70 are the tail. */
const HEAD = 70;
const FINAL = 63;
const HOUR_MS = 3_600_000;

let store: TestFacts;
let clean: Awaited<ReturnType<typeof contentsOf>>;
beforeAll(async () => {
  store = await openTestFacts();
  await indexOnce(lossyChain("clean", openNode(HEAD, FINAL)), store.engine);
  clean = await contentsOf(store, "clean");
  expect(clean.wrong).toEqual(SOUND);
});
afterAll(() => store.close());

const coverageOf = async (network: string) => (await store.facts.snapshot(network, null)).coverage;

/** A network that was indexed while its node had lost the traces of these blocks. */
const indexedWithout = async (id: string, lost: readonly number[]) => {
  const node = openNode(HEAD, FINAL);
  node.lacksTraces = (number) => lost.includes(number);
  const chain = lossyChain(id, node);
  expect(await indexOnce(chain, store.engine)).toBe("done");
  return { node, chain };
};

test("blocks whose traces were lost once are read again, and all rows are those of a clean index", async () => {
  const { node, chain } = await indexedWithout("once", [20, 21, 50]);
  expect(await coverageOf("once")).toMatchObject({
    traces: false,
    complete: true,
    trace_gaps: [
      [20, 21],
      [50, 50],
    ],
  });
  expect((await contentsOf(store, "once")).hashes).not.toEqual(clean.hashes);
  node.lacksTraces = () => false;
  const before = await store.facts.snapshot("once", null);
  expect(await indexOnce(chain, store.engine)).toBe("done");
  expect(await coverageOf("once")).toMatchObject({ traces: true, complete: true });
  expect(await contentsOf(store, "once")).toEqual(clean);
  expect(await readGaps(store.engine, "once")).toEqual([]);
  expect(await store.facts.isCurrent(before)).toBe(false);
});

test.skipIf(!is_long)(
  "an index of an older version does not record which blocks lack traces: whole segments are read again",
  async () => {
    const { node, chain } = await indexedWithout("older", [20]);
    await store.engine.command(
      "ALTER TABLE segments UPDATE untraced = '' WHERE network = 'older' SETTINGS mutations_sync = 1",
    );
    node.lacksTraces = () => false;
    expect(await indexOnce(chain, store.engine)).toBe("done");
    expect(await coverageOf("older")).toMatchObject({ traces: true });
    expect(await contentsOf(store, "older")).toEqual(clean);
  },
);

test("traces that are lost for an hour are requested with growing pauses, one block at a time", async () => {
  const { node, chain } = await indexedWithout("hour", [20, 21, 50]);
  let clock = Date.now();
  const end = new AbortController();
  node.asked = [];
  const indexer = openIndexer(chain, store.engine, { now_ms: () => clock, poll_ms: 1 });
  const running = indexer.run({ once: false, signal: end.signal });
  const asked = (block: number) => node.asked.filter((number) => number === block).length;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((done) => setTimeout(done, 5));
  };
  try {
    // The newest block of each gap, and no other.
    await until(() => asked(50) === 1 && asked(21) === 1);
    for (const [minutes, times] of [
      [1, 2],
      [2, 3],
      [4, 4],
      [8, 5],
    ] as const) {
      clock += minutes * 60_000 - 1;
      await new Promise((done) => setTimeout(done, 30));
      expect([asked(50), asked(21)]).toEqual([times - 1, times - 1]);
      clock += 1;
      await until(() => asked(50) === times && asked(21) === times);
    }
    expect([asked(20), asked(49)]).toEqual([0, 0]);
    node.lacksTraces = () => false;
    clock += HOUR_MS;
    await until(() => asked(0) > 0 && asked(63) > 0);
    // While a segment is written again, coverage ends above it.
    const isHealed = ({ traces, complete }: Awaited<ReturnType<typeof coverageOf>>) => traces && complete;
    while (!isHealed(await coverageOf("hour"))) await new Promise((done) => setTimeout(done, 20));
  } finally {
    end.abort();
    await running;
  }
  expect(await contentsOf(store, "hour")).toEqual(clean);
});

test.skipIf(!is_long)("without a tracing endpoint nothing is requested, until one traces", async () => {
  const node = openNode(HEAD, FINAL);
  node.can_trace = false;
  const chain = lossyChain("never", node);
  await indexOnce(chain, store.engine);
  expect(await coverageOf("never")).toMatchObject({ traces: false, trace_gaps: [[0, HEAD]] });
  node.asked = [];
  await indexOnce(chain, store.engine);
  expect(node.asked.filter((number) => number <= FINAL)).toEqual([]);
  node.can_trace = true;
  await indexOnce(chain, store.engine);
  expect(await coverageOf("never")).toMatchObject({ traces: true });
  expect(await contentsOf(store, "never")).toEqual(clean);
});

test.skipIf(!is_long)("a segment of which some traces are still lost gets those that are available", async () => {
  const { node, chain } = await indexedWithout("part", [20, 21]);
  node.lacksTraces = (number) => number === 20;
  await indexOnce(chain, store.engine);
  expect(await coverageOf("part")).toMatchObject({ traces: false, trace_gaps: [[20, 20]] });
  node.lacksTraces = () => false;
  await indexOnce(chain, store.engine);
  expect(await contentsOf(store, "part")).toEqual(clean);
});

test("labels and prices are derived again before the record of a healed segment is closed", async () => {
  const { node, chain } = await indexedWithout("derived", [20]);
  node.lacksTraces = () => false;
  const again: number[] = [];
  const failing = async () => {
    if (again.length > 0) throw new Error("cut off");
  };
  const ended = openIndexer(chain, store.engine, { deriveAgain: (block) => again.push(block), updateLabels: failing });
  expect(await ended.run({ once: true, signal: new AbortController().signal })).toBe("failed");
  expect(await coverageOf("derived")).toMatchObject({ traces: true });
  // The record makes the next start repeat it.
  const later: number[] = [];
  await indexOnce(chain, store.engine, { deriveAgain: (block) => later.push(block) });
  await indexOnce(chain, store.engine, { deriveAgain: (block) => later.push(block) });
  expect([again[0], later]).toEqual([0, [0]]);
});

describe("an end in the middle of healing", () => {
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

  const heal = async (id: string, writes: number, is_done: boolean) => {
    const { node, chain } = await indexedWithout(id, [20]);
    node.lacksTraces = () => false;
    const engine = endingAfter(writes, is_done);
    const end = new AbortController();
    const ending = openIndexer(chain, engine).run({ once: true, signal: end.signal });
    await ending;
    return { node, chain, writes: engine.written() };
  };

  test("the next start makes the rows of a clean index, after an end at any statement", async () => {
    const all = (await heal("kill all", Number.MAX_SAFE_INTEGER, false)).writes;
    expect(await contentsOf(store, "kill all")).toEqual(clean);
    const points = sized({ slice: 1, long: Math.min(16, all) });
    for (let point = 0; point < points; point += 1) {
      const writes = 1 + Math.floor(((point + 0.5) / points) * all);
      const id = `kill ${writes} ${point % 2}`;
      const { node, chain } = await heal(id, writes, point % 2 === 1);
      // In half of the cases the node has lost the traces again at the retry.
      node.lacksTraces = (number) => point % 4 < 2 && number === 20;
      expect(await indexOnce(chain, store.engine)).toBe("done");
      expect((await contentsOf(store, id)).wrong, id).toEqual(SOUND);
      node.lacksTraces = () => false;
      expect(await indexOnce(chain, store.engine)).toBe("done");
      expect(await contentsOf(store, id), id).toEqual(clean);
    }
  }, 900_000);
});
