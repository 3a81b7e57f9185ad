import { afterEach, beforeEach, expect, test } from "vitest";
import { type AnswerTerms, openKeptAnswers } from "./answers/open.ts";
import type { Database } from "./database.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

const TERMS: AnswerTerms = { days: 2, answers_per_account: 3, bytes_per_account: 1_000 };
const HOUR = 3_600_000;

let store: TemporaryStore;
let other: Database;
let account_id: string;
let foreign: string;
beforeEach(async () => {
  store = await openTemporary({ answers: TERMS });
  other = await store.connect();
  ({ id: account_id } = await store.accounts.create({ name: "Acme", plan: "business" }));
  ({ id: foreign } = await store.accounts.create({ name: "Other", plan: "business" }));
});
afterEach(async () => {
  await other.close();
  await store.remove();
});

const of = (question: string, account = account_id) => ({ account_id: account, question });
const answer = (request_id: string, body = "{}") => ({ tool: "show", request_id, credits: 5, body });
/** The answers as another process finds them. */
const seen = (terms = TERMS) => openKeptAnswers({ database: other, now: () => store.clock.at, terms });
const heldOf = async (...questions: readonly string[]): Promise<readonly string[]> => {
  const found = await Promise.all(questions.map((question) => seen().find(of(question))));
  return found.map((one) => one?.request_id ?? "-");
};

test("another process finds an answer as it was sent, with its age and price; another account finds nothing", async () => {
  const body =
    '{"status":"data","amount":"115792089237316195423570985008687907853269984665640564039457","text":"\\u0000"}';
  await store.answers.keep(of("q"), answer("r1", body));
  expect(await seen().find(of("q"))).toEqual({
    ...{ tool: "show", request_id: "r1", credits: 5, kept_at: store.clock.at, body },
  });
  expect([await seen().find(of("q", foreign)), await seen().find(of("other"))]).toEqual([null, null]);
});

test("a new answer replaces the one to the same question, and a refund deletes only its own", async () => {
  await store.answers.keep(of("q"), answer("r1"));
  store.clock.at += HOUR;
  await store.answers.keep(of("q"), answer("r2"));
  expect(await heldOf("q")).toEqual(["r2"]);
  await store.answers.forget(of("q"), "r1");
  expect(await heldOf("q")).toEqual(["r2"]);
  await store.answers.forget(of("q"), "r2");
  expect(await heldOf("q")).toEqual(["-"]);
});

test("the oldest answers go beyond the count and beyond the bytes of an account, of that account alone", async () => {
  await store.answers.keep(of("f", foreign), answer("rf"));
  for (const name of ["a", "b", "c", "d"]) {
    store.clock.at += HOUR;
    await store.answers.keep(of(name), answer(`r${name}`, `"${"x".repeat(198)}"`));
  }
  expect(await heldOf("a", "b", "c", "d")).toEqual(["-", "rb", "rc", "rd"]);
  store.clock.at += HOUR;
  // 200 of d and 700 of e are within 1,000; 200 of c are not.
  await store.answers.keep(of("e"), answer("re", `"${"x".repeat(698)}"`));
  expect(await heldOf("b", "c", "d", "e")).toEqual(["-", "-", "rd", "re"]);
  await store.answers.keep(of("g"), answer("rg", `"${"x".repeat(1_000)}"`));
  expect(await heldOf("d", "e", "g")).toEqual(["rd", "re", "-"]);
  expect((await seen().find(of("f", foreign)))?.request_id).toBe("rf");
});

test("an answer expires after the days of the operator, and the sweep deletes it", async () => {
  await store.answers.keep(of("q"), answer("r1"));
  store.clock.at += 2 * 24 * HOUR - 1;
  expect(await heldOf("q")).toEqual(["r1"]);
  store.clock.at += 1;
  expect(await heldOf("q")).toEqual(["-"]);
  const rows = () => other.all("select question from kept_answers");
  expect(await rows()).toHaveLength(1);
  await store.answers.sweep();
  expect(await rows()).toEqual([]);
});

test("switched off, nothing is kept, what was kept is not found, and the sweep deletes it", async () => {
  await store.answers.keep(of("q"), answer("r1"));
  const off = seen({ ...TERMS, days: 0 });
  expect(await off.find(of("q"))).toBe(null);
  await off.keep(of("new"), answer("r2"));
  expect(await heldOf("new")).toEqual(["-"]);
  await off.sweep();
  expect(await heldOf("q")).toEqual(["-"]);
});
