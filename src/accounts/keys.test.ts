import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import { openAuthenticator } from "./authenticate.ts";
import { openAccounts } from "./open.ts";
import { digestsOf, makeSecret } from "./secret.ts";
import { callerOf, charged, NOON, openCustomer, request, settingsFor } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

let store: TemporaryStore;
beforeEach(async () => {
  store = await openTemporary();
});
afterEach(() => store.remove());

const tryKey = async (secret: string, surface: "api" | "mcp" = "api") =>
  store.meter.authenticate(`Bearer ${secret}`, surface);

const REFUSED = { kind: "refused", cause: "key" };
const REPLACED = { kind: "refused", cause: "replaced" };
const NO_PEPPER = { current: null, previous: [] };

describe("authentication", () => {
  test("identifies the caller of a live key", async () => {
    const { account, key } = await openCustomer(store, "max");
    expect(await tryKey(key.secret)).toEqual({
      kind: "caller",
      caller: {
        ...{ key_id: key.id, account_id: account.id, plan_id: "max", surface: "api", limit_per_minute: 60 },
        scopes: ["api:call", "mcp:call"],
      },
    });
  });

  test("rejects a malformed header as a header", async () => {
    const wrong = [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      "Basic abc",
      "svc_live_x",
      "Bearer a b",
      "Bearer a,b",
      "Token x",
    ];
    for (const header of wrong)
      expect(await store.meter.authenticate(header, "api"), header).toEqual({ kind: "refused", cause: "header" });
  });

  test("answers unknown, malformed, revoked and wrongly scoped keys alike", async () => {
    const { account, key } = await openCustomer(store);
    const narrow = await store.keys.create({ account_id: account.id, scopes: ["mcp:call"] });
    await store.keys.revoke(key.id);
    expect(await tryKey(makeSecret("svc_live_", (count) => randomBytes(count)))).toEqual(REFUSED);
    expect(await tryKey("svc_live_abc")).toEqual(REFUSED);
    expect(await tryKey(key.secret)).toEqual(REFUSED);
    expect(await tryKey(narrow.secret, "api")).toEqual(REFUSED);
    expect((await tryKey(narrow.secret, "mcp")).kind).toBe("caller");
  });

  test("limits a key by the lower of its own number and the plan's, and follows the plan", async () => {
    const { account } = await openCustomer(store, "max");
    const low = await store.keys.create({ account_id: account.id, scopes: ["api:call"], limit: 7 });
    const high = await store.keys.create({ account_id: account.id, scopes: ["api:call"], limit: 1_000 });
    expect((await callerOf(store.meter, low.secret)).limit_per_minute).toBe(7);
    expect((await callerOf(store.meter, high.secret)).limit_per_minute).toBe(60);
    await store.accounts.setPlan(account.id, { plan: "business" });
    expect((await callerOf(store.meter, high.secret)).limit_per_minute).toBe(120);
    expect((await callerOf(store.meter, low.secret)).limit_per_minute).toBe(7);
  });

  test("counts each surface in a separate window", async () => {
    const { api, mcp } = await openCustomer(store, "free");
    const knock = async (caller: typeof api) => {
      const answers = [];
      for (let call = 0; call < 12; call += 1) answers.push(await store.meter.admit(caller));
      return answers.filter((admitted) => admitted).length;
    };
    // Free: 10 calls a minute per key and surface.
    expect(await knock(api)).toBe(10);
    expect(await knock(mcp)).toBe(10);
    store.clock.at += 60_000;
    expect(await knock(api)).toBe(10);
  });
});

describe("a key", () => {
  test("is shown once: no listing and nothing in the store contains the secret", async () => {
    const { account, key } = await openCustomer(store);
    const rotated = await store.keys.rotate(key.id, 60);
    charged(await store.meter.charge(request(await callerOf(store.meter, rotated.secret))));
    expect(Object.keys(key)).toEqual(["id", "account_id", "prefix", "secret", "scopes", "limit", "created_at"]);
    expect(key).toMatchObject({ prefix: key.secret.slice(0, 13), created_at: "2026-11-20T12:00:00Z", limit: null });
    const listed = JSON.stringify(await store.keys.list(account.id));
    const files = await store.contents();
    // The display prefix must be found, or the search would prove nothing.
    expect(files.some((bytes) => bytes.includes(rotated.prefix))).toBe(true);
    for (const secret of [key.secret, rotated.secret]) {
      expect(listed).not.toContain(secret.slice(13));
      for (const bytes of files) expect(bytes.includes(secret.slice(13, 30))).toBe(false);
    }
  });

  test("keeps its row when rotated on a one-key plan; the old secret ends at once, or with its grace period", async () => {
    const { key, account } = await openCustomer(store, "free");
    const second = await store.keys.rotate(key.id);
    expect(second.id).toBe(key.id);
    expect(await tryKey(key.secret)).toEqual(REPLACED);
    expect((await tryKey(second.secret)).kind).toBe("caller");
    const third = await store.keys.rotate(key.id, 10);
    expect((await tryKey(second.secret)).kind).toBe("caller");
    expect((await tryKey(third.secret)).kind).toBe("caller");
    // Cached 2 s before its end, and still rejected at its end.
    store.clock.at = NOON + 8_000;
    expect((await tryKey(second.secret)).kind).toBe("caller");
    store.clock.at = NOON + 10_000;
    expect(await tryKey(second.secret)).toEqual(REPLACED);
    // The secret before it ends at once.
    expect(await tryKey(key.secret)).toEqual(REFUSED);
    expect((await tryKey(third.secret)).kind).toBe("caller");
    expect(await store.keys.list(account.id)).toHaveLength(1);
  });

  test("ends with its grace period when revoked, and cannot be rotated", async () => {
    const { key } = await openCustomer(store);
    const second = await store.keys.rotate(key.id, 60);
    const revoked = await store.keys.revoke(key.id);
    expect(revoked.revoked_at).toBe("2026-11-20T12:00:00Z");
    expect(await tryKey(key.secret)).toEqual(REFUSED);
    expect(await tryKey(second.secret)).toEqual(REFUSED);
    store.clock.at += 1_000;
    expect(await store.keys.revoke(key.id)).toEqual(revoked);
    await expect(store.keys.rotate(key.id)).rejects.toMatchObject({ code: "KEY_REVOKED" });
    await expect(store.keys.rotate("key_x")).rejects.toMatchObject({ code: "UNKNOWN_KEY" });
    await expect(store.keys.revoke("key_x")).rejects.toMatchObject({ code: "UNKNOWN_KEY" });
  });

  test("records its last use at most once a minute", async () => {
    const { key, account } = await openCustomer(store);
    const lastUse = async () => {
      // Collected times are written four times a second.
      await sleep(600);
      return (await store.keys.list(account.id))[0]?.last_used_at;
    };
    expect(await lastUse()).toBe("2026-11-20T12:00:00Z");
    store.clock.at = NOON + 59_000;
    await tryKey(key.secret);
    expect(await lastUse()).toBe("2026-11-20T12:00:00Z");
    store.clock.at = NOON + 60_000;
    await tryKey(key.secret);
    expect(await lastUse()).toBe("2026-11-20T12:01:00Z");
  });

  test("needs known scopes, a valid limit and an account", async () => {
    const { account } = await openCustomer(store);
    const create = (scopes: string[], limit: number | null = null, account_id = account.id) =>
      store.keys.create({ account_id, scopes, limit });
    await expect(create([])).rejects.toMatchObject({ code: "BAD_KEY" });
    await expect(create(["api:call", "admin"])).rejects.toMatchObject({ code: "BAD_KEY" });
    await expect(create(["api:call"], 0)).rejects.toMatchObject({ code: "BAD_KEY" });
    await expect(create(["api:call"], 1.5)).rejects.toMatchObject({ code: "BAD_KEY" });
    await expect(create(["api:call"], null, "account_x")).rejects.toMatchObject({ code: "UNKNOWN_ACCOUNT" });
    expect((await create(["mcp:call", "api:call", "mcp:call"])).scopes).toEqual(["api:call", "mcp:call"]);
  });
});

describe("the number of keys", () => {
  test("is limited by the plan, over both scopes, without the revoked ones", async () => {
    const account = await store.accounts.create({ name: "Acme", plan: "pro" });
    const create = (scope: string) => store.keys.create({ account_id: account.id, scopes: [scope] });
    const first = await create("api:call");
    await create("mcp:call");
    await expect(create("api:call")).rejects.toMatchObject({ code: "KEY_LIMIT" });
    await store.keys.revoke(first.id);
    await create("api:call");
    await expect(create("mcp:call")).rejects.toMatchObject({ code: "KEY_LIMIT" });
  });

  test("stays within the limit when two handles on one file create many at once", async () => {
    const other = await openAccounts(settingsFor(store.place, { now: () => store.clock.at }));
    const account = await store.accounts.create({ name: "Acme", plan: "max" });
    const wish = { account_id: account.id, scopes: ["api:call"] };
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? store : other).keys.create(wish)),
    );
    // Max: 5 keys.
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(5);
    expect(await store.keys.list(account.id)).toHaveLength(5);
    await other.close();
  });

  test("above the limit after a downgrade keeps working, and no new key can be created", async () => {
    const { account, key } = await openCustomer(store, "pro");
    const second = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
    await store.accounts.setPlan(account.id, { plan: "free" });
    expect((await tryKey(key.secret)).kind).toBe("caller");
    expect((await tryKey(second.secret)).kind).toBe("caller");
    const create = () => store.keys.create({ account_id: account.id, scopes: ["api:call"] });
    await expect(create()).rejects.toMatchObject({ code: "KEY_LIMIT" });
    await store.keys.revoke(key.id);
    // One is left, and the plan allows one.
    await expect(create()).rejects.toMatchObject({ code: "KEY_LIMIT" });
    await store.keys.revoke(second.id);
    await create();
  });
});

test("accepts keys from before a pepper was configured beside peppered ones", async () => {
  const { key, account } = await openCustomer(store);
  const peppered = await openAccounts(
    settingsFor(store.place, { keys: { prefix: "acme_", pepper: new Secret("salt of the house") } }),
  );
  const fresh = await peppered.keys.create({ account_id: account.id, scopes: ["api:call"] });
  expect(fresh.secret).toMatch(/^acme_[0-9A-Za-z]{38}$/);
  expect((await callerOf(peppered.meter, key.secret)).key_id).toBe(key.id);
  expect((await callerOf(peppered.meter, fresh.secret)).key_id).toBe(fresh.id);
  await peppered.close();
  // Without the pepper the new one does not authenticate.
  expect(await tryKey(fresh.secret)).toEqual(REFUSED);
});

test("reads a known key again after five seconds, and a rejected one after one", async () => {
  const { key } = await openCustomer(store);
  // A second connection without notifications, so that only the lifetime of the cache counts.
  const database = await store.connect();
  const deaf = openAuthenticator({ database, peppers: NO_PEPPER, now: () => store.clock.at });
  const see = async (secret: string) => (await deaf.authenticate(`Bearer ${secret}`, "api")).kind;
  expect(await see(key.secret)).toBe("caller");
  const rotated = await store.keys.rotate(key.id);
  store.clock.at = NOON + 4_999;
  expect(await see(key.secret)).toBe("caller");
  store.clock.at = NOON + 5_000;
  expect(await see(key.secret)).toBe("refused");
  expect(await see(rotated.secret)).toBe("caller");

  const bytes = randomBytes(64);
  const known = makeSecret("svc_live_", () => bytes);
  expect(await see(known)).toBe("refused");
  const customer = await store.accounts.create({ name: "Late", plan: "free" });
  await database.run(
    `insert into keys (id, account_id, digest, prefix, scopes, created_at) values ('late', $1, $2, 'x', 'api:call', 0)`,
    [customer.id, digestsOf(known, NO_PEPPER)[0]],
  );
  store.clock.at += 999;
  expect(await see(known)).toBe("refused");
  store.clock.at += 1;
  expect(await see(known)).toBe("caller");
  deaf.purge();
  await database.run("update keys set revoked_at = 1 where id = 'late'");
  expect(await see(known)).toBe("refused");
  await database.close();
});

test("does not cache a row that was read before a change", async () => {
  const { key } = await openCustomer(store);
  const database = await store.connect();
  const authenticator = openAuthenticator({ database, peppers: NO_PEPPER, now: () => store.clock.at });
  const answer = authenticator.authenticate(`Bearer ${key.secret}`, "api");
  // The purge comes while the query is running.
  authenticator.purge();
  expect((await answer).kind).toBe("caller");
  await database.run("update keys set revoked_at = 1");
  expect(await authenticator.authenticate(`Bearer ${key.secret}`, "api")).toEqual(REFUSED);
  await database.close();
});
