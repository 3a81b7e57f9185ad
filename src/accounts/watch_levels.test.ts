import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCustomer } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { RULE_DEFINITION as WISH } from "./testing/watch.ts";
import type { Pass } from "./watch/follow.ts";

// Risks of watched subjects, assessed concurrently with matching, with both engines.

const FACTS = { facts: "f1", network: "demo", epoch: 1 };

let store: TemporaryStore;
let by: { account_id: string; key_id: string };
beforeEach(async () => {
  store = await openTemporary({ watch: { rules_per_account: 3, is_priced: false } });
  const { account, key } = await openCustomer(store);
  by = { account_id: account.id, key_id: key.id };
});
afterEach(() => store.remove());

const rules = () => store.watch.rules("key:test");
const release = () => store.watch.payments.release(100);

describe("a risk", () => {
  const SUBJECT = { network: "demo", subject_kind: "address", subject: "aa" } as const;
  const follow = (pass: Partial<Pass>) => {
    store.clock.at += 1;
    return store.watch.follow.commit(FACTS, {
      ...{ dropped: [], blocks: [], settled_to: 0, hole: null, events: [], due: [] },
      retraction: ({ id: event }) => ({ id: store.watch.newId("event"), body: JSON.stringify({ retracts: event }) }),
      ...pass,
    });
  };
  const due = async () => {
    const [waiting] = await store.watch.levels.waiting(["demo"], 1);
    const one = waiting === undefined ? null : await store.watch.levels.due(waiting);
    if (one === null) throw new Error("nothing is due");
    return one;
  };
  const judged = (rule_id: string, level: string, hash: string) => ({
    ...{ facts: FACTS.facts, level, block: { number: 1, hash }, again_at: null },
    events: [
      {
        ...{ id: store.watch.newId("event"), account_id: by.account_id, rule_id, kind: "risk", place: "low>high" },
        ...{ body: JSON.stringify({ level, hash }), block: { number: 1, hash } },
      },
    ],
  });
  /** A rule whose subject had a low risk and has moved since. */
  const moved = async (blocks: Pass["blocks"]) => {
    const { id } = await rules().create(by, { ...WISH, events: ["risk"], url: null });
    await store.watch.levels.note(await due(), { ...judged(id, "low", "h0"), events: [] });
    await follow({ blocks, due: [SUBJECT] });
    return id;
  };
  const told = async () => {
    while ((await release()) > 0);
    const rows = await store.watch.events.after(by.account_id, 0, 100);
    return rows.map(({ body }) => ("retracts" in JSON.parse(body) ? "retracted" : JSON.parse(body).hash));
  };

  test("is assessed once for each move, and again when its block was dropped; a change is reported once", async () => {
    const { id } = await rules().create(by, { ...WISH, events: ["risk"], url: null });
    const first = await due();
    expect(first).toMatchObject({ ...SUBJECT, level: null, rules: [{ id }] });
    expect(await store.watch.levels.note(first, { ...judged(id, "low", "h0"), events: [] })).toBe(true);
    expect(await store.watch.levels.waiting(["demo"], 1)).toEqual([]);
    await follow({ blocks: [{ number: 1, hash: "h1" }], due: [SUBJECT] });
    const again = await due();
    expect(await store.watch.levels.note(again, judged(id, "high", "h1"))).toBe(true);
    expect(await store.watch.levels.note(again, judged(id, "high", "h1"))).toBe(false);
    expect(await told()).toEqual(["h1"]);
    await follow({ dropped: [{ number: 1, hash: "h1" }] });
    expect(await told()).toEqual(["h1", "retracted"]);
    expect(await due()).toMatchObject({ ...SUBJECT, level: "high" });
  });

  test("whose block was dropped during the assessment is not reported, and is assessed again", async () => {
    const id = await moved([{ number: 1, hash: "h1" }]);
    const one = await due();
    await follow({ dropped: [{ number: 1, hash: "h1" }] });
    await follow({ blocks: [{ number: 1, hash: "other" }] });
    expect(await store.watch.levels.note(one, judged(id, "high", "h1"))).toBe(false);
    expect(await told()).toEqual([]);
    expect(await due()).toMatchObject({ level: "low" });
    expect(await store.watch.levels.note(await due(), judged(id, "high", "other"))).toBe(true);
    expect(await told()).toEqual(["other"]);
  });

  test.each([
    ["before its block is matched", []],
    ["between a cut and the new branch", [{ number: 1, hash: "h1" }]],
  ])("reported %s is revoked when another block is matched at its height", async (_when, blocks) => {
    const id = await moved(blocks);
    const one = await due();
    if (blocks.length > 0) await follow({ dropped: blocks });
    expect(await store.watch.levels.note(one, judged(id, "high", "h1"))).toBe(true);
    expect(await told()).toEqual(["h1"]);
    await follow({ blocks: [{ number: 1, hash: "other" }] });
    expect(await told()).toEqual(["h1", "retracted"]);
    expect(await due()).toMatchObject({ level: "high" });
    // And once: the winning branch stays.
    await follow({ blocks: [{ number: 2, hash: "h2" }] });
    expect(await told()).toEqual(["h1", "retracted"]);
  });

  test("is reported again when the chain returns to the block with which it was revoked", async () => {
    const id = await moved([{ number: 1, hash: "h1" }]);
    await store.watch.levels.note(await due(), judged(id, "high", "h1"));
    expect(await told()).toEqual(["h1"]);
    await follow({ dropped: [{ number: 1, hash: "h1" }] });
    await store.watch.levels.note(await due(), { ...judged(id, "low", "h1"), events: [] });
    await follow({ blocks: [{ number: 1, hash: "h1" }], due: [SUBJECT] });
    await store.watch.levels.note(await due(), judged(id, "high", "h1"));
    expect(await told()).toEqual(["h1", "retracted", "h1"]);
  });

  test("is deleted when no rule watches it any more, and kept when one does", async () => {
    const made = [];
    for (const subject of ["aa", "bb"]) made.push(await rules().create(by, { ...WISH, subject, events: ["risk"] }));
    const levels = async () => {
      const database = await store.connect();
      const rows = await database.all<{ subject: string }>("select subject from watch_levels order by subject");
      await database.close();
      return rows.map(({ subject }) => subject);
    };
    await rules().remove(by.account_id, made[0]?.id ?? "");
    expect((await store.watch.levels.waiting(["demo"], 8)).map(({ subject }) => subject)).toEqual(["bb"]);
    expect(await store.watch.levels.forget(10)).toBe(1);
    expect(await levels()).toEqual(["bb"]);
  });

  test("waits in its account's own queue: one account's backlog is not read before another's", async () => {
    for (const subject of ["01", "02", "03"]) await rules().create(by, { ...WISH, subject, events: ["risk"] });
    store.clock.at += 1;
    const { account, key } = await openCustomer(store);
    await rules().create({ account_id: account.id, key_id: key.id }, { ...WISH, subject: "04", events: ["risk"] });
    const waiting = await store.watch.levels.waiting(["demo"], 2);
    expect(
      waiting.map(({ account_id, subject }) => [account_id === by.account_id ? "busy" : "other", subject]),
    ).toEqual([
      ["busy", "01"],
      ["busy", "02"],
      ["other", "04"],
    ]);
  });
});
