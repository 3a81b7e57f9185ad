import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { commonEnd } from "./admitted.ts";
import type { SubjectRecord } from "./records.ts";

const record = (subject: string, to_block: number, more: Partial<SubjectRecord> = {}): SubjectRecord => ({
  ...{ subject: hex(subject), state: "read", from_block: 100, to_block, to_hash: "", to_time: 12 * to_block },
  ...{ wished_ms: 5, is_plain: true, is_balanced: true, verified: "full", untraced: [], found: 1, fetched: 1 },
  ...{ requests: 9, problem: "", rewrites: 0, is_rewriting: false, head: null, ...more },
});
const own = record("a1", 900);

test.each([
  ["the address alone", [own], 900],
  ["another one that is behind", [own, record("b0", 890)], 890],
  ["one that is further", [own, record("b0", 910)], 900],
  // 51 blocks of 12 seconds are more than ten minutes.
  ["one that stays behind", [own, record("b0", 849)], 900],
  ["one that is not read", [own, record("b0", 890, { state: "searching" })], 900],
  ["one that ends before the address begins", [own, record("b0", 99, { to_time: own.to_time })], 900],
] as const)("followed addresses end together: %s", (_, all, block) => {
  expect(commonEnd(own, all).to_block).toBe(block);
});
