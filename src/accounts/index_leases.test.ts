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
  /** Its monotonic clock. */
  readonly clock: { at: number };
  /** Its wall clock. */
  readonly day: { at: number };
  /** While true, none of its renewals reaches the store. */
  cut: boolean;
  /** While true, the store does not answer its renewals. */
  silent: boolean;
}

/** An indexer with its own connection and clocks. Lease timers use the real clock and are too long to matter here. */
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

test("gives the lease to the first process, and the second one learns its holder and since when", async () => {
  const [a, b] = [await openContender({ host: "alpha", pid: process.pid }), await openContender()];
  const lease = held(await a.ask());
  expect(lease.epoch).toBe(1);
  await lease.confirm();
  expect(holder(await b.ask())).toEqual({ host: "alpha", pid: process.pid, since_ms: a.day.at });
});

test("gives a free lease to exactly one of many concurrent processes", async () => {
  for (let round = 1; round <= 5; round += 1) {
    const contenders = await Promise.all(Array.from({ length: 6 }, () => openContender()));
    const answers = await Promise.all(contenders.map(({ ask }) => ask()));
    const winners = answers.filter(({ kind }) => kind === "held");
    expect(winners.length).toBe(1);
    // Each round takes over once, after the lease was released.
    for (const winner of winners) {
      expect(held(winner).epoch).toBe(round);
      await held(winner).release();
    }
  }
});

test("lets exactly one of many processes take over an expired lease, with the next epoch", async () => {
  const first = await openContender();
  const old = held(await first.ask());
  first.cut = true;
  const contenders = await Promise.all(Array.from({ length: 6 }, () => openContender()));
  for (const { ask } of contenders) holder(await ask());
  for (const { clock } of contenders) clock.at += LEASE_MS;
  const answers = await Promise.all(contenders.map(({ ask }) => ask()));
  expect(answers.filter(({ kind }) => kind === "held").map((answer) => held(answer).epoch)).toEqual([old.epoch + 1]);
});

test("takes a lease over only after its count was unchanged for the whole lease on the waiting process's own clock", async () => {
  const [a, b] = [await openContender(), await openContender()];
  held(await a.ask());
  a.cut = true;
  // The clocks of the first process, and wall clocks, do not matter to the second one.
  a.clock.at += 10 * LEASE_MS;
  b.day.at += 365 * 86_400_000;
  holder(await b.ask());
  b.clock.at += LEASE_MS - 1;
  holder(await b.ask());
  b.clock.at += 1;
  expect(held(await b.ask()).epoch).toBe(2);
});

test("ignores wall clocks that go back or forward", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  for (const jump_ms of [86_400_000, -3 * 86_400_000]) {
    a.day.at += jump_ms;
    b.day.at -= jump_ms;
    await lease.confirm();
    holder(await b.ask());
  }
});

test("stops a holder from writing when it was suspended for longer than its lease, even before a renewal fails", async () => {
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

test("stops a holder from writing before another process may start, unless the store confirms its lease", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  a.cut = true;
  a.clock.at += LEASE_MS * 0.8;
  await lease.confirm();
  a.clock.at += 1;
  await expect(lease.confirm()).rejects.toThrow(expect.objectContaining({ code: "LEASE_LOST" }));
});

test("keeps the lease of a process that was too busy to renew it while no other process has taken it", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  holder(await b.ask());
  const before = await readBeats();
  // Its event loop was blocked for ten leases: no timer ran, and the other process did not check in the meantime.
  a.clock.at += 10 * LEASE_MS;
  await lease.confirm();
  expect(lease.lost.aborted).toBe(false);
  expect(await readBeats()).toBeGreaterThan(before);
  // After this renewal the other process waits for a whole lease again.
  b.clock.at += LEASE_MS;
  holder(await b.ask());
  await lease.confirm();
});

test("keeps the lease when a renewal's timer fires late", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  const before = await readBeats();
  a.clock.at += 10 * LEASE_MS;
  while ((await readBeats()) === before) await sleep(50);
  await lease.confirm();
  expect(lease.lost.aborted).toBe(false);
}, 60_000);

test("ends a lease whose store answers nothing after one more lease", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  a.silent = true;
  a.clock.at += LEASE_MS * 0.9;
  await sleep(LEASE_MS / 4); // a renewal is in flight by now
  expect(lease.lost.aborted).toBe(false);
  a.clock.at += LEASE_MS;
  await waitAborted(lease.lost);
  a.silent = false;
}, 60_000);

test("extends the lease on both sides with a renewal", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  for (let round = 0; round < 3; round += 1) {
    holder(await b.ask());
    const before = await readBeats();
    for (const { clock } of [a, b]) clock.at += LEASE_MS * 0.7;
    // The real clock triggers a renewal every fifth of the lease; the test waits for it.
    while ((await readBeats()) === before) await sleep(50);
    holder(await b.ask());
    await lease.confirm();
  }
}, 60_000);

const readBeats = async (): Promise<number> => {
  const row = await databases[0]?.get<{ beats: number }>("select beats from index_leases");
  return row?.beats ?? -1;
};

test("rejects a renewal after another process took over, and notifies the old holder", async () => {
  const [a, b] = [await openContender(), await openContender()];
  const lease = held(await a.ask());
  a.cut = true;
  holder(await b.ask());
  b.clock.at += LEASE_MS;
  held(await b.ask());
  a.cut = false;
  // On its own clock the lease is still valid; its next renewal fails.
  await lease.confirm();
  await waitAborted(lease.lost);
  await expect(lease.confirm()).rejects.toThrow(/another process has taken it over/);
}, 60_000);

test("ends a lease whose renewals do not arrive", async () => {
  const a = await openContender();
  const lease = held(await a.ask());
  a.cut = true;
  a.clock.at += LEASE_MS;
  await waitAborted(lease.lost);
  await expect(lease.confirm()).rejects.toThrow(/could not be renewed in time/);
}, 60_000);

const waitAborted = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : once(signal, "abort");

test("frees a released lease at once, and a late release takes nothing from the next holder", async () => {
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

test("replaces a holder of this machine at once when its process has ended, and keeps one that merely has the same number", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const [a, b] = [await openContender({ pid, started: startOf(pid) ?? "" }), await openContender()];
  held(await a.ask());
  holder(await b.ask());
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(held(await b.ask()).epoch).toBe(2);
  // The same number on another machine proves nothing.
  const far = { network: "far", facts: "store" };
  const [c, d] = [await openContender({ pid, started: "1", place: "elsewhere" }, far), await openContender({}, far)];
  held(await c.ask());
  holder(await d.ask());
});

test("chooses an epoch above every epoch of the facts store, also after the accounts were restored from a backup", async () => {
  const a = await openContender();
  expect(held(await a.ask(41)).epoch).toBe(42);
});

test("separates leases by network and by facts store", async () => {
  const [a, b, c] = [
    await openContender(),
    await openContender({}, { facts: "store", network: "other" }),
    await openContender({}, { facts: "other", network: "demo" }),
  ];
  for (const { ask } of [a, b, c]) expect(held(await ask()).epoch).toBe(1);
  expect(Object.keys(await store.leases.holders("store"))).toEqual(["demo", "other"]);
  expect(Object.keys(await store.leases.holders("other"))).toEqual(["demo"]);
});
