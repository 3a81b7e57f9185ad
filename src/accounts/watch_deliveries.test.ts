import { afterEach, beforeEach, expect, test } from "vitest";
import { openCustomer, TOOLS } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { commitEvents, RULE_DEFINITION as WISH } from "./testing/watch.ts";

// Deliveries of events in the store, with both engines.

const FACTS = { facts: "f1", network: "demo", epoch: 1 };

let store: TemporaryStore;
let by: { account_id: string; key_id: string };
beforeEach(async () => {
  const tools = [...TOOLS, { name: "watch_event", credits: 2 }];
  store = await openTemporary({ tools, watch: { rules_per_account: 3, is_priced: true } });
  const { account, key } = await openCustomer(store);
  by = { account_id: account.id, key_id: key.id };
});
afterEach(() => store.remove());

const rules = () => store.watch.rules("key:test");
const commit = (rule_id: string, blocks: readonly number[]) =>
  commitEvents(store.watch, { account_id: by.account_id, rule_id, blocks });
const list = (is_dead = false) =>
  store.watch.events.list({ account_id: by.account_id, rule_id: null, is_dead, before: null, limit: 100 });
const release = () => store.watch.payments.release(100);
const dueOf = (busy_rules: readonly string[] = []) =>
  store.watch.deliveries.due({ account_id: by.account_id, busy_rules, limit: 10 });

const send = async () => {
  const [due] = await dueOf();
  if (due === undefined) throw new Error("nothing is due");
  return due;
};

test("keeps deliveries due until they are settled, and makes them due again when they are replayed", async () => {
  const { id } = await rules().create(by, WISH);
  await commit(id, [1]);
  await release();
  const first = await send();
  expect(first).toMatchObject({ url: WISH.url, attempts: 0, body: '{"block":1}' });
  const next_at = store.clock.at + 5_000;
  await store.watch.deliveries.note(first, {
    kind: "again",
    status: 500,
    fault: "The receiver answered 500.",
    next_at,
  });
  expect(await dueOf()).toEqual([]);
  store.clock.at = next_at;
  const second = await send();
  expect(second).toMatchObject({ event_id: first.event_id, attempts: 1 });
  await store.watch.deliveries.note(second, { kind: "dead", status: null, fault: "Nobody answered." });
  expect((await list(true)).map(({ delivery }) => delivery)).toMatchObject([{ state: "dead", attempts: 2 }]);
  await store.watch.events.replay(by.account_id, first.event_id);
  const third = await send();
  // An attempt from before the replay settles nothing.
  await store.watch.deliveries.note(second, { kind: "dead", status: null, fault: "Late." });
  await store.watch.deliveries.note(third, { kind: "delivered", status: 204 });
  expect((await list())[0]?.delivery).toMatchObject({ state: "delivered", attempts: 1, last_status: 204 });
  expect(await dueOf()).toEqual([]);
});

test("ends deliveries with their rule when its receiver is gone, and restarts them with a new secret", async () => {
  const { id } = await rules().create(by, WISH);
  await commit(id, [1, 2]);
  await release();
  await store.watch.deliveries.note(await send(), {
    kind: "gone",
    status: 410,
    fault: "The receiver answered 410 Gone",
  });
  expect(await rules().show(by.account_id, id)).toMatchObject({ state: "ended" });
  expect((await list(true)).length).toBe(2);
  expect(await dueOf()).toEqual([]);
  await expect(rules().setPaused(by.account_id, id, false)).rejects.toMatchObject({ code: "RULE_ENDED" });
  expect(await rules().rotate(by.account_id, id, 0)).toMatchObject({ state: "active" });
});

test("skips deliveries of busy rules, and deletes old events that have nothing to send", async () => {
  const { id } = await rules().create(by, WISH);
  await commit(id, [1]);
  await release();
  store.clock.at += 1;
  await commit(id, [2]);
  await release();
  expect(await dueOf([id])).toEqual([]);
  await store.watch.deliveries.note(await send(), { kind: "delivered", status: 200 });
  await store.watch.follow.commit(FACTS, {
    ...{ dropped: [], blocks: [{ number: 9, hash: "h9" }], settled_to: 9, hole: null, events: [], due: [] },
    retraction: ({ id: event, body }) => ({ id: event, body }),
  });
  expect(await store.watch.deliveries.prune(store.clock.at + 1, 100)).toBe(1);
  expect((await list()).length).toBe(1);
  // Numbers are never reused.
  await commit(id, [10]);
  await release();
  expect((await store.watch.events.after(by.account_id, 0, 10)).map(({ seq }) => seq)).toEqual([2, 3]);
});
