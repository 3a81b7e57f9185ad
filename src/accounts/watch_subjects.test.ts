import { afterEach, beforeEach, expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import { hashOn, openWatchWorld, PAYER, WATCHED, type WatchWorld } from "../../test/watch_world.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { SubjectRecord } from "../store/subjects/records.ts";
import { openSubjectFacts } from "../store/subjects/subject_facts.ts";
import type { FollowerOptions } from "../watch/follow.ts";
import { SubjectFollower } from "../watch/follow_subjects.ts";
import { openCustomer } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

// Blocks of single addresses matched against rules, as on a network that is read on demand, on a real facts engine.

const signal = new AbortController().signal;
/** In the world of this test each of the final blocks 96 to 127 pays the watched wallet once, and has one payment of it. */
const [FIRST, LAST] = [96, 127];
const timeOf = (block: number): number => Date.UTC(2026, 0, 1) / 1000 + 12 * (block - FIRST);
const of = { facts: "f1", network: "demo", epoch: 1 };

let world: WatchWorld;
let store: TemporaryStore;
let by: { account_id: string; key_id: string };
/** How far each address is read. */
let read: Map<Hex, number>;
let wished: (readonly [Hex, string])[];
beforeEach(async () => {
  world = await openWatchWorld();
  store = await openTemporary({ watch: { rules_per_account: 10, is_priced: false } });
  const { account, key } = await openCustomer(store);
  by = { account_id: account.id, key_id: key.id };
  read = new Map();
  wished = [];
});
afterEach(async () => {
  await store.remove();
  await world.store.close();
});

/** A rule that is made in the second of a block. */
const addRule = (subject: Hex, block: number) => {
  store.clock.at = 1_000 * timeOf(block);
  return store.watch.rules("test").create(by, {
    ...{ network: "demo", subject_kind: "address", subject, events: ["movement"], direction: "both" },
    ...{ min_usd_micros: null, include_unpriced: false, categories: [], note: null, url: null },
  });
};

const recordOf = (subject: Hex): SubjectRecord => {
  const to_block = read.get(subject) ?? 0;
  return {
    ...{ subject, state: "read", from_block: FIRST, to_block, to_hash: hashOn(to_block, 1), to_time: timeOf(to_block) },
    ...{ wished_ms: 1, is_plain: true, is_balanced: true, verified: "full", untraced: [], found: 1, fetched: 1 },
    ...{ requests: 1, problem: "", rewrites: 0, is_rewriting: false, head: null },
  };
};

let is_full = false;

const follower = (step?: FollowerOptions["step"]) =>
  new SubjectFollower({
    ...{ follow: store.watch.follow, chain: fixedChain(), newId: store.watch.newId, now_ms: () => store.clock.at },
    ...{ events_per_block: 200, ...(step && { step }) },
    subjects: {
      isOnDemand: () => true,
      read: async () => [...read.keys()].map((subject) => ({ ...recordOf(subject), tail: "" })),
      follow: async (_, subjects, account_id) => {
        if (is_full) return false;
        for (const subject of subjects) wished.push([subject, account_id]);
        return true;
      },
      factsAbout: (_, subject, stop) =>
        openSubjectFacts(
          world.store.facts,
          {
            ...{
              tool: "watch",
              isOnDemand: () => true,
              subjectsOn: () => [subject],
              has_counterparties: false,
              are_tokens: false,
            },
            whenRead: async () => [recordOf(subject)],
            recordsOf: async () => [recordOf(subject)],
            whenHeld: async () => 1,
            heldSince: async () => 1,
            whenPriced: async () => [],
            counterparties: async () => new Map(),
            poolsOf: async () => [],
            ends: () => Promise.reject(new Error("addresses are read")),
            tailOf: async () => [],
            ref: async (__, number) => ({ number, hash: hashOn(number, 1), time: timeOf(number) }),
          },
          stop,
        ),
    },
  });

const shown = async () => {
  while ((await store.watch.payments.release(100)) > 0);
  return (await store.watch.events.after(by.account_id, 0, 10_000)).map(({ body }) => {
    const { type, block, direction } = JSON.parse(body);
    return `${type} ${direction} ${block.number}`;
  });
};

const movements = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => [`movement in ${from + i}`, `movement out ${from + i}`]).flat();

test("an address is read for its rule, and blocks since the rule was made are matched, once each", async () => {
  await addRule(WATCHED, 105);
  const one = follower();
  await one.pass(of, signal);
  expect(wished).toEqual([[WATCHED, by.account_id]]);
  expect(await shown()).toEqual([]);
  read.set(WATCHED, 110);
  await one.pass(of, signal);
  expect(await shown()).toEqual(movements(105, 110));
  await one.pass(of, signal);
  read.set(WATCHED, 112);
  await follower().pass(of, signal);
  await follower().pass(of, signal);
  expect(await shown()).toEqual(movements(105, 112));
});

test("an address that the limits of its account refuse is tried again, and counts as waiting until then", async () => {
  await addRule(WATCHED, 105);
  const one = follower();
  is_full = true;
  expect(await one.pass(of, signal)).toMatchObject({ events: 0, lag_blocks: 1 });
  is_full = false;
  expect(await one.pass(of, signal)).toMatchObject({ lag_blocks: 1 });
  store.clock.at += 30_000;
  expect(await one.pass(of, signal)).toMatchObject({ lag_blocks: 0 });
  expect(wished).toEqual([[WATCHED, by.account_id]]);
});

test("rules of an address that is followed already get its later blocks alone", async () => {
  read.set(WATCHED, 110);
  const one = follower();
  await one.pass(of, signal);
  await addRule(WATCHED, 111);
  read.set(WATCHED, 115);
  await one.pass(of, signal);
  expect(await shown()).toEqual(movements(111, 115));
});

test("each address has its own progress", async () => {
  read.set(WATCHED, 100);
  read.set(PAYER, 120);
  const one = follower();
  await one.pass(of, signal);
  await addRule(WATCHED, 100);
  await addRule(PAYER, 100);
  read.set(PAYER, 121);
  await one.pass(of, signal);
  // The payer pays the watched wallet and a stranger. Block 121 of the wallet is not read yet.
  expect(await shown()).toEqual(["movement out 121", "movement out 121"]);
  read.set(WATCHED, 101);
  await one.pass(of, signal);
  expect((await shown()).slice(2)).toEqual(movements(101, 101));
});

test.each(["read", "matched", "committed"] as const)(
  "a process that ends after it has %s leaves each event once",
  async (at) => {
    await addRule(WATCHED, 120);
    read.set(WATCHED, 124);
    const killed = follower((step) => {
      if (step === at) throw new AssayError({ code: "BUG", message: "killed" });
    });
    await expect(killed.pass(of, signal)).rejects.toThrow("killed");
    read.set(WATCHED, LAST);
    await follower().pass({ ...of, epoch: 2 }, signal);
    expect(await shown()).toEqual(movements(120, LAST));
  },
);
