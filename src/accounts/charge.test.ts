import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callerOf, charged, NOON, openCustomer, request } from "./testing/store.ts";
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

describe("a charge", () => {
  test("takes the price from the pool, and keeps it when the charge is settled as done", async () => {
    const { api } = await openCustomer(store);
    const { version } = await store.meter.catalog();
    const result = charged(await store.meter.charge(request(api)));
    // business 500,000 - get_wallet_pnl 25
    expect(result.credits).toBe(25);
    expect(result.standing).toEqual({ credits_remaining: 499_975, catalog_version: version });
    expect(await store.meter.settle(result.charge_id, "done", null)).toEqual(result.standing);
    expect(await store.meter.standing(api)).toEqual(result.standing);
  });

  test("returns the price when the charge is settled as refunded", async () => {
    const { api } = await openCustomer(store);
    const { charge_id } = charged(await store.meter.charge(request(api)));
    const standing = await store.meter.settle(charge_id, "refunded", "TIMEOUT");
    expect(standing?.credits_remaining).toBe(500_000);
  });

  test("is settled once: the second caller gets null, and no credits move", async () => {
    const { api } = await openCustomer(store);
    const { charge_id } = charged(await store.meter.charge(request(api)));
    const answers = await Promise.all([
      store.meter.settle(charge_id, "refunded", "A"),
      store.meter.settle(charge_id, "refunded", "B"),
      store.meter.settle(charge_id, "done", null),
    ]);
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    expect((await store.meter.standing(api)).credits_remaining).toBe(500_000);
    expect(await store.meter.settle("charge_of_nobody", "done", null)).toBeNull();
  });

  test("that was done is refunded once when its answer came too late, and its idempotency key charges again", async () => {
    const { api } = await openCustomer(store);
    const wish = request(api, { idempotency_key: "a" });
    const { charge_id } = charged(await store.meter.charge(wish));
    // Only the call itself settles a running charge.
    expect(await store.meter.retract(charge_id, "late")).toBeNull();
    await store.meter.settle(charge_id, "done", null);
    const answers = await Promise.all([store.meter.retract(charge_id, "late"), store.meter.retract(charge_id, "late")]);
    expect(answers.filter((answer) => answer !== null)).toMatchObject([{ credits_remaining: 500_000 }]);
    expect(await store.meter.settle(charge_id, "done", null)).toBeNull();
    // 500,000 - 25
    expect(charged(await store.meter.charge(wish)).standing.credits_remaining).toBe(499_975);
  });

  test("above the remaining credits is rejected whole, with the plan in the message", async () => {
    const { api, mcp, account } = await openCustomer(store, "free");
    // 500 = 12 * 40 + 20
    for (let call = 0; call < 12; call += 1)
      charged(await store.meter.charge(request(api, { tool: "analyze_transaction" })));
    const refused = await store.meter.charge(request(api));
    expect(refused).toEqual({
      kind: "plan_limit",
      meter: "api_calls",
      plan_id: "free",
      limit: 500,
      resets_at: Date.UTC(2026, 11, 1),
      standing: { credits_remaining: 20, catalog_version: (await store.meter.catalog()).version },
    });
    expect(await store.meter.charge(request(mcp))).toMatchObject({ kind: "plan_limit", meter: "mcp_calls" });
    // Charges that fit are still accepted, down to exactly zero: 20 = 20 * 1.
    for (let call = 0; call < 20; call += 1) charged(await store.meter.charge(request(mcp, { tool: "resolve_ens" })));
    expect(await store.meter.charge(request(api, { tool: "resolve_ens" }))).toMatchObject({ kind: "plan_limit" });
    // 12 * 40 through one surface and 20 * 1 through the other, from one pool.
    expect(await store.accounts.show(account.id)).toMatchObject({
      credits_used: 500,
      credits_used_api: 480,
      credits_used_mcp: 20,
      credits_remaining: 0,
    });
  });

  test("uses a new pool in a new month, and a refund returns to the month of its charge", async () => {
    const { api, account } = await openCustomer(store, "free");
    store.clock.at = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
    const november = charged(await store.meter.charge(request(api)));
    expect(november.standing.credits_remaining).toBe(475);
    store.clock.at += 1;
    const december = charged(await store.meter.charge(request(api)));
    expect(december.standing.credits_remaining).toBe(475);
    expect((await store.meter.settle(november.charge_id, "refunded", "TIMEOUT"))?.credits_remaining).toBe(475);
    expect(await store.accounts.show(account.id)).toMatchObject({ period: "2026-12", credits_used: 25 });
    store.clock.at -= 1;
    expect(await store.accounts.show(account.id)).toMatchObject({ period: "2026-11", credits_used: 0 });
  });
});

describe("an idempotency key", () => {
  test("answers running, then completed, reports whether the request is the same, and charges nothing again", async () => {
    const { api } = await openCustomer(store);
    const { charge_id } = charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
    expect(await store.meter.charge(request(api, { idempotency_key: "a" }))).toMatchObject({
      kind: "duplicate",
      state: "running",
      same_request: true,
      standing: { credits_remaining: 499_975 },
    });
    await store.meter.settle(charge_id, "done", null);
    expect(
      await store.meter.charge(request(api, { idempotency_key: "a", fingerprint: "f2", tool: "resolve_ens" })),
    ).toMatchObject({ kind: "duplicate", state: "completed", same_request: false });
    expect((await store.meter.standing(api)).credits_remaining).toBe(499_975);
  });

  test("of a refunded call runs and charges again", async () => {
    const { api } = await openCustomer(store);
    const first = charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
    await store.meter.settle(first.charge_id, "refunded", "TIMEOUT");
    const second = charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
    expect(second.standing.credits_remaining).toBe(499_975);
  });

  test("belongs to an account and a surface, so it survives the rotation of the key and is free on the other surface", async () => {
    const { api, mcp, key, account } = await openCustomer(store);
    charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
    charged(await store.meter.charge(request(mcp, { idempotency_key: "a" })));
    const rotated = await callerOf(store.meter, (await store.keys.rotate(key.id)).secret);
    expect(await store.meter.charge(request(rotated, { idempotency_key: "a" }))).toMatchObject({ kind: "duplicate" });
    const second = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
    const sibling = await callerOf(store.meter, second.secret);
    expect(await store.meter.charge(request(sibling, { idempotency_key: "a" }))).toMatchObject({ kind: "duplicate" });
    const stranger = await openCustomer(store);
    charged(await store.meter.charge(request(stranger.api, { idempotency_key: "a" })));
  });

  test("is checked before prices and credits, and a rejection for those does not use it up", async () => {
    const { api, account } = await openCustomer(store, "free");
    charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
    await store.prices.set("get_wallet_pnl", null);
    // Duplicate, outdated version and no price at once: the answer is the duplicate.
    const all = { idempotency_key: "a", catalog_version: "old" };
    expect((await store.meter.charge(request(api, all))).kind).toBe("duplicate");
    // Outdated version and no price: the answer is the version.
    expect((await store.meter.charge(request(api, { ...all, idempotency_key: "b" }))).kind).toBe("price_changed");
    // No price and no credits: the answer is the price.
    for (let call = 0; call < 11; call += 1)
      charged(await store.meter.charge(request(api, { tool: "analyze_transaction" })));
    expect((await store.meter.charge(request(api, { idempotency_key: "b" }))).kind).toBe("price_unavailable");
    // 500 - 25 - 11 * 40 = 35 is too little for 40.
    const dear = { tool: "analyze_transaction", idempotency_key: "b" };
    expect((await store.meter.charge(request(api, dear))).kind).toBe("plan_limit");
    await store.accounts.grant(account.id, 5);
    charged(await store.meter.charge(request(api, dear)));
  });
});

describe("a price", () => {
  test("that changed rejects every version except the current one, and equal prices have equal versions", async () => {
    const { api } = await openCustomer(store);
    const before = await store.meter.catalog();
    expect(before.credits).toEqual({
      analyze_transaction: 40,
      get_token_info: 3,
      get_wallet_pnl: 25,
      resolve_ens: 1,
    });
    const { catalog_version } = await store.prices.set("resolve_ens", 2);
    expect(catalog_version).not.toBe(before.version);
    const refused = await store.meter.charge(request(api, { catalog_version: before.version }));
    expect(refused).toMatchObject({
      kind: "price_changed",
      catalog: { version: catalog_version, credits: { resolve_ens: 2, get_wallet_pnl: 25 } },
      standing: { credits_remaining: 500_000, catalog_version },
    });
    expect((await store.meter.charge(request(api, { catalog_version: "never" }))).kind).toBe("price_changed");
    expect(charged(await store.meter.charge(request(api, { tool: "resolve_ens" }))).credits).toBe(2);
    expect((await store.prices.set("resolve_ens", 1)).catalog_version).toBe(before.version);
    const again = request(api, { tool: "resolve_ens", catalog_version: before.version });
    expect(charged(await store.meter.charge(again)).credits).toBe(1);
  });

  test("of null is listed as null and rejects the call", async () => {
    const { api } = await openCustomer(store);
    await store.prices.set("resolve_ens", null);
    expect((await store.meter.catalog()).credits.resolve_ens).toBeNull();
    expect((await store.meter.charge(request(api, { tool: "resolve_ens" }))).kind).toBe("price_unavailable");
    expect((await store.meter.standing(api)).credits_remaining).toBe(500_000);
    expect(await store.prices.list()).toContainEqual({ tool: "resolve_ens", credits: null, source: "operator" });
  });

  test("that no tool can have is rejected with a message", async () => {
    for (const credits of [0, 41, 1.5, Number.NaN, -1])
      await expect(store.prices.set("resolve_ens", credits)).rejects.toMatchObject({ code: "BAD_CREDITS" });
    await expect(store.prices.set("resolve_nothing", 1)).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
  });
});

describe("a charge's lease", () => {
  test("that ran out is refunded once by the sweeper, in the month of the charge, and its idempotency key is free", async () => {
    const { api } = await openCustomer(store);
    const { charge_id } = charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
    // Deadline 30 s + 30 s.
    store.clock.at = NOON + 59_999;
    expect(await store.sweep()).toBe(0);
    store.clock.at = NOON + 60_000;
    expect(await store.meter.settle(charge_id, "done", null)).toBeNull();
    expect(await store.sweep()).toBe(1);
    expect(await store.sweep()).toBe(0);
    expect(await store.meter.settle(charge_id, "done", null)).toBeNull();
    expect(await store.meter.settle(charge_id, "refunded", "TIMEOUT")).toBeNull();
    expect((await store.meter.standing(api)).credits_remaining).toBe(500_000);
    charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
  });

  test("of many orphans is refunded for all of them", async () => {
    const { api } = await openCustomer(store);
    await Promise.all(Array.from({ length: 450 }, () => store.meter.charge(request(api))));
    store.clock.at = NOON + 60_000;
    // More than two batches of 200.
    expect(await store.sweep()).toBe(450);
    expect((await store.meter.standing(api)).credits_remaining).toBe(500_000);
  });
});

describe("concurrent calls", () => {
  test("accept exactly as many of 1,000 charges as the pool covers, and reject the others", async () => {
    const { api, account } = await openCustomer(store, "free");
    const results = await Promise.all(Array.from({ length: 1_000 }, () => store.meter.charge(request(api))));
    // 500 / 25
    expect(results.filter((result) => result.kind === "charged")).toHaveLength(20);
    expect(results.filter((result) => result.kind === "plan_limit")).toHaveLength(980);
    expect(await store.accounts.show(account.id)).toMatchObject({ credits_used: 500, credits_remaining: 0 });
  });

  test("with 200 equal idempotency keys have one winner, and one more after its refund", async () => {
    const { api } = await openCustomer(store);
    for (let round = 0; round < 3; round += 1) {
      const same = request(api, { idempotency_key: "same" });
      const results = await Promise.all(Array.from({ length: 200 }, () => store.meter.charge(same)));
      const winners = results.filter((result) => result.kind === "charged");
      expect(winners).toHaveLength(1);
      expect(results.filter((result) => result.kind === "duplicate")).toHaveLength(199);
      for (const winner of winners) await store.meter.settle(winner.charge_id, "refunded", "TIMEOUT");
    }
    expect((await store.meter.standing(api)).credits_remaining).toBe(500_000);
  });
});
