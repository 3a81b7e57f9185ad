import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sized } from "../../test/long.ts";
import { silentLog } from "../lib/log.ts";
import { type Judge, LevelWatcher } from "../watch/judge.ts";
import { Sender } from "../watch/send.ts";
import type { Web, WebAnswer } from "../web/web.ts";
import { TOOLS } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { RULE_DEFINITION } from "./testing/watch.ts";
import type { NewEvent } from "./watch/follow.ts";
import type { WatchStore } from "./watch/open.ts";

/**
 * One tenant slows no other: each test measures an account's wait alone and beside hostile accounts, in work that runs before it
 * (attempts, rows, assessments), which does not depend on the machine's load. With both engines of accounts.
 */
const HOSTILE = sized({ slice: [1, 8], long: [1, 8, 50] });

let store: TemporaryStore;
beforeEach(async () => {
  store = await openTemporary({
    now: Date.now,
    tools: [...TOOLS, { name: "watch_event", credits: 1 }],
    watch: { rules_per_account: 100, is_priced: true },
  });
});
afterEach(() => store.remove());

interface Customer {
  readonly account_id: string;
  readonly key_id: string;
}

const customer = async (name: string, credits = 1_000): Promise<Customer> => {
  const numbers = { monthly_credits: credits, keys_max: 5, calls_per_minute: 100 };
  const account = await store.accounts.create({ name, plan: "custom", ...numbers });
  const key = await store.keys.create({ account_id: account.id, scopes: ["watch:manage"] });
  return { account_id: account.id, key_id: key.id };
};
const customers = async (count: number, credits?: number): Promise<readonly Customer[]> => {
  const all: Customer[] = [];
  for (let number = 0; number < count; number += 1) all.push(await customer(`hostile ${number}`, credits));
  return all;
};
const ruleOf = (by: Customer, wish: object = {}) =>
  store.watch.rules("test").create(by, { ...RULE_DEFINITION, ...wish });

const held = async (): Promise<number> => {
  const database = await store.connect();
  const [row] = await database.all<{ events: number }>("select count(*) as events from watch_events");
  await database.close();
  return row?.events ?? 0;
};

describe.each(HOSTILE)("beside %i hostile accounts", (count) => {
  const commit = (number: number, events: readonly NewEvent[], book: WatchStore = store.watch) =>
    book.follow.commit(
      { facts: "f1", network: "demo", epoch: 1 },
      {
        ...{ dropped: [], blocks: [{ number, hash: `h${number}` }], settled_to: 0, hole: null, due: [], events },
        retraction: ({ id, body }) => ({ id, body }),
      },
    );
  const eventsOf = (by: Customer, rules: readonly string[], { block, each }: { block: number; each: number }) =>
    rules.flatMap((rule_id) =>
      Array.from({ length: each }, (_, place) => ({
        ...{ id: store.watch.newId("event"), account_id: by.account_id, rule_id, kind: "movement" },
        ...{ place: `0:${place}`, block: { number: block, hash: `h${block}` }, body: `{"block":${block}}` },
      })),
    );

  test("that cannot pay, gives an account its block at once, and stores nothing for the others except a notice", async () => {
    const victim = await customer("victim");
    const own = await ruleOf(victim, { url: null });
    const flood: { by: Customer; rules: string[] }[] = [];
    for (const by of await customers(count, 0)) {
      const rules: string[] = [];
      for (let rule = 0; rule < 10; rule += 1) rules.push((await ruleOf(by, { url: null })).id);
      flood.push({ by, rules });
    }
    for (let block = 1; block <= 4; block += 1) {
      const live = new Set((await store.watch.follow.rules("demo")).map(({ id }) => id));
      const hostile = flood.flatMap(({ by, rules }) =>
        eventsOf(
          by,
          rules.filter((id) => live.has(id)),
          { block, each: 20 },
        ),
      );
      // From the second block on their rules are not matched at all.
      expect(hostile.length).toBe(block === 1 ? count * 200 : 0);
      await commit(block, [...hostile, ...eventsOf(victim, [own.id], { block, each: 1 })]);
      expect((await store.watch.events.after(victim.account_id, block - 1, 10)).length).toBe(1);
    }
    expect(await held()).toBe(4 + count);
    expect(await store.ledger.verify()).toEqual([]);
    for (const { by } of flood)
      expect(await store.watch.events.standing(by.account_id)).toMatchObject({
        held_events: 1,
        paused_because: "credits",
      });
  });

  test("that can pay, writes the account with the fewest events first", async () => {
    const victim = await customer("victim");
    const own = await ruleOf(victim, { url: null });
    const [slow] = await customers(1);
    if (slow === undefined) throw new Error("there is one");
    const events: NewEvent[] = [];
    for (const by of [slow, ...(await customers(count - 1))])
      events.push(...eventsOf(by, [(await ruleOf(by, { url: null })).id], { block: 1, each: 50 }));
    await commit(1, [...events, ...eventsOf(victim, [own.id], { block: 1, each: 1 })]);
    const database = await store.connect();
    const [first] = await database.all<{ account_id: string }>("select account_id from charges order by id limit 1");
    await database.close();
    expect(first?.account_id).toBe(victim.account_id);
    expect(await held()).toBe(1 + count * 50);
    expect((await store.accounts.show(slow.account_id)).credits_used).toBe(50);
    expect(await store.ledger.verify()).toEqual([]);
  });

  /** Origins that never answer, and one that does. */
  const openSender = (per_minute: number) => {
    const asked: string[] = [];
    const web: Web = {
      fetch: ({ url, signal }) => {
        asked.push(url);
        const answer = { kind: "answer", status: 204, redirects: [] } as unknown as WebAnswer;
        if (!url.startsWith("https://hangs")) return Promise.resolve(answer);
        return new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true }),
        );
      },
    };
    const sender = new Sender({
      ...{ deliveries: store.watch.deliveries, web, now_ms: Date.now, random: () => 0.5, per_minute },
      ...{ retry_first_ms: 5_000, retry_most_ms: 60_000, horizon_ms: 100_000, log: silentLog, count: () => undefined },
    });
    return { sender, asked };
  };
  const waits = async (by: Customer, url: string, events: number) => {
    const rule = await ruleOf(by, { url });
    for (let event = 0; event < events; event += 1)
      await store.watch.events.test(rule, { id: store.watch.newId("event"), body: "{}" });
  };
  const VICTIM = "https://victim.test/";

  test("whose receivers hang, sends another account's webhook in the round in which it is due", async () => {
    for (const by of await customers(count))
      for (let rule = 0; rule < 4; rule += 1) await waits(by, `https://hangs.test/${rule}`, 2);
    const { sender, asked } = openSender(600);
    const stop = new AbortController();
    for (let round = 0; round < 5; round += 1) await sender.round(stop.signal);
    // One slot each, and the shared ones.
    expect(asked.length).toBeLessThanOrEqual(count + 32);
    await waits(await customer("victim"), VICTIM, 1);
    await sender.round(stop.signal);
    expect(asked.filter((url) => url === VICTIM)).toHaveLength(1);
    stop.abort();
    await sender.settled();
  });

  test("with a backlog beyond their own rate, sends another account's webhook in the round in which it is due", async () => {
    for (const by of await customers(count))
      for (let rule = 0; rule < 4; rule += 1) await waits(by, `https://busy.test/${rule}`, 3);
    const { sender, asked } = openSender(2);
    const signal = new AbortController().signal;
    while ((await sender.round(signal)) > 0) await sender.settled();
    expect(asked.length).toBe(2 * count);
    await waits(await customer("victim"), VICTIM, 1);
    await sender.round(signal);
    await sender.settled();
    expect(asked.filter((url) => url === VICTIM)).toHaveLength(1);
    expect(asked.length).toBe(2 * count + 1);
  });

  test("with many due risks, another account's risk waits for at most one assessment of each", async () => {
    const hostile = await customers(count);
    for (const [number, by] of hostile.entries())
      for (let subject = 0; subject < 12; subject += 1)
        await ruleOf(by, { subject: `a${number.toString(16).padStart(2, "0")}${subject}`, events: ["risk"] });
    const judged: string[] = [];
    const judge: Judge = async ({ subject }) => {
      judged.push(subject);
      return { level: "low", says: {}, block: { block_number: 1, hash: "h", time: 1 } as never, final_block: 0 };
    };
    const network = { network: { id: "demo" } } as never;
    let clock = Date.now();
    const judging = new LevelWatcher({
      ...{ levels: store.watch.levels, facts_id: "f1", chains: [network], judge, per_minute: 6 },
      readBasis: async () => "same",
      ...{ newId: store.watch.newId, now_ms: () => clock, log: silentLog },
    });
    await sleep(2);
    for (let turn = 0; turn < 2 * count; turn += 1) expect(await judging.next()).toBe(true);
    // In turn: two of each by now.
    expect(new Set(judged.map((subject) => subject.slice(0, 3))).size).toBe(count);
    await ruleOf(await customer("victim"), { subject: "bb", events: ["risk"] });
    await sleep(2);
    clock += 1_001;
    const before = judged.length;
    while (!judged.includes("bb")) expect(await judging.next()).toBe(true);
    expect(judged.length - before).toBeLessThanOrEqual(1);
    // Each account has its own budget per minute, and no more.
    for (let turn = 0; turn < 20 * count; turn += 1) {
      if (!(await judging.next())) clock += 1_001;
      if (judged.length === 6 * count + 1) break;
    }
    expect(judged.length).toBe(6 * count + 1);
    expect(await judging.next()).toBe(false);
  });
});
