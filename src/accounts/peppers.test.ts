import { afterEach, beforeEach, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import { type AccountsStore, openAccounts } from "./open.ts";
import { openCustomer, settingsFor } from "./testing/store.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";

const SPRING = new Secret("the pepper of spring");
const SUMMER = new Secret("the pepper of summer");

let store: TemporaryStore;
beforeEach(async () => {
  store = await openTemporary();
});
afterEach(() => store.remove());

/** Another instance on the same store, with its own peppers. */
const withPeppers = async <T>(
  keys: { pepper?: Secret; previous_peppers?: readonly Secret[] },
  work: (other: AccountsStore) => Promise<T>,
): Promise<T> => {
  const settings = settingsFor(store.place, { keys: { prefix: "svc_live_", ...keys }, now: () => store.clock.at });
  const other = await openAccounts(settings);
  try {
    return await work(other);
  } finally {
    // Closing writes the collected times of last use.
    await other.close();
  }
};

const tryKey = async (other: AccountsStore, secret: string) =>
  (await other.meter.authenticate(`Bearer ${secret}`, "api")).kind;

const pepperOf = async (other: AccountsStore) => (await other.keys.list()).map(({ pepper }) => pepper).sort();

test("moves each used key to a new pepper, after which the old one can be removed", async () => {
  const { account, key } = await openCustomer(store);
  expect(await pepperOf(store)).toEqual(["none"]);
  const spring = await withPeppers({ pepper: SPRING }, async (other) => {
    const fresh = await other.keys.create({ account_id: account.id, scopes: ["api:call"] });
    expect(await pepperOf(other)).toEqual(["current", "none"]);
    // Used under the new pepper, an older key is stored with it.
    expect(await tryKey(other, key.secret)).toBe("caller");
    return fresh;
  });
  await withPeppers({ pepper: SUMMER, previous_peppers: [SPRING] }, async (other) => {
    expect(await pepperOf(other)).toEqual(["previous", "previous"]);
    expect(await tryKey(other, key.secret)).toBe("caller");
    expect(await tryKey(other, spring.secret)).toBe("caller");
  });
  await withPeppers({ pepper: SUMMER }, async (other) => {
    expect(await pepperOf(other)).toEqual(["current", "current"]);
    expect(await tryKey(other, key.secret)).toBe("caller");
    expect(await tryKey(other, spring.secret)).toBe("caller");
  });
});

test("lists an unused key with an unknown pepper once the old one was removed", async () => {
  const { account } = await openCustomer(store);
  const spring = await withPeppers({ pepper: SPRING }, (other) =>
    other.keys.create({ account_id: account.id, scopes: ["api:call"] }),
  );
  await withPeppers({ pepper: SUMMER }, async (other) => {
    expect(await tryKey(other, spring.secret)).toBe("refused");
    expect(await pepperOf(other)).toEqual(["none", "unknown"]);
    // Rotation recovers the key: the new secret is stored with the current pepper.
    const rotated = await other.keys.rotate(spring.id);
    expect(await tryKey(other, rotated.secret)).toBe("caller");
    expect(await pepperOf(other)).toEqual(["current", "none"]);
  });
});

test("moves the secret in a running grace period to the new pepper too", async () => {
  const { key } = await openCustomer(store);
  const second = await store.keys.rotate(key.id, 60);
  await withPeppers({ pepper: SPRING }, async (other) => {
    expect(await tryKey(other, key.secret)).toBe("caller");
  });
  await withPeppers({ pepper: SUMMER, previous_peppers: [SPRING] }, async (other) => {
    expect(await tryKey(other, key.secret)).toBe("caller");
    expect(await tryKey(other, second.secret)).toBe("caller");
  });
});

test("keeps a rotation that happens between the look-up and the renewed digest", async () => {
  const { key } = await openCustomer(store);
  const rotated = await withPeppers({ pepper: SPRING }, async (other) => {
    expect(await tryKey(other, key.secret)).toBe("caller");
    return store.keys.rotate(key.id);
  });
  expect(await tryKey(store, rotated.secret)).toBe("caller");
  expect(await store.meter.authenticate(`Bearer ${key.secret}`, "api")).toMatchObject({ kind: "refused" });
});
