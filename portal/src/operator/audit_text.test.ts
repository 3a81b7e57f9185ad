import { expect, test } from "vitest";
import { auditText } from "./audit_text.ts";

const NAMES = new Map([
  ["account_1", "Acme"],
  ["user_1", "ann"],
]);

const told = (action: string, subject: string, states: object = {}, actor = "user:user_1") =>
  auditText({ action, subject, actor, before: null, after: null, ...states }, NAMES);

test("an entry is a sentence with its actor, names and both values", () => {
  expect(told("price.set", "resolve_ens", { before: { credits: 1 }, after: { credits: null } })).toBe(
    "ann changed the price of resolve_ens from 1 credit to unavailable.",
  );
  const quota = (credits_quota: number) => ({ period: "2026-11", credits_quota });
  expect(told("account.grant", "account_1", { before: quota(100), after: quota(350) }, "command-line:root")).toBe(
    "root on the command line granted 250 credits to Acme for 2026-11.",
  );
  const key = { account_id: "account_1", prefix: "assay_live_ab" };
  expect(told("key.revoke", "key_7", { before: key, after: key }, "alice")).toBe(
    "alice revoked key assay_live_ab… of Acme.",
  );
  expect(told("key.limit", "key_7", { before: key, after: { ...key, limit: 30 } })).toBe(
    "ann set key assay_live_ab… of Acme to 30 calls a minute.",
  );
  expect(
    told("user.role", "user_2", {
      before: { name: "bob", role: "viewer", is_operator: true },
      after: { name: "bob", role: "key_manager", is_operator: false },
    }),
  ).toBe("ann changed bob from viewer and operator to key manager.");
  expect(told("list.import", "mine", { after: { version: "a", rows: 1_200 } })).toBe(
    "ann imported list mine with 1,200 rows.",
  );
  expect(told("watch.create", "rule_1", { after: { subject_kind: "token", subject: "0xab", network: "demo" } })).toBe(
    "ann made the watch of token 0xab on demo.",
  );
  expect(told("session.refused", "user_1", {}, "sign-in")).toBe("The sign-in refused a sign-in as ann.");
  expect(told("watch.pause", "rule_1", {}, "key:key_01a22804aa12bc")).toBe("Key …aa12bc paused a watch rule.");
  expect(told("new.deed", "thing_1")).toBe("ann did new.deed to thing_1.");
});
