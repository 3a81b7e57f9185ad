import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Lease, LeaseAnswer, LeaseHolder } from "../lib/lease.ts";
import { silentLog } from "../lib/log.ts";
import { type ProcessIdentity, startOf, thisProcess } from "../lib/processes.ts";
import type { Database } from "./database.ts";
import { openLeases } from "./index_leases.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

const LEASE_MS = 1_000;
const SUBJECT = { facts: "store", network: "demo" };

let store: TemporaryStore;
let databases: Database[];
let leases: Lease[];
beforeEach(async () => {
  [databases, leases] = [[], []];
  store = await openTemporary();
});
afterEach(async () => {
  for (const lease of leases) await lease.release();
  for (const database of databases) await database.close();
  await store.remove();
});

interface Contender {
  readonly ask: (known_epoch?: number) => Promise<LeaseAnswer>;
  /** What passes on its own clock. */
  readonly clock: { at: number };
  /** Its clock of the day. */
  readonly day: { at: number };
  /** While true no renewal of it reaches the store. */
  cut: boolean;
  /** While true the store does not answer its renewals. */
  silent: boolean;
}

/** An indexer on a connection and clocks of its own; timers of leases go by the real clock and are out of the way. */
const openContender = async (self: Partial<ProcessIdentity> = {}, subject = SUBJECT): Promise<Contender> => {
  const database = await store.connect();
  databases.push(database);
  const clock = { at: 1_000_000 * databases.length };
  const day = { at: Date.UTC(2026, 0, databases.length) };
  const contender: Contender = { ask: (known = 0) => ask(known), clock, day, cut: false, silent: false };
  const opened = openLeases({
    database: {
      all: database.all,
      get: database.get,
      run: async (sql, values) => {
        if (contender.cut) throw new Error("cut off");
        while (contender.silent) await sleep(20);
        return database.run(sql, values);
      },
    },
    self: { ...thisProcess(), ...self },
    lease_ms: LEASE_MS,
    monotonic: () => clock.at,
    now: () => day.at,
    log: silentLog,
  });
  const wish = opened.wish(subject);
  const ask = async (known: number): Promise<LeaseAnswer> => {
    const answer = await wish.ask(known);
    if (answer.kind === "held") leases.push(answer.lease);
    return answer;
  };
  return contender;
};

const held = (answer: LeaseAnswer): Lease => {
  if (answer.kind !== "held") throw new Error(`taken by ${JSON.stringify(answer.by)}`);
  return answer.lease;
};

const holder = (answer: LeaseAnswer): LeaseHolder => {
  if (answer.kind !== "taken") throw new Error("it was given");
  return answer.by;
};

test("the first one gets the lease, and the second one is told who has it since when", async () => {
  const [a, b] = [await openContender({ host: "alpha", pid: process.pid }), await openContender()];
  const lease = held(await a.ask());
  expect(lease.epoch).toBe(1);
  await lease.confirm();
  expect(holder(await b.ask())).toEqual({ host: "alpha", pid: process.pid, since_ms: a.day.at });
});

test("of many who ask at once for a free lease exactly one gets it", async () => {
  for (let round = 1; round <= 5; round += 1) {
    const contenders = await Promise.all(Array.from({ length: 6 }, () => openContender()));
    const answers = await Promise.all(contenders.map(({ ask }) => ask()));
    const winners = answers.filter(({ kind }) => kind === "held");
    expect(winners.length).toBe(1);
    // Each round takes over once, after the lease was given back.
    for (const winner of winners) {
      expect(held(winner).epoch).toBe(round);
      await held(winner).release();
    }
  }
});

test("of many who see a lease run out exactly one takes it over, and its epoch is the next one", async () => {
  const first = await openContender();
  const old = held(await first.ask());
  first.cut = true;
  const contenders = await Promise.all(Array.from({ length: 6 }, () => openContender()));
  for (const { ask } of contenders) holder(await ask());
  for (const { clock } of contenders) clock.at += LEASE_MS;
  const answers = await Promise.all(contenders.map(({ ask }) => ask()));
  expect(answers.filter(({ kind }) => kind === "held").map((answer) => held(answer).epoch)).toEqual([old.epoch + 1]);
});

test("a lease is not taken over before it stood still for its whole length on the waiting one's own clock", async () => {
  const [a, b] = [await openContender(), await openContender()];
  held(await a.ask());
  a.cut = true;
  // What the first one's clocks say is nothing to the second one, and neither is any day's time.
  a.clock.at += 10 * LEASE_MS;
  b.day.at += 365 * 86_400_000;
  holder(await b.ask());
  b.clock.at += LEASE_MS - 1;
  holder(await b.ask());
  b.clock.at += 1;
  expect(held(await b.ask()).epoch).toBe(2);
});

test("the clock of the day going back or forth gives nobody a lease and takes none", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  for (const jump_ms of [86_400_000, -3 * 86_400_000]) {
    a.day.at += jump_ms;
    b.day.at -= jump_ms;
    await lease.confirm();
    holder(await b.ask());
  }
});

test("a holder that was stopped for longer than its lease writes nothing more, even before anything told it", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  a.cut = true; // no timer of a stopped process runs
  holder(await b.ask());
  for (const { clock } of [a, b]) clock.at += LEASE_MS;
  held(await b.ask());
  a.cut = false;
  await expect(lease.confirm()).rejects.toThrow(expect.objectContaining({ code: "LEASE_LOST" }));
  expect(lease.lost.aborted).toBe(true);
});

test("a holder writes nothing more before another process may begin, unless the store says that it still has the lease", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  a.cut = true;
  a.clock.at += LEASE_MS * 0.8;
  await lease.confirm();
  a.clock.at += 1;
  await expect(lease.confirm()).rejects.toThrow(expect.objectContaining({ code: "LEASE_LOST" }));
});

test("a process that was too busy to renew its lease keeps it while no other process has taken it", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  holder(await b.ask());
  const before = await readBeats();
  // Its event loop was blocked for ten leases: no timer ran, and the other process has not looked meanwhile.
  a.clock.at += 10 * LEASE_MS;
  await lease.confirm();
  expect(lease.lost.aborted).toBe(false);
  expect(await readBeats()).toBeGreaterThan(before);
  // From this renewal on the other process watches for a whole lease again.
  b.clock.at += LEASE_MS;
  holder(await b.ask());
  await lease.confirm();
});

test("a renewal that is late by its timer keeps the lease, too", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  const before = await readBeats();
  a.clock.at += 10 * LEASE_MS;
  while ((await readBeats()) === before) await sleep(50);
  await lease.confirm();
  expect(lease.lost.aborted).toBe(false);
}, 60_000);

test("a holder whose store answers nothing at all gives up after one more lease", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  a.silent = true;
  a.clock.at += LEASE_MS * 0.9;
  await sleep(LEASE_MS / 4); // a renewal is under way by now
  expect(lease.lost.aborted).toBe(false);
  a.clock.at += LEASE_MS;
  await waitAborted(lease.lost);
  a.silent = false;
}, 60_000);

test("a renewal keeps the lease on both sides", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  for (let round = 0; round < 3; round += 1) {
    holder(await b.ask());
    const before = await readBeats();
    for (const { clock } of [a, b]) clock.at += LEASE_MS * 0.7;
    // A renewal is sent every fifth of the lease by the real clock: here it is waited for.
    while ((await readBeats()) === before) await sleep(50);
    holder(await b.ask());
    await lease.confirm();
  }
}, 60_000);

const readBeats = async (): Promise<number> => {
  const row = await databases[0]?.get<{ beats: number }>("select beats from index_leases");
  return row?.beats ?? -1;
};

test("a renewal after somebody else took over is refused, and the old holder is told", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  a.cut = true;
  holder(await b.ask());
  b.clock.at += LEASE_MS;
  held(await b.ask());
  a.cut = false;
  // On its own clock the lease is still good; its next renewal tells.
  await lease.confirm();
  await waitAborted(lease.lost);
  await expect(lease.confirm()).rejects.toThrow(/another process has taken it over/);
}, 60_000);

test("a holder whose renewals do not arrive gives up by itself", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  a.cut = true;
  a.clock.at += LEASE_MS;
  await waitAborted(lease.lost);
  await expect(lease.confirm()).rejects.toThrow(/could not be renewed in time/);
}, 60_000);

const waitAborted = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : once(signal, "abort");

test("a lease that was given back is free at once, and giving it back late takes nothing from its next holder", async () => {
  const [a, b, c] = [await openContender(), await openContender(), await openContender()];
  const lease = held(await a.ask());
  await lease.release();
  await expect(lease.confirm()).rejects.toThrow(expect.objectContaining({ code: "LEASE_LOST" }));
  const second = held(await b.ask());
  expect(second.epoch).toBe(2);
  await lease.release();
  await second.confirm();
  holder(await c.ask());
});

test("a holder of this place whose process has ended is replaced at once, and one that only has its number is not", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const [a, b] = [await openContender({ pid, started: startOf(pid) ?? "" }), await openContender()];
  held(await a.ask());
  holder(await b.ask());
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(held(await b.ask()).epoch).toBe(2);
  // The same number in another place says nothing.
  const far = { network: "far", facts: "store" };
  const [c, d] = [await openContender({ pid, started: "1", place: "elsewhere" }, far), await openContender({}, far)];
  held(await c.ask());
  holder(await d.ask());
});

test("an epoch is newer than every one that the facts store knows, also after the accounts were restored from a backup", async () => {
  const a = await openContender();
  expect(held(await a.ask(41)).epoch).toBe(42);
});

test("networks and facts stores have leases of their own", async () => {
  const [a, b, c] = [
    await openContender(),
    await openContender({}, { facts: "store", network: "other" }),
    await openContender({}, { facts: "other", network: "demo" }),
  ];
  for (const { ask } of [a, b, c]) expect(held(await ask()).epoch).toBe(1);
  expect(Object.keys(await store.leases.holders("store"))).toEqual(["demo", "other"]);
  expect(Object.keys(await store.leases.holders("other"))).toEqual(["demo"]);
});
