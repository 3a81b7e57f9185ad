import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import { callerOf, openCustomer, request, TOOLS } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { commitEvents, RULE_DEFINITION as WISH } from "./testing/watch.ts";

// Rules, events and deliveries in the store, with both engines.

const PRICED = [...TOOLS, { name: "watch_event", credits: 2 }];
const FACTS = { facts: "f1", network: "demo", epoch: 1 };

let store: TemporaryStore;
let by: { account_id: string; key_id: string };
let secret: string;
beforeEach(async () => {
  store = await openTemporary({ tools: PRICED, watch: { rules_per_account: 3, is_priced: true } });
  const { account, key } = await openCustomer(store);
  by = { account_id: account.id, key_id: key.id };
  secret = key.secret;
});
afterEach(() => store.remove());

const rules = () => store.watch.rules("key:test");

const commit = (rule_id: string, blocks: readonly number[], dropped: readonly number[] = []) =>
  commitEvents(store.watch, { account_id: by.account_id, rule_id, blocks, dropped });

/** The id of the only event in the store. */
const onlyEvent = async (): Promise<string> => {
  const database = await store.connect();
  const [row] = await database.all<{ id: string }>("select id from watch_events");
  await database.close();
  return row?.id ?? "";
};

const list = (is_dead = false) =>
  store.watch.events.list({ account_id: by.account_id, rule_id: null, is_dead, before: null, limit: 100 });
const release = () => store.watch.payments.release(100);
const dueOf = (busy_rules: readonly string[] = []) =>
  store.watch.deliveries.due({ account_id: by.account_id, busy_rules, limit: 10 });
const used = async () => (await store.accounts.show(by.account_id)).credits_used;

describe("rules", () => {
  test("belong to their account, are returned as made, and are recorded in the audit trail", async () => {
    const { secret: shown, ...rule } = await rules().create(by, WISH);
    expect(shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rule).toMatchObject({ ...WISH, ...by, state: "active" });
    expect(await rules().list(by.account_id)).toEqual([rule]);
    expect(await rules().list("account_other")).toEqual([]);
    await expect(rules().show("account_other", rule.id)).rejects.toMatchObject({ code: "UNKNOWN_RULE" });
    await expect(rules().remove("account_other", rule.id)).rejects.toMatchObject({ code: "UNKNOWN_RULE" });
    await rules().remove(by.account_id, rule.id);
    expect(await rules().list(by.account_id)).toEqual([]);
    const actions = (await store.audit({ limit: 2, before_seq: null })).map(({ action, actor }) => [action, actor]);
    expect(actions).toEqual([
      ["watch.remove", "key:test"],
      ["watch.create", "key:test"],
    ]);
  });

  test("are limited by the operator, and a removed one makes room", async () => {
    const made = [await rules().create(by, WISH), await rules().create(by, WISH), await rules().create(by, WISH)];
    await expect(rules().create(by, WISH)).rejects.toMatchObject({ code: "RULE_LIMIT" });
    await rules().remove(by.account_id, made[0]?.id ?? "");
    await rules().create(by, WISH);
  });

  test("change the revision that the matcher reads", async () => {
    const revisions = [await store.watch.follow.revision()];
    const { id } = await rules().create(by, WISH);
    for (const change of [
      () => rules().setPaused(by.account_id, id, true),
      () => rules().setPaused(by.account_id, id, false),
      () => rules().remove(by.account_id, id),
    ]) {
      revisions.push(await store.watch.follow.revision());
      await change();
    }
    revisions.push(await store.watch.follow.revision());
    expect(revisions).toEqual([0, 1, 2, 3, 4]);
  });

  test("have no plain secret in the store with a pepper, and a new secret signs beside the old one", async () => {
    const pepper = new Secret("a pepper of sixteen letters or more");
    await store.remove();
    store = await openTemporary({
      keys: { prefix: "svc_live_", pepper },
      watch: { rules_per_account: 3, is_priced: false },
    });
    const { account, key } = await openCustomer(store);
    by = { account_id: account.id, key_id: key.id };
    const first = await rules().create(by, WISH);
    await commit(first.id, [1]);
    await release();
    const second = await rules().rotate(by.account_id, first.id, 60);
    const signing = async () =>
      (await dueOf()).slice(0, 1).flatMap(({ secrets }) => secrets.map((one) => one.reveal()));
    expect(await signing()).toEqual([second.secret, first.secret]);
    store.clock.at += 60_000;
    expect(await signing()).toEqual([second.secret]);
    for (const text of await store.contents()) {
      expect(text.includes(first.secret?.slice(6) ?? "")).toBe(false);
      expect(text.includes(second.secret?.slice(6) ?? "")).toBe(false);
    }
  });
});

describe("events", () => {
  test("cost once, when they are shown, whatever is repeated; the ledger holds", async () => {
    const { id } = await rules().create(by, WISH);
    await commit(id, [1, 2, 3]);
    await commit(id, [1, 2, 3]);
    expect(await release()).toBe(0);
    expect(await used()).toBe(6); // 3 events at 2 credits
    expect((await list()).map(({ seq, state }) => [seq, state])).toEqual([
      [3, "shown"],
      [2, "shown"],
      [1, "shown"],
    ]);
    await Promise.all([commit(id, [4, 5]), commit(id, [4, 5])]);
    await Promise.all([release(), release(), release()]);
    while ((await release()) > 0);
    expect(await used()).toBe(10);
    expect((await store.watch.events.after(by.account_id, 0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await store.ledger.verify()).toEqual([]);
  });

  /** Changes the store directly. */
  const change = async (sql: string) => {
    const database = await store.connect();
    await database.run(sql);
    await database.close();
  };

  test("that are revoked before they were shown are refunded", async () => {
    const { id } = await rules().create(by, WISH);
    await commit(id, [1]);
    // State that an earlier release left when it ended between the charge and the showing.
    await change("delete from watch_deliveries");
    await change("update watch_events set state = 'made', seq = null");
    expect(await used()).toBe(2);
    await commit(id, [], [1]);
    expect(await release()).toBe(1);
    expect([await used(), await list()]).toEqual([0, []]);
    expect(await store.ledger.verify()).toEqual([]);
  });

  const openTiny = async () => {
    await store.remove();
    const plans = { tiny: { monthly_credits: 3, keys_max: 5, calls_per_minute: 100 } };
    store = await openTemporary({ plans, tools: PRICED, watch: { rules_per_account: 3, is_priced: true } });
    const account = await store.accounts.create({ name: "Small", plan: "tiny" });
    const key = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
    by = { account_id: account.id, key_id: key.id };
    return key.secret;
  };
  const bodies = async () => (await list()).map(({ body }) => JSON.parse(body)).reverse();

  test("beyond the credits are not stored: the account is paused and notified, and continues when it has credits", async () => {
    await openTiny();
    const { id } = await rules().create(by, WISH);
    await commit(id, [1, 2, 3]);
    expect(await used()).toBe(2);
    expect(await bodies()).toMatchObject([
      { block: 1 },
      { type: "paused", because: "credits", network: "demo", from_block: 2, left_out: 2, rule_id: id },
    ]);
    expect(await store.watch.follow.rules("demo")).toEqual([]);
    await commit(id, [4, 5]);
    store.clock.at += 60_000;
    expect(await store.watch.payments.resume()).toBe(0);
    expect(await store.watch.events.standing(by.account_id)).toMatchObject({
      ...{ held_events: 2, paused_because: "credits" },
    });
    await store.accounts.grant(by.account_id, 10);
    const revision = await store.watch.follow.revision();
    expect([await store.watch.payments.resume(), await store.watch.payments.resume()]).toEqual([1, 0]);
    expect(await store.watch.follow.revision()).toBe(revision + 1);
    await commit(id, [6]);
    expect((await bodies()).slice(2)).toMatchObject([{ type: "resumed" }, { block: 6 }]);
    expect([await used(), await list(true)]).toEqual([4, []]);
    expect(await store.ledger.verify()).toEqual([]);
  });

  test("are evicted oldest first when an account reaches its maximum, unless they wait for a receiver", async () => {
    await store.remove();
    const watch = { rules_per_account: 3, is_priced: false, hold: { events: 10, bytes: 1_000_000 } };
    store = await openTemporary({ watch });
    const { account, key } = await openCustomer(store);
    by = { account_id: account.id, key_id: key.id };
    const listed = await rules().create(by, { ...WISH, url: null });
    for (let block = 1; block <= 15; block += 1) {
      await commit(listed.id, [block]);
      await store.watch.follow.commit(FACTS, {
        ...{ dropped: [], blocks: [], settled_to: block, hole: null, events: [], due: [] },
        retraction: ({ id, body }) => ({ id, body }),
      });
    }
    const held = async () => (await store.watch.events.standing(by.account_id)).held_events;
    expect(await held()).toBeLessThanOrEqual(10);
    expect((await bodies()).at(-1)).toEqual({ block: 15 });
    expect(await store.watch.events.standing(by.account_id)).toMatchObject({ paused_because: null });
    const sent = await rules().create(by, WISH);
    for (let block = 20; block < 60; block += 1) await commit(sent.id, [block]);
    // The account's maximum, and the notice.
    expect(await held()).toBeLessThanOrEqual(11);
    expect((await bodies()).at(-1)).toMatchObject({ type: "paused", because: "storage" });
    await expect(store.watch.events.test(sent, { id: "event_t", body: "{}" })).rejects.toMatchObject({
      code: "RULE_LIMIT",
    });
    store.clock.at += 60_000;
    expect(await store.watch.payments.resume()).toBe(0);
    for (;;) {
      const [head] = await store.watch.deliveries.due({ account_id: account.id, busy_rules: [], limit: 1 });
      if (head === undefined) break;
      await store.watch.deliveries.note(head, { kind: "delivered", status: 200 });
    }
    await store.watch.follow.commit(FACTS, {
      ...{ dropped: [], blocks: [{ number: 99, hash: "h99" }], settled_to: 99, hole: null, events: [], due: [] },
      retraction: ({ id, body }) => ({ id, body }),
    });
    expect(await store.watch.payments.resume()).toBe(1);
    const database = await store.connect();
    const [counted] = await database.all<{ events: number; bytes: number }>(
      "select count(*) as events, sum(bytes) as bytes from watch_events",
    );
    await database.close();
    expect(await store.watch.events.standing(by.account_id)).toMatchObject({
      ...{ held_events: counted?.events, held_bytes: counted?.bytes },
    });
  });

  test("with an idempotency key that a caller has used before are charged again", async () => {
    const { id } = await rules().create(by, WISH);
    await commit(id, [1]);
    const known = await onlyEvent();
    await change("delete from watch_deliveries");
    await change(`update watch_events set id = 'event_known', state = 'made', seq = null where id = '${known}'`);
    const caller = await callerOf(store.meter, secret);
    const cheap = request(caller, { tool: "resolve_ens", idempotency_key: "watch:event_known" });
    const charge = await store.meter.charge(cheap);
    if (charge.kind === "charged") await store.meter.settle(charge.charge_id, "done", null);
    await release();
    expect((await list()).map(({ state }) => state)).toEqual(["unpaid"]);
    await expect(store.watch.events.replay(by.account_id, "event_known")).rejects.toMatchObject({
      code: "CREDITS_SPENT",
    });
  });

  test("that an earlier release left unpaid are paid by a replay", async () => {
    await openTiny();
    const { id } = await rules().create(by, WISH);
    await commit(id, [1, 2]);
    const [notice] = await list();
    // Two rows of an earlier release, which stored events before it charged them.
    await change(`update watch_events set state = 'unpaid', seq = null, kind = 'movement' where id = '${notice?.id}'`);
    await change(`delete from watch_deliveries where event_id = '${notice?.id}'`);
    await expect(store.watch.events.replay(by.account_id, notice?.id ?? "")).rejects.toMatchObject({
      code: "CREDITS_SPENT",
    });
    await store.accounts.grant(by.account_id, 1);
    expect(await store.watch.events.replay(by.account_id, notice?.id ?? "")).toMatchObject({ state: "shown", seq: 3 });
    expect([await list(true), await used()]).toEqual([[], 4]);
    expect(await store.ledger.verify()).toEqual([]);
  });
});
