import { afterEach, beforeEach, expect, test } from "vitest";
import { openAccounts } from "./open.ts";
import { DEFAULT_PLANS } from "./plans.ts";
import { charged, NOON, openCustomer, request, settingsFor } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
beforeEach(async () => {
  store = await openTemporary();
});
afterEach(async () => {
  const violations = await store.ledger.verify();
  await store.remove();
  expect(violations).toEqual([]);
});

test("creates an account with its name, plan, time and the credits of its plan", async () => {
  const account = await store.accounts.create({ name: " Acme ", plan: "pro" });
  expect(account).toEqual({ id: account.id, name: "Acme", plan: "pro", created_at: "2026-11-20T12:00:00Z" });
  expect(await store.accounts.show(account.id)).toEqual({
    ...account,
    period: "2026-11",
    credits_quota: 20_000,
    credits_used: 0,
    credits_used_api: 0,
    credits_used_mcp: 0,
    credits_remaining: 20_000,
    resets_at: "2026-12-01T00:00:00Z",
    keys: 0,
    keys_max: 2,
    calls_per_minute: 10,
  });
  expect(await store.accounts.list()).toEqual([account]);
});

test.each([
  ["free", 500, 1, 10],
  ["plus", 5_000, 1, 10],
  ["pro", 20_000, 2, 10],
  ["max", 100_000, 5, 60],
  ["business", 500_000, 10, 120],
])(
  "plan %s starts with %d credits, %d keys and %d calls a minute",
  async (plan, credits_quota, keys_max, calls_per_minute) => {
    const { id } = await store.accounts.create({ name: "Acme", plan });
    expect(await store.accounts.show(id)).toMatchObject({ credits_quota, keys_max, calls_per_minute });
  },
);

test("takes explicit numbers, all of them, on the custom plan and on no other", async () => {
  const numbers = { monthly_credits: 7_000, keys_max: 3, calls_per_minute: 33 };
  const { id } = await store.accounts.create({ name: "Acme", plan: "custom", ...numbers });
  expect(await store.accounts.show(id)).toMatchObject({ credits_quota: 7_000, keys_max: 3, calls_per_minute: 33 });
  const create = (wish: object) => store.accounts.create({ name: "Acme", plan: "custom", ...wish });
  await expect(create({})).rejects.toMatchObject({ code: "BAD_PLAN" });
  await expect(create({ ...numbers, keys_max: -1 })).rejects.toMatchObject({ code: "BAD_PLAN" });
  await expect(create({ ...numbers, plan: "pro" })).rejects.toMatchObject({ code: "BAD_PLAN" });
  await expect(create({ plan: "Pro" })).rejects.toMatchObject({ code: "BAD_PLAN" });
  await expect(create({ plan: "toString" })).rejects.toMatchObject({ code: "BAD_PLAN" });
  // Back on an ordinary plan the account's own numbers are gone.
  expect(await store.accounts.setPlan(id, { plan: "free" })).toMatchObject({ credits_quota: 500, keys_max: 1 });
});

test("applies the quota of a new plan at once and leaves the used credits, even above the new quota", async () => {
  const { account, api } = await openCustomer(store, "plus");
  // 20 * 40 = 800
  const charges = [];
  for (let call = 0; call < 20; call += 1)
    charges.push(charged(await store.meter.charge(request(api, { tool: "analyze_transaction" }))));
  expect(await store.accounts.setPlan(account.id, { plan: "free" })).toMatchObject({
    plan: "free",
    credits_quota: 500,
    credits_used: 800,
    credits_remaining: 0,
  });
  expect(await store.meter.charge(request(api, { tool: "resolve_ens" }))).toMatchObject({
    kind: "plan_limit",
    plan_id: "free",
    limit: 500,
  });
  // Seven refunds leave 520 used, still too much; the eighth leaves 480 and room for 20.
  for (const { charge_id } of charges.slice(0, 7)) await store.meter.settle(charge_id, "refunded", "TIMEOUT");
  expect((await store.meter.charge(request(api, { tool: "resolve_ens" }))).kind).toBe("plan_limit");
  await store.meter.settle(charges[7]?.charge_id ?? "", "refunded", "TIMEOUT");
  expect(charged(await store.meter.charge(request(api, { tool: "resolve_ens" }))).standing.credits_remaining).toBe(19);
  expect(await store.accounts.setPlan(account.id, { plan: "plus" })).toMatchObject({ credits_remaining: 4_519 });
});

test("adds a grant to this month's pool and not to the next month's", async () => {
  const { account } = await openCustomer(store, "free");
  expect(await store.accounts.grant(account.id, 100)).toMatchObject({ credits_quota: 600, credits_remaining: 600 });
  expect(await store.accounts.grant(account.id, 11)).toMatchObject({ credits_quota: 611 });
  store.clock.at = Date.UTC(2026, 11, 1);
  expect(await store.accounts.show(account.id)).toMatchObject({ period: "2026-12", credits_quota: 500 });
  for (const credits of [0, -5, 1.5, Number.NaN])
    await expect(store.accounts.grant(account.id, credits)).rejects.toMatchObject({ code: "BAD_CREDITS" });
});

test("rejects a call for an unknown account with a message", async () => {
  const unknown = { code: "UNKNOWN_ACCOUNT", public: "Account 'account_x' does not exist." };
  await expect(store.accounts.show("account_x")).rejects.toMatchObject(unknown);
  await expect(store.accounts.grant("account_x", 5)).rejects.toMatchObject(unknown);
  await expect(store.accounts.setPlan("account_x", { plan: "free" })).rejects.toMatchObject(unknown);
  for (const name of ["", "  ", "a\u0000b", "x".repeat(201)])
    await expect(store.accounts.create({ name, plan: "free" })).rejects.toMatchObject({ code: "BAD_NAME" });
});

test("follows the configured plans: new numbers at the next start, a removed plan only for its accounts", async () => {
  const { account, api } = await openCustomer(store, "free");
  charged(await store.meter.charge(request(api)));
  const { free: _free, ...plans } = DEFAULT_PLANS;
  const lower = await openAccounts(
    settingsFor(store.place, {
      now: () => NOON,
      plans: { ...DEFAULT_PLANS, free: { monthly_credits: 60, keys_max: 2, calls_per_minute: 5 } },
    }),
  );
  // 60 - 25
  expect(await lower.accounts.show(account.id)).toMatchObject({
    credits_quota: 60,
    credits_remaining: 35,
    keys_max: 2,
  });
  charged(await lower.meter.charge(request(api)));
  expect((await lower.meter.charge(request(api))).kind).toBe("plan_limit");
  await lower.close();
  const without = await openAccounts(settingsFor(store.place, { now: () => NOON, plans }));
  expect(await without.accounts.show(account.id)).toMatchObject({ plan: "free", credits_quota: 60 });
  await expect(without.accounts.create({ name: "New", plan: "free" })).rejects.toMatchObject({ code: "BAD_PLAN" });
  await without.close();
});

test("applies a card's new price at the next start, but not over an operator's price", async () => {
  await store.prices.set("get_wallet_pnl", 30);
  const next = await openAccounts(
    settingsFor(store.place, {
      now: () => NOON,
      tools: [
        { name: "resolve_ens", credits: 2 },
        { name: "get_wallet_pnl", credits: 20 },
      ],
    }),
  );
  expect((await next.meter.catalog()).credits).toEqual({ get_wallet_pnl: 30, resolve_ens: 2 });
  await next.close();
});

test("rejects bad settings before it writes anything", async () => {
  const settings = settingsFor(store.place);
  const bad = { monthly_credits: 1.5, keys_max: 1, calls_per_minute: 1 };
  await expect(openAccounts({ ...settings, plans: { free: bad } })).rejects.toMatchObject({ code: "BAD_PLAN" });
  await expect(openAccounts({ ...settings, plans: { Free: { ...bad, monthly_credits: 1 } } })).rejects.toMatchObject({
    code: "BAD_PLAN",
  });
  await expect(openAccounts({ ...settings, keys: { prefix: "a b" } })).rejects.toMatchObject({ code: "BAD_PREFIX" });
});
