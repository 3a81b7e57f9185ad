import { afterAll, beforeAll, expect, test } from "vitest";
import { blockRows, openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { openLeases } from "../accounts/index_leases.ts";
import { openTemporary, type TemporaryStore } from "../accounts/testing/temporary.ts";
import { silentLog } from "../lib/log.ts";
import { thisProcess } from "../lib/processes.ts";
import type { Engine } from "../store/engine.ts";
import { enterFence, fenceEngine } from "../store/fence.ts";
import { offerRanges } from "../store/offers.ts";
import { openWriter } from "../store/writer.ts";
import type { RangeHold, SegmentOptions } from "./options.ts";
import { SharedRanges } from "./shared_ranges.ts";

const LEASE_MS = 1_000;
const never = new AbortController().signal;
const lost = expect.objectContaining({ code: "LEASE_LOST" });
const COPY = "INSERT INTO blocks (network, block_number) SELECT 'late', number FROM numbers(10)";

let facts: TestFacts;
let accounts: TemporaryStore;
beforeAll(async () => {
  [facts, accounts] = await Promise.all([openTestFacts(), openTemporary()]);
});
afterAll(async () => {
  await facts.close();
  await accounts.remove();
});

/**
 * A process with a clock of its own, which records the parts that it writes a range with, by the range's first block.
 */
const openProcess = async (network: string, epoch: number) => {
  const database = await accounts.connect();
  const clock = { at: 0, is_asleep: false };
  const engines = new Map<string, Engine>();
  const ranges = new SharedRanges({
    network,
    engine: facts.engine,
    writer: null,
    epoch,
    leases: openLeases({
      database: {
        all: database.all,
        get: database.get,
        // Renewals follow the real clock: a process that sleeps sends none.
        run: async (sql, values) => {
          if (clock.is_asleep) throw new Error("asleep");
          return database.run(sql, values);
        },
      },
      self: thisProcess(),
      lease_ms: LEASE_MS,
      monotonic: () => clock.at,
      now: () => 0,
      log: silentLog,
    }),
    open: (engine, name) => {
      engines.set(name, engine);
      // No test reads through these parts: the engine itself decides who may write.
      return {} as SegmentOptions;
    },
    log: silentLog,
  });
  const close = async (...holds: readonly (RangeHold | null)[]) => {
    for (const hold of holds) await hold?.release();
    await database.close();
  };
  return { ranges, clock, engineOf: (name: string) => engines.get(name), close };
};

/** The network's indexer enters an epoch and offers two ranges of 64 blocks. */
const offer = async (network: string, epoch: number, ranges = [range(0), range(64)]): Promise<void> => {
  await enter(network, epoch);
  const fence = { subject: network, epoch, holder: `indexer ${epoch}` };
  const engine = fenceEngine(facts.engine, fence, { confirm: async () => undefined, signal: never });
  await offerRanges(openWriter(engine), { network, epoch, ranges });
};

const enter = (network: string, epoch: number): Promise<void> =>
  enterFence(
    facts.engine,
    { subject: network, epoch, holder: `indexer ${epoch}` },
    { host: "", pid: 0, signal: never },
  );

const range = (from: number) => ({ from, to: from + 63 });
const ALL = [{ from: 0, to: 127 }];

test("two processes take different ranges, the newest first, and a third one gets none", async () => {
  await offer("two", 1);
  const [a, b, c] = [await openProcess("two", 1), await openProcess("two", 1), await openProcess("two", 1)];
  const first = await a.ranges.take(ALL, never);
  const second = await b.ranges.take(ALL, never);
  expect([first?.range, second?.range]).toEqual([range(64), range(0)]);
  expect(await c.ranges.take(ALL, never)).toBeNull();
  // A released range is free at once, and a range without missing blocks is not taken.
  await second?.release();
  expect(await c.ranges.take([{ from: 100, to: 110 }], never)).toBeNull();
  const third = await c.ranges.take([{ from: 10, to: 12 }], never);
  expect(third?.range).toEqual(range(0));
  await Promise.all([a.close(first), b.close(), c.close(third)]);
});

test("the range of a silent holder is taken, and its later writes are rejected or have no effect", async () => {
  await offer("late", 1, [range(0)]);
  const [a, b] = [await openProcess("late", 1), await openProcess("late", 1)];
  const first = await a.ranges.take(ALL, never);
  const slept = a.engineOf("late@0-63");
  a.clock.is_asleep = true;
  expect(await b.ranges.take(ALL, never)).toBeNull();
  b.clock.at += LEASE_MS - 1;
  expect(await b.ranges.take(ALL, never)).toBeNull();
  b.clock.at += 1;
  const second = await b.ranges.take(ALL, never);
  expect(second?.range).toEqual(range(0));
  const owner = b.engineOf("late@0-63");
  if (slept === undefined || owner === undefined) throw new Error("a range was not opened");
  await openWriter(owner, "late@0-63").insert("blocks", blockRows({ network: "late", from: 0, to: 9 }));
  // The clock of the first one does not advance, so its lease looks valid to it: only the store rejects the write.
  await expect(openWriter(slept).insert("blocks", blockRows({ network: "late", from: 0, to: 9 }))).rejects.toEqual(
    lost,
  );
  await expect(slept.command(COPY)).rejects.toEqual(lost);
  await expect(slept.command("DELETE FROM blocks WHERE network = 'late'")).rejects.toEqual(lost);
  expect(await facts.query("SELECT count() FROM blocks WHERE network = 'late'")).toEqual([["10"]]);
  await Promise.all([a.close(first), b.close(second)]);
});

test("a new indexer of the network ends all ranges, and they are taken again after its offer", async () => {
  await offer("next", 1);
  const helper = await openProcess("next", 1);
  const hold = await helper.ranges.take(ALL, never);
  const engine = helper.engineOf("next@64-127");
  if (engine === undefined) throw new Error("the range was not opened");
  const write = (from: number) => openWriter(engine).insert("blocks", blockRows({ network: "next", from, to: from }));
  await write(64);
  await enter("next", 2);
  await expect(write(65)).rejects.toEqual(lost);
  expect(await helper.ranges.take(ALL, never)).toBeNull();
  // It offers the blocks missing now, beside the earlier offers.
  await offer("next", 2, [{ from: 128, to: 140 }]);
  expect(await helper.ranges.take(ALL, never)).toBeNull();
  const again = await openProcess("next", 2);
  expect(await again.ranges.offered()).toEqual([range(0), range(64), { from: 128, to: 140 }]);
  await hold?.release();
  const taken = await again.ranges.take(ALL, never);
  expect(taken?.range).toEqual(range(64));
  // Another holder has the range, and the old right stays void.
  await expect(write(66)).rejects.toEqual(lost);
  expect(await facts.query("SELECT count() FROM blocks WHERE network = 'next'")).toEqual([["1"]]);
  await Promise.all([helper.close(), again.close(taken)]);
});

test("before an offer, and of a network without an indexer, nothing is taken", async () => {
  const nobody = await openProcess("unknown", 0);
  expect(await nobody.ranges.take(ALL, never)).toBeNull();
  await enter("unknown", 1);
  const early = await openProcess("unknown", 1);
  expect(await early.ranges.take(ALL, never)).toBeNull();
  await Promise.all([nobody.close(), early.close()]);
});
