import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Attempt, type ChargeRow, openJudge, type Wish } from "./histories.ts";

const ended = (end: Attempt["end"], credits = 0, is_after_completed = false): Attempt => ({
  end,
  credits,
  is_after_completed,
});

const wish = (attempts: Attempt[], idempotency_key: string | null = "k"): Wish => ({
  account_id: "a",
  tool: "answer",
  nonce: "n",
  idempotency_key,
  attempts,
});

const unexplained = (wishes: readonly Wish[], rows: readonly ChargeRow[]): readonly string[] => {
  const judge = openJudge();
  return [...judge.part(wishes, rows), ...judge.sums()];
};

const FINGERPRINT = createHash("sha256").update('["answer",{"nonce":"n"}]').digest("hex");

const row = (state: string, changes: Partial<ChargeRow> = {}): ChargeRow => ({
  id: `charge-${state}`,
  account_id: "a",
  tool: "answer",
  credits: 3,
  idempotency_key: "k",
  fingerprint: FINGERPRINT,
  state,
  reason: null,
  ...changes,
});

describe("explained", () => {
  test.each<[string, Wish, readonly ChargeRow[]]>([
    ["an answer that is charged once", wish([ended("charged", 3)]), [row("done")]],
    ["a failure that is refunded", wish([ended("returned")]), [row("refunded")]],
    ["a refusal without a charge", wish([ended("refused")]), []],
    ["no answer, and charged", wish([ended("unknown")]), [row("done")]],
    ["no answer, and refunded", wish([ended("unknown")]), [row("refunded")]],
    ["no answer, and nothing", wish([ended("unknown")]), []],
    [
      "a repetition that was called completed before the answer came too late",
      wish([ended("unknown"), ended("refused", 0, true)]),
      [row("refunded", { reason: "late" })],
    ],
    ["a repetition after a lost answer", wish([ended("unknown"), ended("refused", 0, true)]), [row("done")]],
    ["a repetition after a refund", wish([ended("unknown"), ended("charged", 3)]), [row("refunded"), row("done")]],
  ])("%s", (_, one, rows) => {
    expect(unexplained([one], rows)).toEqual([]);
  });
});

describe("not explained", () => {
  test.each<[string, Wish, readonly ChargeRow[], string]>([
    ["an answer without a charge", wish([ended("charged", 3)]), [], "a charged answer has no charge"],
    ["an answer that was refunded", wish([ended("charged", 3)]), [row("refunded")], "a charged answer has no charge"],
    ["a charge behind a refusal", wish([ended("refused")]), [row("done")], "a rejected call is charged"],
    ["a failure that stays charged", wish([ended("returned")]), [row("done")], "a refunded failure has no refund"],
    [
      "two charges of one answer",
      wish([ended("charged", 3)], null),
      [row("done", { idempotency_key: null }), row("done", { id: "b", idempotency_key: null })],
      "there are more charges than attempts",
    ],
    [
      "one key charged twice",
      wish([ended("unknown"), ended("unknown")]),
      [row("done"), row("done", { id: "b" })],
      "one idempotency key was charged twice",
    ],
    [
      "another price than the answer said",
      wish([ended("charged", 3)]),
      [row("done", { credits: 4 })],
      "an answer named another price",
    ],
    [
      "a charge in another account",
      wish([ended("unknown")]),
      [row("done", { account_id: "b" })],
      "a charge is another's",
    ],
    [
      "a charge under another key",
      wish([ended("unknown")]),
      [row("done", { idempotency_key: "other" })],
      "another idempotency key",
    ],
    ["a charge that was never settled", wish([ended("unknown")]), [row("running")], "neither done nor refunded"],
    [
      "'completed' of a call that is not",
      wish([ended("unknown"), ended("refused", 0, true)]),
      [row("refunded")],
      "a completed call is not charged",
    ],
    ["a charge without an attempt", wish([ended("refused")]), [row("done", { fingerprint: "f" })], "has no attempt"],
  ])("%s", (_, one, rows, words) => {
    expect(unexplained([one], rows).join("\n")).toContain(words);
  });
});

test("credits of an account are summed over all parts", () => {
  const judge = openJudge();
  expect(judge.part([wish([ended("charged", 3)])], [row("done")])).toEqual([]);
  expect(judge.part([], [row("done", { fingerprint: "f", credits: 4 })])).toHaveLength(1);
  // 3 + 4 were used, answers state 3, and nothing is open.
  expect(judge.sums()).toEqual(["a: answers say 3, 0 are open, used 7"]);
});
