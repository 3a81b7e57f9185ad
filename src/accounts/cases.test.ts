import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCases } from "./cases/open.ts";
import type { NewCasePart } from "./cases/rows.ts";
import { CASE_BYTES_MAX } from "./cases/terms.ts";
import type { Database } from "./database.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

const TERMS = { cases_per_account: 3, bytes_per_account: 20 * 1_048_576 };

let store: TemporaryStore;
let other: Database;
let account_id: string;
let foreign: string;
beforeEach(async () => {
  store = await openTemporary({ cases: TERMS });
  other = await store.connect();
  ({ id: account_id } = await store.accounts.create({ name: "Acme", plan: "business" }));
  ({ id: foreign } = await store.accounts.create({ name: "Other", plan: "business" }));
});
afterEach(async () => {
  await other.close();
  await store.remove();
});

const by = (actor: string) => store.as(actor, "account").cases;
/** The cases as another process reads them. */
const seen = () =>
  openCases({ database: other, now: () => store.clock.at, newId: () => "case_x", actor: "key:x", terms: TERMS });

const entry = (id: string, answer = "{}"): NewCasePart => ({
  ...{ kind: "entry", id, body: `{"id":"${id}"}`, payload: answer, needs: [] },
});
const note = (id: string, text: string): NewCasePart => ({
  ...{ kind: "note", id, body: JSON.stringify({ id, text }), payload: null, needs: [] },
});
const graph = (id: string, ...needs: string[]): NewCasePart => ({
  ...{ kind: "graph", id, body: `{"id":"${id}"}`, payload: null, needs },
});
const begin = async (actor = "user:ann", title = "Theft") => {
  const { id } = await by(actor).create({ account_id, title });
  return { account_id, case_id: id };
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error) => error.code,
  );

test("another process reads a case with its parts in their order, who made them and when", async () => {
  const name = await begin();
  store.clock.at += 1_000;
  const answer = '{"status":"data","amount":"115792089237316195423570985008687907853269984665640564039457"}';
  await by("key:k").add(name, [entry("e2", answer), note("n1", "seen \u0000 here"), entry("e1")]);
  const { head, parts } = await seen().show(name, "whole");
  // e2: {"id":"e2"} is 11 bytes, and its answer 85; n1: {"id":"n1","text":"seen \u0000 here"} is 37; e1: 11 and {}.
  expect(head).toEqual({
    ...{ id: name.case_id, title: "Theft", status: "open", version: 1, entries: 2, notes: 1, graphs: 0 },
    ...{ bytes: 11 + Buffer.byteLength(answer) + 37 + 13, created_at: "2026-11-20T12:00:00Z", created_by: "user:ann" },
    ...{ changed_at: "2026-11-20T12:00:01Z", changed_by: "key:k" },
  });
  expect(parts.map(({ kind, id, payload }) => [kind, id, payload])).toEqual([
    ["entry", "e2", answer],
    ["note", "n1", null],
    ["entry", "e1", "{}"],
  ]);
  expect(JSON.parse(parts[1]?.body ?? "").text).toBe("seen \u0000 here");
  const light = await seen().show(name, "heads");
  expect(light.parts.map(({ payload }) => payload)).toEqual([null, null, null]);
  expect(await seen().part(name, { kind: "entry", id: "e2" })).toMatchObject({ payload: answer, version: 1 });
});

test("names the users who worked on a case", async () => {
  const user = await store.users.link({ name: "ann", account_id, is_operator: false });
  const name = await begin(`user:${user.id}`);
  await by("key:k").add(name, [note("n", "x")]);
  expect((await seen().show(name, "heads")).people).toEqual([{ actor: `user:${user.id}`, name: "ann" }]);
  const { people, entries } = await seen().changes(name, { limit: 10, before_seq: null });
  expect(people).toEqual([{ actor: `user:${user.id}`, name: "ann" }]);
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    ["key:k", "case.add"],
    [`user:${user.id}`, "case.create"],
  ]);
});

test("an account never sees, changes or deletes a case of another account", async () => {
  const own = await begin();
  await by("user:ann").add(own, [entry("e1"), note("n1", "secret")]);
  const name = { account_id: foreign, case_id: own.case_id };
  const mallory = by("user:mallory");
  expect(await mallory.list(foreign)).toEqual([]);
  const tried = [
    mallory.show(name, "whole"),
    mallory.part(name, { kind: "note", id: "n1" }),
    mallory.changes(name, { limit: 9, before_seq: null }),
    mallory.change({ ...name, title: "mine", status: "closed", version: 1 }),
    mallory.remove({ ...name, version: 1 }),
    mallory.add(name, [note("n2", "x")]),
    mallory.changePart(name, { part: note("n1", "x"), version: 1 }),
    mallory.removePart(name, { kind: "note", id: "n1", version: 1 }),
  ];
  expect(await Promise.all(tried.map(codeOf))).toEqual(tried.map(() => "UNKNOWN_CASE"));
  // The same words as for a case that does not exist.
  const [real, absent] = await Promise.all(
    [name, { ...name, case_id: "case_0" }].map((one) => mallory.show(one, "whole").catch((error) => error.public)),
  );
  expect(real.replace(own.case_id, "ID")).toBe(absent.replace("case_0", "ID"));
  const changes = await store.audit({ limit: 99, before_seq: null, account_id: foreign });
  expect(changes.map(({ subject }) => subject)).not.toContain(own.case_id);
  expect((await seen().show(own, "whole")).parts).toHaveLength(2);
});

describe("two people at a time", () => {
  test("of two who change the note that both have read, the second is refused and sees the name of the first", async () => {
    const user = await store.users.link({ name: "bob", account_id, is_operator: false });
    const name = await begin();
    await by("user:ann").add(name, [note("n1", "a")]);
    expect(await by(`user:${user.id}`).changePart(name, { part: note("n1", "b"), version: 1 })).toMatchObject({
      ...{ version: 2, changed_by: `user:${user.id}`, created_by: "user:ann" },
    });
    const late = by("user:ann").changePart(name, { part: note("n1", "c"), version: 1 });
    await expect(late).rejects.toMatchObject({ code: "CASE_CHANGED", public: expect.stringContaining("by bob") });
    const [kept] = (await seen().show(name, "heads")).parts;
    expect(JSON.parse(kept?.body ?? "").text).toBe("b");
  });

  test("of many at once, one change of a title and one of a note are taken", async () => {
    const name = await begin();
    await by("user:ann").add(name, [note("n1", "a")]);
    const people = ["a", "b", "c", "d"].map((one) => by(`user:${one}`));
    const titles = await Promise.all(
      people.map((one, i) => codeOf(one.change({ ...name, title: `T${i}`, status: "open", version: 1 }))),
    );
    const notes = await Promise.all(
      people.map((one, i) => codeOf(one.changePart(name, { part: note("n1", `t${i}`), version: 1 }))),
    );
    for (const outcomes of [titles, notes])
      expect(outcomes.toSorted()).toEqual(["CASE_CHANGED", "CASE_CHANGED", "CASE_CHANGED", "done"]);
    expect((await seen().show(name, "heads")).head.version).toBe(2);
  });

  test("results that many add at once are all there, each with its own place", async () => {
    const name = await begin();
    await Promise.all(["a", "b", "c", "d"].map((id) => by(`user:${id}`).add(name, [entry(id)])));
    const { head, parts } = await seen().show(name, "heads");
    expect([head.entries, parts.map(({ id }) => id).toSorted()]).toEqual([4, ["a", "b", "c", "d"]]);
  });

  test("a part that another person has removed is not brought back by a change", async () => {
    const name = await begin();
    await by("user:ann").add(name, [note("n1", "a")]);
    await by("user:bob").removePart(name, { kind: "note", id: "n1", version: 1 });
    expect(await codeOf(by("user:ann").changePart(name, { part: note("n1", "b"), version: 1 }))).toBe("CASE_CHANGED");
    expect(await codeOf(by("user:ann").removePart(name, { kind: "note", id: "n1", version: 1 }))).toBe("CASE_CHANGED");
  });
});

test("adding the same parts again changes nothing, and another part of that id is refused", async () => {
  const name = await begin();
  await by("user:ann").add(name, [entry("e1"), note("n1", "a")]);
  const before = await store.audit({ limit: 99, before_seq: null });
  store.clock.at += 1_000;
  expect(await by("user:bob").add(name, [entry("e1"), note("n1", "a")])).toMatchObject({ changed_by: "user:ann" });
  expect(await store.audit({ limit: 99, before_seq: null })).toEqual(before);
  // All or none.
  expect(await codeOf(by("user:bob").add(name, [entry("e2"), entry("e1", '{"x":1}')]))).toBe("CASE_CHANGED");
  expect((await seen().show(name, "heads")).head.entries).toBe(1);
});

test("a graph needs its results: it cannot be added without them, and goes with any of them", async () => {
  const name = await begin();
  expect(await codeOf(by("user:ann").add(name, [graph("g1", "e1")]))).toBe("BAD_CASE");
  await by("user:ann").add(name, [entry("e1"), entry("e2"), graph("g1", "e1"), graph("g2", "e2")]);
  await by("user:ann").removePart(name, { kind: "entry", id: "e1", version: 1 });
  const { parts } = await seen().show(name, "heads");
  expect(parts.map(({ id }) => id)).toEqual(["e2", "g2"]);
});

test("a closed case is read and opened again, and nothing else", async () => {
  const name = await begin();
  await by("user:ann").add(name, [note("n1", "a")]);
  await by("user:ann").change({ ...name, title: "Theft", status: "closed", version: 1 });
  const tried = [
    by("user:ann").add(name, [note("n2", "b")]),
    by("user:ann").changePart(name, { part: note("n1", "b"), version: 1 }),
    by("user:ann").removePart(name, { kind: "note", id: "n1", version: 1 }),
  ];
  expect(await Promise.all(tried.map(codeOf))).toEqual(["CASE_CLOSED", "CASE_CLOSED", "CASE_CLOSED"]);
  await by("user:bob").change({ ...name, title: "Theft", status: "open", version: 2 });
  expect(await by("user:ann").add(name, [note("n2", "b")])).toMatchObject({ notes: 2, version: 3 });
});

test("a deleted case is gone with its parts, and its changes stay in the account's list", async () => {
  const name = await begin();
  await by("user:ann").add(name, [entry("e1", '{"secret":"hunter"}')]);
  await by("user:ann").remove({ ...name, version: 1 });
  expect(await seen().list(account_id)).toEqual([]);
  expect(await codeOf(seen().show(name, "heads"))).toBe("UNKNOWN_CASE");
  const changes = await store.audit({ limit: 99, before_seq: null, account_id });
  const own = changes.filter(({ subject }) => subject === name.case_id);
  expect(own.map(({ action, before, after }) => [action, before, after])).toEqual([
    ["case.remove", { title: "Theft", status: "open" }, null],
    // SHA-256 of `{"id":"e1"}{"secret":"hunter"}`, by sha256sum.
    [
      "case.add",
      null,
      {
        parts: [
          { part: "entry", id: "e1", sha256: "5375d68a1014771894c7f8e81ac1165459a7d8b7333ba7478c7460acdb2a5cb7" },
        ],
      },
    ],
    ["case.create", null, { title: "Theft", status: "open" }],
  ]);
  expect(await store.ledger.verify()).toEqual([]);
});

describe("limits", () => {
  test("of cases: a deleted one makes room", async () => {
    const [first] = await Promise.all([begin(), begin(), begin()]);
    expect(await codeOf(by("user:ann").create({ account_id, title: "4" }))).toBe("CASE_LIMIT");
    expect(await codeOf(by("user:ann").create({ account_id: foreign, title: "1" }))).toBe("done");
    await by("user:ann").remove({ ...first, version: 1 });
    expect(await codeOf(by("user:ann").create({ account_id, title: "4" }))).toBe("done");
  });

  test("of bytes, of a case and of an account", async () => {
    const [first, second] = [await begin(), await begin()];
    const most = entry("e", JSON.stringify("x".repeat(CASE_BYTES_MAX - 12)));
    // The body {"id":"e"} has ten bytes and the quotes have two.
    expect(await by("user:ann").add(first, [most])).toMatchObject({ bytes: CASE_BYTES_MAX });
    expect(await codeOf(by("user:ann").add(first, [note("n", "")]))).toBe("CASE_LIMIT");
    // 4 MiB are left for the account.
    expect(await codeOf(by("user:ann").add(second, [entry("e", JSON.stringify("x".repeat(4_194_304)))]))).toBe(
      "CASE_LIMIT",
    );
    expect(await codeOf(by("user:ann").add(second, [entry("e", JSON.stringify("x".repeat(4_194_000)))]))).toBe("done");
  });

  test("of parts", async () => {
    const name = await begin();
    const graphs = Array.from({ length: 51 }, (_, i) => graph(`g${i}`));
    expect(await codeOf(by("user:ann").add(name, graphs))).toBe("CASE_LIMIT");
    expect(await by("user:ann").add(name, graphs.slice(1))).toMatchObject({ graphs: 50 });
  });
});
