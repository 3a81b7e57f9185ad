import { afterEach, beforeEach, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import type { Database } from "./database.ts";
import { openAccounts } from "./open.ts";
import { DEFAULT_PLANS } from "./plans.ts";
import { NOON, settingsFor } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
let database: Database;
beforeEach(async () => {
  store = await openTemporary();
  database = await store.connect();
});
afterEach(async () => {
  await database.close();
  await store.remove();
});

/** Oldest first, without the entries of the configuration at the start. */
const trail = async () =>
  [...(await store.audit({ limit: 1_000, before_seq: null }))]
    .reverse()
    .filter(({ actor }) => actor !== "configuration");

test("records every change once, with actor, time, subject, and the state before and after", async () => {
  const alice = store.as("alice");
  const { id } = await alice.accounts.create({ name: "Acme", plan: "pro" });
  store.clock.at = NOON + 60_000;
  await store.as("bob").accounts.setPlan(id, { plan: "custom", monthly_credits: 9, keys_max: 3, calls_per_minute: 4 });
  await store.accounts.grant(id, 5);
  const key = await alice.keys.create({ account_id: id, scopes: ["api:call"] });
  await alice.keys.setLimit(key.id, 2);
  const rotated = await alice.keys.rotate(key.id, 60);
  await alice.keys.revoke(key.id);
  await alice.prices.set("resolve_ens", null);
  await alice.allowlist.set("resolve_ens", false);
  const none = { monthly_credits: null, keys_max: null, calls_per_minute: null };
  const own = { monthly_credits: 9, keys_max: 3, calls_per_minute: 4 };
  const live = { account_id: id, prefix: key.prefix, scopes: ["api:call"], limit: null };
  const minute = { at: "2026-11-20T12:01:00Z" };
  const given = { created_by: "alice", rotated_by: null, rotated_at: null };
  const of_none = { client_name: null, expires_at: null };
  const shown = { ...live, limit: 2, revoked_at: null, grace_until: null, ...given, ...of_none, pepper: "none" };
  const renewed = { rotated_by: "alice", rotated_at: minute.at };
  const grace = { ...shown, prefix: rotated.prefix, grace_until: "2026-11-20T12:02:00Z", ...renewed };
  expect((await trail()).map(({ seq: _, ...entry }) => entry)).toEqual([
    {
      at: "2026-11-20T12:00:00Z",
      actor: "alice",
      action: "account.create",
      subject: id,
      before: null,
      after: { name: "Acme", plan: "pro", ...none },
    },
    {
      ...minute,
      actor: "bob",
      action: "account.plan",
      subject: id,
      before: { plan: "pro", ...none },
      after: { plan: "custom", ...own },
    },
    {
      ...minute,
      actor: "process",
      action: "account.grant",
      subject: id,
      before: { period: "2026-11", credits_quota: 9 },
      after: { period: "2026-11", credits_quota: 14 },
    },
    { ...minute, actor: "alice", action: "key.create", subject: key.id, before: null, after: live },
    {
      ...minute,
      actor: "alice",
      action: "key.limit",
      subject: key.id,
      before: { ...shown, limit: null },
      after: shown,
    },
    { ...minute, actor: "alice", action: "key.rotate", subject: key.id, before: shown, after: grace },
    {
      ...minute,
      actor: "alice",
      action: "key.revoke",
      subject: key.id,
      before: grace,
      after: { ...grace, revoked_at: minute.at, grace_until: null },
    },
    {
      ...minute,
      actor: "alice",
      action: "price.set",
      subject: "resolve_ens",
      before: { credits: 1 },
      after: { credits: null },
    },
    {
      ...minute,
      actor: "alice",
      action: "tool.list",
      subject: "resolve_ens",
      before: { is_public: true },
      after: { is_public: false },
    },
  ]);
  expect(await store.ledger.verify()).toEqual([]);
});

test("records nothing for a rejected change or one without effect", async () => {
  const { id } = await store.accounts.create({ name: "Acme", plan: "free" });
  const key = await store.keys.create({ account_id: id, scopes: ["api:call"] });
  await store.keys.revoke(key.id);
  const before = await trail();
  await store.keys.revoke(key.id);
  await store.allowlist.set("resolve_ens", true);
  await expect(store.keys.rotate(key.id)).rejects.toMatchObject({ code: "KEY_REVOKED" });
  await expect(store.keys.setLimit(key.id, 5)).rejects.toMatchObject({ code: "KEY_REVOKED" });
  await expect(store.keys.setLimit("key_x", 5)).rejects.toMatchObject({ code: "UNKNOWN_KEY" });
  await expect(store.accounts.setPlan("account_x", { plan: "free" })).rejects.toMatchObject({
    code: "UNKNOWN_ACCOUNT",
  });
  await expect(store.prices.set("resolve_ens", 1_000)).rejects.toMatchObject({ code: "BAD_CREDITS" });
  await expect(store.allowlist.set("resolve_nothing", false)).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
  expect(await trail()).toEqual(before);
});

test("records plans that the configuration changes, and no unchanged ones", async () => {
  const changed = { ...DEFAULT_PLANS.free, monthly_credits: 60, keys_max: 1, calls_per_minute: 10 };
  for (let start = 0; start < 2; start += 1) {
    const other = await openAccounts(
      settingsFor(store.place, { now: () => NOON, plans: { ...DEFAULT_PLANS, free: changed } }),
    );
    await other.close();
  }
  const entries = (await store.audit({ limit: 1_000, before_seq: null })).filter(({ before }) => before !== null);
  expect(entries).toMatchObject([
    {
      actor: "configuration",
      action: "plan.set",
      subject: "free",
      before: { monthly_credits: 500 },
      after: { monthly_credits: 60 },
    },
  ]);
});

test("pages through the entries, newest first", async () => {
  for (let n = 0; n < 5; n += 1) await store.accounts.create({ name: `A${n}`, plan: "free" });
  const first = await store.audit({ limit: 2, before_seq: null });
  const second = await store.audit({ limit: 2, before_seq: first[1]?.seq ?? null });
  expect([...first, ...second].map(({ after }) => (after as { name: string }).name)).toEqual(["A4", "A3", "A2", "A1"]);
});

test("detects a changed or removed entry as a break in the chain", async () => {
  for (let n = 0; n < 4; n += 1) await store.accounts.create({ name: `A${n}`, plan: "free" });
  const [newest] = await store.audit({ limit: 1, before_seq: null });
  const seq = newest?.seq ?? 0;
  await database.run("update audit set actor = 'mallory' where seq = $1", [seq - 1]);
  expect(await store.ledger.verify()).toMatchObject([{ invariant: "A1", rows: [{ audit_seq: seq - 1 }] }]);
  await database.run("update audit set actor = 'process' where seq = $1", [seq - 1]);
  expect(await store.ledger.verify()).toEqual([]);
  await database.run("delete from audit where seq = $1", [seq - 2]);
  expect(await store.ledger.verify()).toMatchObject([{ invariant: "A1", rows: [{ audit_seq: seq - 1 }] }]);
});

test("detects entries that were cut off at the end", async () => {
  for (let n = 0; n < 3; n += 1) await store.accounts.create({ name: `A${n}`, plan: "free" });
  const [newest] = await store.audit({ limit: 1, before_seq: null });
  await database.run("delete from audit where seq = $1", [newest?.seq ?? 0]);
  expect(await store.ledger.verify()).toMatchObject([{ invariant: "A1", rows: [{ audit_seq: newest?.seq }] }]);
});

test("numbers concurrent changes of two handles on one store without a gap", async () => {
  const pepper = new Secret("salt of the house");
  const other = await openAccounts(
    settingsFor(store.place, { now: () => NOON, keys: { prefix: "svc_live_", pepper } }),
  );
  const { id } = await store.accounts.create({ name: "Acme", plan: "free" });
  await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? store : other).accounts.grant(id, n + 1)));
  await other.close();
  const grants = (await trail()).filter(({ action }) => action === "account.grant");
  expect(grants).toHaveLength(40);
  expect(grants.map(({ seq }) => seq - (grants[0]?.seq ?? 0))).toEqual(Array.from({ length: 40 }, (_, n) => n));
  expect(await store.ledger.verify()).toEqual([]);
});
