import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ChargeRow, type ClientAttempt, type ClientRequest, openJudge } from "./histories.ts";

const ended = (end: ClientAttempt["end"], credits = 0, is_after_completed = false): ClientAttempt => ({
  end,
  credits,
  is_after_completed,
});

const clientRequest = (attempts: ClientAttempt[], idempotency_key: string | null = "k"): ClientRequest => ({
  account_id: "a",
  tool: "answer",
  nonce: "n",
  idempotency_key,
  attempts,
});

const unexplained = (wishes: readonly ClientRequest[], rows: readonly ChargeRow[]): readonly string[] => {
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
  test.each<[string, ClientRequest, readonly ChargeRow[]]>([
    ["an answer that is charged once", clientRequest([ended("charged", 3)]), [row("done")]],
    ["a failure that is refunded", clientRequest([ended("returned")]), [row("refunded")]],
    ["a refusal without a charge", clientRequest([ended("refused")]), []],
    ["no answer, and charged", clientRequest([ended("unknown")]), [row("done")]],
    ["no answer, and refunded", clientRequest([ended("unknown")]), [row("refunded")]],
    ["no answer, and nothing", clientRequest([ended("unknown")]), []],
    [
      "a repetition that was called completed before the answer came too late",
      clientRequest([ended("unknown"), ended("refused", 0, true)]),
      [row("refunded", { reason: "late" })],
    ],
    ["a repetition after a lost answer", clientRequest([ended("unknown"), ended("refused", 0, true)]), [row("done")]],
    [
      "a repetition after a refund",
      clientRequest([ended("unknown"), ended("charged", 3)]),
      [row("refunded"), row("done")],
    ],
  ])("%s", (_, one, rows) => {
    expect(unexplained([one], rows)).toEqual([]);
  });
});

describe("not explained", () => {
  test.each<[string, ClientRequest, readonly ChargeRow[], string]>([
    ["an answer without a charge", clientRequest([ended("charged", 3)]), [], "a charged answer has no charge"],
    [
      "an answer that was refunded",
      clientRequest([ended("charged", 3)]),
      [row("refunded")],
      "a charged answer has no charge",
    ],
    ["a charge behind a refusal", clientRequest([ended("refused")]), [row("done")], "a rejected call is charged"],
    [
      "a failure that stays charged",
      clientRequest([ended("returned")]),
      [row("done")],
      "a refunded failure has no refund",
    ],
    [
      "two charges of one answer",
      clientRequest([ended("charged", 3)], null),
      [row("done", { idempotency_key: null }), row("done", { id: "b", idempotency_key: null })],
      "there are more charges than attempts",
    ],
    [
      "one key charged twice",
      clientRequest([ended("unknown"), ended("unknown")]),
      [row("done"), row("done", { id: "b" })],
      "one idempotency key was charged twice",
    ],
    [
      "another price than the answer said",
      clientRequest([ended("charged", 3)]),
      [row("done", { credits: 4 })],
      "an answer named another price",
    ],
    [
      "a charge in another account",
      clientRequest([ended("unknown")]),
      [row("done", { account_id: "b" })],
      "a charge is another's",
    ],
    [
      "a charge under another key",
      clientRequest([ended("unknown")]),
      [row("done", { idempotency_key: "other" })],
      "another idempotency key",
    ],
    [
      "a charge that was never settled",
      clientRequest([ended("unknown")]),
      [row("running")],
      "neither done nor refunded",
    ],
    [
      "'completed' of a call that is not",
      clientRequest([ended("unknown"), ended("refused", 0, true)]),
      [row("refunded")],
      "a completed call is not charged",
    ],
    [
      "a charge without an attempt",
      clientRequest([ended("refused")]),
      [row("done", { fingerprint: "f" })],
      "has no attempt",
    ],
  ])("%s", (_, one, rows, words) => {
    expect(unexplained([one], rows).join("\n")).toContain(words);
  });
});

test("credits of an account are summed over all parts", () => {
  const judge = openJudge();
  expect(judge.part([clientRequest([ended("charged", 3)])], [row("done")])).toEqual([]);
  expect(judge.part([], [row("done", { fingerprint: "f", credits: 4 })])).toHaveLength(1);
  // 3 + 4 were used, answers state 3, and nothing is open.
  expect(judge.sums()).toEqual(["a: answers say 3, 0 are open, used 7"]);
});
