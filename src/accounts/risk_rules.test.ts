import { afterEach, beforeEach, expect, test } from "vitest";
import { type RiskRule, RULES_MAX } from "../lib/risk_rule.ts";
import { recorderOf } from "./audit.ts";
import type { Database } from "./database.ts";
import { riskRule } from "./risk_rule.ts";
import { openRiskRules } from "./risk_rules.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
let other: Database;
beforeEach(async () => {
  store = await openTemporary();
  other = await store.connect();
});
afterEach(async () => {
  await other.close();
  await store.remove();
});

const MIXERS = riskRule.parse({ id: "mixers", category: "mixer", percent: 5 });
const rule = (change: Partial<RiskRule>): RiskRule => ({ ...MIXERS, ...change });
const by = (actor: string) => store.as(actor).risk_rules;
/** The rules as another process reads them. */
const seen = () => {
  const now = () => store.clock.at;
  return openRiskRules({ database: other, now, actor: "other", record: recorderOf("other", now) }).list();
};

test("other processes read a rule at once, each change of it, and its end", async () => {
  const made = await by("alice").create(MIXERS);
  expect(made).toMatchObject({ rule: MIXERS, changed_at: "2026-11-20T12:00:00Z", changed_by: "alice" });
  expect(await seen()).toEqual([made]);
  store.clock.at += 1_000;
  const wider = rule({ percent: null, usd: 1e300 });
  const changed = await by("bob").change(wider, made.version);
  expect(changed).toMatchObject({ rule: wider, changed_at: "2026-11-20T12:00:01Z", changed_by: "bob" });
  expect(await seen()).toEqual([changed]);
  expect(await by("bob").remove({ id: "mixers", version: changed.version })).toEqual(changed);
  expect(await seen()).toEqual([]);
  expect(await store.risk_rules.list()).toEqual([]);
});

test("the audit trail has each change with both states, and a change to the same adds nothing", async () => {
  const { version } = await by("alice").create(MIXERS);
  expect(await by("bob").change(MIXERS, version)).toMatchObject({ version, changed_by: "alice" });
  const next = rule({ usd: 10 });
  const changed = await by("bob").change(next, version);
  await by("carol").remove({ id: "mixers", version: changed.version });
  const { at: _noon, ...first } = (await store.audit({ limit: 3, before_seq: null }))[2] ?? { at: "" };
  expect(first).toMatchObject({ actor: "alice", action: "risk_rule.create", subject: "mixers", before: null });
  expect((await store.audit({ limit: 2, before_seq: null })).map(({ seq: _seq, at: _at, ...entry }) => entry)).toEqual([
    { actor: "carol", action: "risk_rule.remove", subject: "mixers", before: next, after: null },
    { actor: "bob", action: "risk_rule.change", subject: "mixers", before: MIXERS, after: next },
  ]);
  expect(await store.ledger.verify()).toEqual([]);
});

test("of two who change what both have read, the second is refused and changes nothing", async () => {
  const { version } = await by("alice").create(MIXERS);
  const outcomes = await Promise.allSettled([
    by("bob").change(rule({ usd: 1 }), version),
    by("carol").change(rule({ usd: 2 }), version),
    by("dave").remove({ id: "mixers", version }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  // After a removal there is no rule to change.
  expect(["RULE_CHANGED", "UNKNOWN_RULE"]).toEqual(expect.arrayContaining(reasons));
  expect(await store.audit({ limit: 9, before_seq: null })).toHaveLength((await before()) + 2);
});

/** Entries of a new store: its plans. */
const before = async () => {
  const entries = await store.audit({ limit: 99, before_seq: null });
  return entries.filter(({ actor }) => actor === "configuration").length;
};

test("of two who make a rule of one name, the second is refused; a removed name is free again", async () => {
  const both = await Promise.allSettled([by("bob").create(MIXERS), by("carol").create(rule({ usd: 7 }))]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(by("dave").create(MIXERS)).rejects.toMatchObject({ code: "RULE_EXISTS" });
  const [{ version = 0 } = {}] = await seen();
  await by("dave").remove({ id: "mixers", version });
  const again = await by("dave").create(MIXERS);
  // A version is never used twice: a change of the old rule does not reach the new one.
  expect(again.version).toBeGreaterThan(version);
  await expect(by("bob").change(MIXERS, version)).rejects.toMatchObject({ code: "RULE_CHANGED" });
});

test("refuses a rule that does not exist, and more rules than the limit", async () => {
  await expect(by("bob").change(MIXERS, 1)).rejects.toMatchObject({ code: "UNKNOWN_RULE" });
  await expect(by("bob").remove({ id: "mixers", version: 1 })).rejects.toMatchObject({ code: "UNKNOWN_RULE" });
  for (let index = 0; index < RULES_MAX; index += 1) await by("bob").create(rule({ id: `r${index}` }));
  await expect(by("bob").create(MIXERS)).rejects.toMatchObject({ code: "RULE_LIMIT" });
  expect(await seen()).toHaveLength(RULES_MAX);
});
