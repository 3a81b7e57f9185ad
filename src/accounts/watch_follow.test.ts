// @long: alone
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixedChain } from "../../test/fixed_chain.ts";
import {
  FIRST_TAIL,
  hashOn,
  OTHER_COIN,
  openWatchWorld,
  PAYER,
  WATCHED,
  type WatchWorld,
} from "../../test/watch_world.ts";
import { Follower, type FollowerOptions } from "../watch/follow.ts";
import { openCustomer } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import type { RuleDefinition } from "./watch/rules.ts";

// Blocks matched against rules, on a real facts engine, with both engines of accounts.

const TERMS = { rules_per_account: 2_000, is_priced: false };
const FACTS = "f1";
const chain = fixedChain();
const signal = new AbortController().signal;

let world: WatchWorld;
let store: TemporaryStore;
let account_id: string;
let key_id: string;
beforeEach(async () => {
  world = await openWatchWorld();
  store = await openTemporary({ watch: TERMS });
  const { account, key } = await openCustomer(store);
  [account_id, key_id] = [account.id, key.id];
});
afterEach(async () => {
  await store.remove();
  await world.store.close();
});

const addRule = (wish: Partial<RuleDefinition> = {}) =>
  store.watch.rules("test").create(
    { account_id, key_id },
    {
      ...{ network: "demo", subject_kind: "address", subject: WATCHED, events: ["movement"], direction: "both" },
      ...{ min_usd_micros: null, include_unpriced: false, categories: [], note: null, url: null },
      ...wish,
    },
  );

const follower = (step?: FollowerOptions["step"]) =>
  new Follower({
    ...{
      follow: store.watch.follow,
      facts: world.store.facts,
      chain,
      newId: store.watch.newId,
      now_ms: () => store.clock.at,
      events_per_block: 200,
    },
    ...(step && { step }),
  });

const of = { facts: FACTS, network: "demo", epoch: 1 };

/** Runs passes until no work is left. */
const settle = async (one: Follower, epoch = 1) => {
  for (let pass = 0; pass < 100; pass += 1) {
    const { lag_blocks, events, retracted_blocks } = await one.pass({ ...of, epoch }, signal);
    if (lag_blocks + events + retracted_blocks === 0) return;
  }
  throw new Error("it does not end");
};

/** Shown events in the order of the stream: kind, block, branch of its hash. */
const shown = async () => {
  while ((await store.watch.payments.release(100)) > 0);
  const rows = await store.watch.events.after(account_id, 0, 10_000);
  const page = { account_id, rule_id: null, is_dead: false, before: null, limit: 10_000 };
  const listed = await store.watch.events.list(page);
  expect(listed.map(({ id }) => id).reverse()).toEqual(rows.map(({ id }) => id));
  return rows.map(({ body }) => {
    const { type, block, direction, retracted_type } = JSON.parse(body);
    const branch = Number.parseInt(block.hash.slice(2, 4), 16);
    return [type, retracted_type ?? direction, block.number, branch].join(" ");
  });
};

const movements = (from: number, to: number, branch = 1) =>
  Array.from({ length: to - from + 1 }, (_, i) => [
    `movement in ${from + i} ${branch}`,
    `movement out ${from + i} ${branch}`,
  ]).flat();

test("matches blocks after the first pass, once each, and no older ones", async () => {
  await addRule();
  await world.grow(2);
  const one = follower();
  await settle(one);
  expect(await shown()).toEqual([]);
  await world.grow(3);
  await settle(one);
  await settle(follower());
  expect(await shown()).toEqual(movements(FIRST_TAIL + 2, FIRST_TAIL + 4));
});

test("describes an event with its place, subject, value and counterparty", async () => {
  const rule = await addRule();
  const one = follower();
  await settle(one);
  await world.grow(1);
  await settle(one);
  await store.watch.payments.release(10);
  const [first, second] = await store.watch.events.after(account_id, 0, 10);
  const body = JSON.parse(first?.body ?? "{}");
  expect(body).toMatchObject({
    ...{ type: "movement", id: first?.id, rule_id: rule.id, network: "demo", direction: "in", usd: null },
    block: { number: FIRST_TAIL, hash: chain.formatHash(hashOn(FIRST_TAIL, 1)), state: "tail" },
    subject: { kind: "address", address: chain.formatAddress(WATCHED) },
    movement: { token: { symbol: "CC", decimals: 6 }, amount_raw: "128000001", source: chain.formatAddress(PAYER) },
    counterparties: [
      { address: chain.formatAddress(PAYER), label: "Big Exchange 1", category: "exchange", source: "test" },
    ],
  });
  // Characters that change the direction of text are not sent.
  expect(JSON.parse(second?.body ?? "{}").movement.token.symbol).toBe("<b>DD</b>");
});

test("filters by direction, category, token and value", async () => {
  const rules = {
    in: await addRule({ direction: "in" }),
    exchange: await addRule({ categories: ["exchange"] }),
    mixer: await addRule({ categories: ["mixer"] }),
    dear: await addRule({ min_usd_micros: 1 }),
    unpriced: await addRule({ min_usd_micros: 1, include_unpriced: true }),
    token: await addRule({ subject_kind: "token", subject: OTHER_COIN }),
    minted: await addRule({ subject_kind: "token", subject: OTHER_COIN, direction: "in" }),
    elsewhere: await addRule({ network: "ethereum" }),
    freeze: await addRule({ events: ["freeze"] }),
  };
  const one = follower();
  await settle(one);
  await world.grow(1);
  await settle(one);
  await store.watch.payments.release(100);
  const events = await store.watch.events.list({ account_id, rule_id: null, is_dead: false, before: null, limit: 200 });
  const counts = Object.fromEntries(
    Object.entries(rules).map(([name, { id }]) => [name, events.filter(({ rule_id }) => rule_id === id).length]),
  );
  // One movement in, from an exchange; one out, to an unknown address; neither has a price.
  expect(counts).toEqual({
    ...{ in: 1, exchange: 1, mixer: 0, dear: 0, unpriced: 2, token: 1, minted: 0, elsewhere: 0, freeze: 0 },
  });
});

test("revokes shown events once after a reorganisation, and matches the new branch", async () => {
  await addRule();
  const one = follower();
  await settle(one);
  await world.grow(4);
  await settle(one);
  expect(await shown()).toHaveLength(8);
  await world.reorganise(2, 2);
  await settle(one);
  await settle(follower());
  const retracted = [130, 131].flatMap((n) => [`retracted movement ${n} 1`, `retracted movement ${n} 1`]);
  const after = await shown();
  expect(after.slice(8).sort()).toEqual([...retracted, ...movements(130, 131, 2)].sort());
  // Back to the first branch: revokes events of the second and shows those of the first again, each once.
  await world.reorganise(2, 1);
  await settle(one);
  const again = await shown();
  const back = [130, 131].flatMap((n) => [`retracted movement ${n} 2`, `retracted movement ${n} 2`]);
  expect(again.slice(after.length).sort()).toEqual([...back, ...movements(130, 131, 1)].sort());
});

test("revokes events of a block whose process ended in between when another block is matched there", async () => {
  await addRule();
  await settle(follower());
  await world.grow(1);
  // As if the process had ended after it wrote the account's events and before it marked the block.
  const database = await store.connect();
  await database.run("create table held_marks as select * from watch_blocks");
  await database.close();
  await settle(follower());
  const again = await store.connect();
  await again.run("delete from watch_blocks");
  await again.run("insert into watch_blocks select * from held_marks");
  await again.run("drop table held_marks");
  await again.close();
  await world.reorganise(1, 2);
  await settle(follower());
  const told = await shown();
  const retracted = [`retracted movement ${FIRST_TAIL} 1`, `retracted movement ${FIRST_TAIL} 1`];
  expect([...told].sort()).toEqual(
    [...movements(FIRST_TAIL, FIRST_TAIL, 1), ...retracted, ...movements(FIRST_TAIL, FIRST_TAIL, 2)].sort(),
  );
});

test("reads the same tail again, also when it became final in the meantime", async () => {
  await addRule();
  const one = follower();
  await settle(one);
  await world.grow(20);
  await settle(one);
  await world.forget();
  await settle(one);
  await world.grow(40);
  await settle(one);
  await world.finalize();
  await settle(one);
  expect(await shown()).toEqual(movements(FIRST_TAIL, FIRST_TAIL + 39));
  const { blocks } = await store.watch.follow.state(of);
  // The newest final block, and the eight that can still be dropped.
  expect(blocks.map(({ number }) => number)).toEqual([159, 160, 161, 162, 163, 164, 165, 166, 167]);
});

test("matches blocks that are indexed later than newer ones", async () => {
  await addRule();
  const one = follower();
  await settle(one);
  world.jump(224);
  await world.grow(2);
  await settle(one);
  expect(await shown()).toEqual(movements(224, 225));
  await world.fill(192, 223);
  await settle(one);
  await world.fill(128, 191);
  await settle(one);
  const all = await shown();
  expect([...all].sort()).toEqual(movements(128, 225).sort());
  expect((await store.watch.follow.state(of)).holes).toEqual([]);
});

test("writes every event once when killed after each step", async () => {
  await addRule();
  await settle(follower());
  let deaths = 0;
  /** Every other process ends at the step, and no process has the memory of the one before. */
  const survive = async (name: string) => {
    for (let life = 0; life < 20; life += 1) {
      const dies: FollowerOptions["step"] = (step) => {
        if (step === name && life % 2 === 0) throw new Error("killed");
      };
      try {
        return await settle(follower(dies));
      } catch (error) {
        expect(error).toMatchObject({ message: "killed" });
        deaths += 1;
      }
    }
    throw new Error("it does not end");
  };
  const expected: string[] = [];
  for (const [round, name] of ["read", "matched", "committed"].entries()) {
    const [from, old, fresh] = [world.tip + 1, 2 * round + 1, 2 * round + 2];
    await world.grow(3, old);
    await survive(name);
    expected.push(...movements(from, from + 2, old));
    expect([...(await shown())].sort()).toEqual([...expected].sort());
    await world.reorganise(2, fresh);
    await survive(name);
    expected.push(...movements(from + 1, from + 2, fresh));
    for (const number of [from + 1, from + 2])
      expected.push(`retracted movement ${number} ${old}`, `retracted movement ${number} ${old}`);
    expect([...(await shown())].sort()).toEqual([...expected].sort());
  }
  expect(deaths).toBeGreaterThan(5);
});

test("writes nothing from the process with the older lease", async () => {
  await addRule();
  const [old, young] = [follower(), follower()];
  await settle(old, 1);
  await world.grow(1);
  await settle(young, 2);
  await world.grow(1);
  await expect(old.pass({ ...of, epoch: 1 }, signal)).rejects.toMatchObject({ code: "LEASE_LOST" });
  await settle(young, 2);
  expect(await shown()).toEqual(movements(FIRST_TAIL, FIRST_TAIL + 1));
});

test("matches nothing for a rule while it is paused", async () => {
  const paused = await addRule();
  await store.watch.rules("test").setPaused(account_id, paused.id, true);
  const one = follower();
  await settle(one);
  await world.grow(1);
  await settle(one);
  await store.watch.rules("test").setPaused(account_id, paused.id, false);
  await world.grow(1);
  await settle(one);
  expect(await shown()).toEqual(movements(FIRST_TAIL + 1, FIRST_TAIL + 1));
});
