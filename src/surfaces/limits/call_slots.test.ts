import fc from "fast-check";
import { expect, test } from "vitest";
import { type CallSlots, openCallSlots, type SlotRefusal, shareOf } from "./call_slots.ts";

const DONE = { status: 200 };

interface RunningCall {
  readonly account: string;
  readonly result: Promise<unknown>;
  readonly end: (how: "answer" | "throw" | "gone") => void;
}

/** The accounts of running calls, in a plain list. */
interface Model {
  readonly first: number;
  slots: number;
  readonly share_percent: number;
  running: string[];
  refused: Record<SlotRefusal, number>;
}

interface Real {
  readonly pool: CallSlots;
  readonly running: RunningCall[];
  readonly refusals: SlotRefusal[];
}

type Command = fc.AsyncCommand<Model, Real>;

const check = (model: Model, { pool, refusals }: Real): void => {
  expect(pool.used).toBe(model.running.length);
  expect(pool.slots).toBe(model.slots);
  for (const why of ["slots", "share"] as const)
    expect(refusals.filter((one) => one === why)).toHaveLength(model.refused[why]);
};

const command = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  async run(model, real) {
    await run(model, real);
    check(model, real);
  },
  toString: () => name,
});

const begin = (pool: CallSlots, account: string): RunningCall => {
  let end: RunningCall["end"] = () => undefined;
  const work = new Promise<typeof DONE | null>((resolve, reject) => {
    end = (how) => {
      if (how === "throw") reject(new Error("it broke"));
      else resolve(how === "gone" ? null : DONE);
    };
  });
  const result = pool.run(account, () => work).catch((error: unknown) => error);
  return { account, result, end };
};

const enter = fc.constantFrom("a", "b", "c", "d").map((account) =>
  command(`enter ${account}`, async (model, real) => {
    const own = model.running.filter((one) => one === account).length;
    const has_share = own < Math.max(1, Math.floor((model.slots * model.share_percent) / 100));
    const is_free = model.running.length < (own === 0 ? model.first : model.slots);
    const one = begin(real.pool, account);
    if (has_share && is_free) {
      model.running.push(account);
      real.running.push(one);
      return;
    }
    model.refused[has_share ? "slots" : "share"] += 1;
    expect(await one.result).toBe(has_share ? "slots" : "share");
  }),
);

const leave = fc
  .record({ pick: fc.nat(), how: fc.constantFrom<"answer" | "throw" | "gone">("answer", "throw", "gone") })
  .map(({ pick, how }) =>
    command(`leave ${pick} ${how}`, async (model, real) => {
      const place = pick % Math.max(1, real.running.length);
      const [one] = real.running.splice(place, 1);
      if (one === undefined) return;
      model.running.splice(place, 1);
      one.end(how);
      const result = await one.result;
      expect(how === "throw" ? String(result) : result).toEqual(
        { answer: DONE, throw: "Error: it broke", gone: null }[how],
      );
    }),
  );

const resize = fc.integer({ min: 1, max: 12 }).map((slots) =>
  command(`resize ${slots}`, async (model, { pool }) => {
    model.slots = Math.min(slots, model.first);
    pool.resize(slots);
  }),
);

test("a call of any account, in any order of calls, runs exactly when a slot and a part of its account's share are free", async () => {
  const commands = fc.commands([enter, enter, enter, leave, leave, resize], { size: "+1", maxCommands: 80 });
  const first = fc.record({ slots: fc.integer({ min: 1, max: 12 }), share_percent: fc.integer({ min: 1, max: 100 }) });
  const runs = fc.asyncProperty(first, commands, async (settings, list) => {
    const refusals: SlotRefusal[] = [];
    const pool = openCallSlots({ ...settings, onRefusal: (why) => refusals.push(why) });
    const real: Real = { pool, running: [], refusals };
    const model: Model = { ...settings, first: settings.slots, running: [], refused: { slots: 0, share: 0 } };
    await fc.asyncModelRun(() => ({ model, real }), list);
    for (const one of real.running) one.end("answer");
    await Promise.all(real.running.map(({ result }) => result));
    expect(pool.used).toBe(0);
  });
  await fc.assert(runs, { numRuns: 200, endOnFailure: true });
});

test("an account that has no slot gets one though others took more than there are now", async () => {
  const pool = openCallSlots({ slots: 40, share_percent: 25 });
  const greedy = Array.from({ length: 30 }, (_, at) => begin(pool, `greedy ${at % 3}`));
  pool.resize(16);
  const [modest, second] = [begin(pool, "modest"), begin(pool, "modest")];
  expect(await second.result).toBe("slots");
  expect(await begin(pool, "greedy 0").result).toBe("share");
  for (const one of [...greedy, modest]) one.end("answer");
  expect(await modest.result).toBe(DONE);
});

test("work that throws before it waits frees its slot", async () => {
  const pool = openCallSlots({ slots: 1, share_percent: 100 });
  const broken = pool.run("a", () => {
    throw new Error("at once");
  });
  await expect(broken).rejects.toThrow("at once");
  expect(pool.used).toBe(0);
});

test.each([
  // 25 % of 256; 25 % of 3 rounds down to 0, and one is the least; all of 7.
  [256, 25, 64],
  [3, 25, 1],
  [7, 100, 7],
])("of %i slots %i percent are %i", (slots, percent, share) => {
  expect(shareOf(slots, percent)).toBe(share);
});
