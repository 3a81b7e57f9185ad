import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { Connections } from "../http/connections.ts";
import { paceOf, slotsAfter } from "./admission.ts";
import { deadlineFrom, LATE } from "./deadline.ts";
import { EventLoopLag } from "./event_loop_lag.ts";
import { openMemoryShares } from "./memory_shares.ts";

describe("memory that waits for clients", () => {
  // 25 % of 6,400 = 1,600 for an account; a 64th of it = 100 is small.
  const open = () => openMemoryShares({ bytes_max: 6_400, share_percent: 25 });

  test("is an account's up to its share, and no other account's", () => {
    const memory = open();
    memory.take("a", 1_599);
    expect(memory.isFull("a")).toBe(false);
    memory.take("a", 1);
    expect([memory.isFull("a"), memory.isFull("b"), memory.bytes]).toEqual([true, false, 1_600]);
    memory.release("a", 1_600);
    expect([memory.isFull("a"), memory.bytes]).toEqual([false, 0]);
  });

  test("when all of it is in use is refused only to accounts that use more than a little", () => {
    const memory = open();
    for (const account of ["a", "b", "c", "d"]) memory.take(account, 1_600);
    memory.take("e", 99);
    expect(memory.isFull("e")).toBe(false);
    memory.take("e", 1);
    expect(memory.isFull("e")).toBe(true);
    expect(memory.isFull("f")).toBe(false);
  });
});

describe("one connection more than there may be", () => {
  const open = (count: number) => {
    const connections = new Connections(3, { half_sent_max: 9, half_sent_per_address_max: 9, shed: () => undefined });
    const sockets = Array.from({ length: count }, () => new PassThrough());
    return { connections, sockets };
  };
  const destroyed = (sockets: readonly PassThrough[]) => sockets.flatMap((one, at) => (one.destroyed ? [at] : []));

  test("costs the one that has waited longest for its client, never one that is being answered", () => {
    const { connections, sockets } = open(6);
    const [first, second, third, ...more] = sockets;
    if (first === undefined || second === undefined || third === undefined) throw new Error("six were made");
    for (const socket of [first, second, third]) connections.add(socket);
    const answered = connections.busy(first);
    const asked = connections.busy(second);
    // The second asks its client for a body: that is waiting too, from now on.
    connections.awaitBody(second);
    for (const socket of more) connections.add(socket);
    // The third waited from its beginning, then the second, then the first newcomer; the first is being answered.
    expect(destroyed(sockets)).toEqual([1, 2, 3]);
    expect([connections.open, connections.dropped]).toEqual([3, 3]);
    answered();
    answered();
    asked();
    connections.add(new PassThrough());
    // Two newcomers wait for longer than the first, whose answer has just gone out.
    expect(destroyed(sockets)).toEqual([1, 2, 3, 4]);
  });

  test("is refused itself when all others are being answered", () => {
    const { connections, sockets } = open(4);
    for (const socket of sockets.slice(0, 3)) {
      connections.add(socket);
      connections.busy(socket);
    }
    for (const socket of sockets.slice(3)) connections.add(socket);
    expect(destroyed(sockets)).toEqual([3]);
  });

  test("is within the limit once another has closed", async () => {
    const { connections, sockets } = open(4);
    for (const socket of sockets.slice(0, 3)) connections.add(socket);
    const [first] = sockets;
    await new Promise((resolve) => first?.once("close", resolve).destroy());
    for (const socket of sockets.slice(3)) connections.add(socket);
    expect(destroyed(sockets)).toEqual([0]);
  });
});

describe("an event loop that is late", () => {
  const clock = { at: 1_000 };
  const now = () => clock.at;

  test("hides what arrives for as long as it was away, and no longer than until the beat after the next", () => {
    const lag = new EventLoopLag(now);
    clock.at += 100;
    expect([lag.measure(), lag.unseen_ms()]).toEqual([0, 0]);
    // The next beat was due after 100 ms; 2,000 ms have passed and it has not come.
    clock.at += 2_000;
    expect(lag.unseen_ms()).toBe(1_900);
    expect(lag.measure()).toBe(1_900);
    expect(lag.unseen_ms()).toBe(1_900);
    clock.at += 100;
    expect([lag.measure(), lag.unseen_ms()]).toEqual([0, 0]);
  });

  test("keeps refusals back for four times as long as it is late, for 2 s and a quarter of the time left at most", () => {
    // In time there is nothing to keep back; nor is there when no time is left.
    expect([paceOf(0, 30_000), paceOf(4, 30_000), paceOf(900, 0), paceOf(900, -5)]).toEqual([0, 0, 0, 0]);
    expect([paceOf(5, 30_000), paceOf(300, 30_000), paceOf(900, 30_000)]).toEqual([20, 1_200, 2_000]);
    expect(paceOf(900, 4_000)).toBe(1_000);
  });

  test("leaves half of the slots, at least sixteen, and restores them once it runs on time", () => {
    const limits = { calls_max: 256, deadline_ms: 30_000 };
    // A twentieth of 30,000 is 1,500.
    expect(slotsAfter({ late_ms: 1_500, slots: 256 }, limits)).toBe(256);
    expect(slotsAfter({ late_ms: 1_501, slots: 256 }, limits)).toBe(128);
    expect(slotsAfter({ late_ms: 60_000, slots: 20 }, limits)).toBe(16);
    expect(slotsAfter({ late_ms: 60_000, slots: 3 }, { ...limits, calls_max: 3 })).toBe(3);
    let slots = 16;
    for (let beat = 0; beat < 60; beat += 1) slots = slotsAfter({ late_ms: 0, slots }, limits);
    // 16 + 60 * 4
    expect(slots).toBe(256);
  });

  test("comes out of a request's time, which ends whatever is waited for", async () => {
    const time = deadlineFrom(clock.at - 400, 1_000, now);
    expect([time.left_ms(), time.mayWrite()]).toEqual([600, true]);
    // A twentieth of 1,000 is kept.
    clock.at += 549;
    expect(time.mayWrite()).toBe(true);
    clock.at += 1;
    expect([time.left_ms(), time.mayWrite()]).toEqual([50, false]);
    clock.at += 50;
    expect(await time.wait(new Promise(() => undefined))).toBe(LATE);
    expect(await time.wait(Promise.resolve("there already"))).toBe("there already");
    await expect(time.wait(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });
});
