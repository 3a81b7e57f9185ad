import { expect, test } from "vitest";
import { openRecentAnswers, type RecentAnswerLimits } from "./recent_answers.ts";

const TOOL = "get_wallet_pnl";
// Each answer here is `{"x":"…"}`: 8 bytes and its text, and 512 for the entry.
const LIMITS: RecentAnswerLimits = {
  kept_ms: 1_000,
  answer_bytes_max: 2_000,
  account_bytes_max: 2_100,
  bytes_max: 4_000,
};

const answerOf = (length: number) => ({
  status: 200,
  body: { x: "a".repeat(length) },
  charged: 3,
  credit_status: null,
});
const DUPLICATE = { code: "DUPLICATE_REQUEST", state: "completed", same_request: true };
const refused = (detail: object) => ({ status: 409, body: { detail }, charged: 0, credit_status: null });

const open = () => {
  const clock = { at: 0 };
  const given = openRecentAnswers(() => clock.at, LIMITS);
  const call = (account_id: string, request_id: string, idempotency_key: string | null = null, tool = TOOL) => ({
    ...{ tool, account_id, request_id, idempotency_key },
  });
  const has = (account_id: string, request_id: string, tool = TOOL) =>
    given.find({ account_id, tool, request_id }) !== null;
  return { clock, given, call, has };
};

test("an answer is found by its account, tool and request until its time is over", () => {
  const { clock, given, call, has } = open();
  given.note(call("a", "1"), answerOf(10));
  expect(given.find({ account_id: "a", tool: TOOL, request_id: "1" })).toEqual({ x: "aaaaaaaaaa" });
  expect([has("b", "1"), has("a", "2"), has("a", "1", "get_token_flows")]).toEqual([false, false, false]);
  clock.at = 999;
  expect(has("a", "1")).toBe(true);
  clock.at = 1_000;
  expect([has("a", "1"), given.bytes]).toEqual([false, 0]);
});

test("an account's oldest answers give way to its newest", () => {
  const { given, call, has } = open();
  // 8 + 492 + 512 = 1,012 bytes each; two fit into 2,100.
  for (const id of ["1", "2", "3"]) given.note(call("a", id), answerOf(492));
  expect([has("a", "1"), has("a", "2"), has("a", "3"), given.bytes]).toEqual([false, true, true, 2_024]);
});

test("when all is full the account that has the most gives way, not the one that came first", () => {
  const { given, call, has } = open();
  given.note(call("small", "1"), answerOf(92));
  for (const account of ["b", "c"]) for (const id of ["1", "2"]) given.note(call(account, id), answerOf(492));
  // 612 + 4 * 1,012 = 4,660: one of those with 2,024 gave one.
  expect(given.bytes).toBe(3_648);
  expect(has("small", "1")).toBe(true);
});

test("what is longer than one answer may be, and what is no data, is not kept", () => {
  const { given, call, has } = open();
  given.note(call("a", "1"), answerOf(2_000));
  given.note(call("a", "2"), { ...answerOf(0), body: { status: "no_data" } });
  given.note(call("a", "3"), { ...answerOf(0), body: { status: "error" } });
  given.note(call("a", "4"), { ...answerOf(0), body: { error: "odd" } });
  given.note(call("a", "5", null, "resolve_ens"), answerOf(10));
  expect(["1", "2", "3", "4", "5"].filter((id) => has("a", id))).toEqual([]);
  expect(given.bytes).toBe(0);
});

test("a repeat finds what the first request was given, and a different request under its key does not", () => {
  const { given, call, has } = open();
  given.note(call("a", "1", "key"), answerOf(10));
  given.note(call("a", "2", "key"), refused(DUPLICATE));
  given.note(call("a", "3", "key"), refused({ ...DUPLICATE, same_request: false }));
  given.note(call("a", "4", "key"), refused({ ...DUPLICATE, state: "running" }));
  given.note(call("b", "5", "key"), refused(DUPLICATE));
  expect([has("a", "2"), has("a", "3"), has("a", "4"), has("b", "5"), has("a", "5")]).toEqual([
    ...[true, false, false, false, false],
  ]);
});

test("an answer that is refunded because it came too late is not kept", async () => {
  const { given, call, has } = open();
  const late = { ...answerOf(0), charged: 0, body: { status: "error" } };
  const noted = given.note(call("a", "1"), { ...answerOf(10), retract: async () => late });
  expect(has("a", "1")).toBe(true);
  expect(await noted.retract?.()).toBe(late);
  expect([has("a", "1"), given.bytes]).toEqual([false, 0]);
});
