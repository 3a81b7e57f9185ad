import { expect, test } from "vitest";
import { type ClientRequest, fingerprintOf } from "./histories.ts";
import { openRequestHistory, PARTS } from "./request_history.ts";

test("every recorded wish is returned unchanged and once, in the part of its fingerprint", () => {
  const kept = openRequestHistory();
  const wishes = Array.from(
    { length: 40_000 },
    (_, n): ClientRequest => ({
      account_id: `account_${n % 3}`,
      tool: n % 2 === 0 ? "answer" : "wait",
      nonce: `c-${n}`,
      idempotency_key: n % 5 === 0 ? null : `c-${n}`,
      attempts: [
        { end: "unknown", credits: 0, is_after_completed: false },
        ...(n % 4 === 0 ? [{ end: "charged" as const, credits: n % 9, is_after_completed: false }] : []),
        ...(n % 4 === 1 ? [{ end: "refused" as const, credits: 0, is_after_completed: true }] : []),
      ],
    }),
  );
  for (const wish of wishes) kept.keep(wish);
  // Each has an attempt without an answer; one in four was charged, one in four refused.
  expect(kept.ends).toEqual({ charged: 10_000, returned: 0, refused: 10_000, unknown: 40_000 });
  const found = PARTS.flatMap((digit) => {
    const part = kept.part(digit);
    expect(part.every((wish) => fingerprintOf(wish).startsWith(digit))).toBe(true);
    return part;
  });
  const byNumber = (wish: ClientRequest) => Number(wish.nonce.slice(2));
  expect([...found].sort((a, b) => byNumber(a) - byNumber(b))).toEqual(wishes);
});
