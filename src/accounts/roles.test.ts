import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SCOPES } from "./keys.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { type AccountRole, RIGHTS, ROLE_RIGHTS, ROLES, scopesBeyond } from "./roles.ts";
import { openSqlite } from "./sqlite.ts";
import { openTemporary, type TemporaryStore } from "./testing/temporary.ts";
import { RULE_DEFINITION } from "./testing/watch.ts";

const password_cost = { N: 1_024, r: 8, p: 1 };
const PASSWORD = "correct horse battery";
const FROM = { address: "192.0.2.7", agent: "Firefox" };
const TERMS = { rules_per_account: 100, is_priced: false };
const WIDE = { monthly_credits: 1_000, keys_max: 10_000, calls_per_minute: 10 };

let store: TemporaryStore;
let account_id: string;
beforeAll(async () => {
  store = await openTemporary({ password_cost, plans: { free: WIDE, business: WIDE }, watch: TERMS });
});
afterAll(() => store.remove());

let accounts = 0;
const newAccount = async () => {
  accounts += 1;
  ({ id: account_id } = await store.accounts.create({ name: `Acme ${accounts}`, plan: "business" }));
};
let names = 0;
const userOf = async (role: AccountRole) => {
  names += 1;
  const { token, id } = await store.users.link({ name: `u${names}`, account_id, is_operator: false, role });
  const opened = await store.sessions.setUp({ token, password: PASSWORD, from: FROM });
  if (opened.kind !== "opened") throw new Error(opened.kind);
  return { id, secret: opened.secret, keys: store.as(`user:${id}`, "account").keys, token };
};
const keyOf = async (id: string) => {
  const found = (await store.keys.list(account_id)).find((key) => key.id === id);
  if (found === undefined) throw new Error(`no key ${id}`);
  return found;
};
const opens = async (secret: string) =>
  (await store.meter.authenticate(`Bearer ${secret}`, "account")).kind === "caller";

test("gives an owner every right, a wider role those of the narrower, and every scope of a key a right", () => {
  expect(ROLE_RIGHTS.owner).toEqual(RIGHTS);
  for (const role of ["caller", "watcher", "key_manager", "owner"] as const) {
    const narrower = role === "caller" ? "viewer" : "caller";
    expect(scopesBeyond(ROLE_RIGHTS[narrower], ROLE_RIGHTS[role])).toEqual([]);
  }
  expect(scopesBeyond(SCOPES, RIGHTS)).toEqual([]);
});

describe("a secret has no more rights than its receiver", () => {
  // Worked out by hand: the scopes of keys that a user of the role may make or rotate.
  const REACH: Readonly<Record<AccountRole, readonly string[]>> = {
    viewer: ["usage:read", "cases:read"],
    caller: ["api:call", "mcp:call", "usage:read", "cases:read", "cases:write"],
    watcher: ["api:call", "mcp:call", "usage:read", "watch:read", "watch:manage", "cases:read", "cases:write"],
    key_manager: ["api:call", "mcp:call", "usage:read", "keys:manage", "cases:read", "cases:write"],
    owner: [
      ...["api:call", "mcp:call", "usage:read", "keys:manage", "watch:read", "watch:manage", "cases:read"],
      "cases:write",
    ],
  };

  test.each(ROLES)("for a %s: every scope alone, and one beside a wider one", async (role) => {
    await newAccount();
    const { id, keys } = await userOf(role);
    for (const scopes of [...SCOPES.map((scope) => [scope]), ["api:call", "watch:manage"]]) {
      const may = scopes.every((scope) => REACH[role].includes(scope));
      const made = await keys.create({ account_id, scopes }).then(
        (key) => key.id,
        (error) => error.code,
      );
      expect([scopes, made.startsWith("key_") ? "made" : made]).toEqual([scopes, may ? "made" : "NOT_ALLOWED"]);
      const foreign = await store.as("alice").keys.create({ account_id, scopes });
      const rotated = await keys.rotate(foreign.id, 60).then(
        ({ secret }) => secret,
        (error) => error.code,
      );
      const key = await keyOf(foreign.id);
      expect(key).toMatchObject({
        created_by: "alice",
        rotated_by: may ? `user:${id}` : null,
        rotated_at: may ? "2026-11-20T12:00:00Z" : null,
      });
      expect([await opens(rotated), await opens(foreign.secret)]).toEqual([may, true]);
    }
  });

  test("for a key: it rotates keys within its own scopes, and none with more", async () => {
    await newAccount();
    const manager = await store.keys.create({ account_id, scopes: ["keys:manage", "api:call"] });
    const [small, wide] = await Promise.all(
      [["api:call"], ["api:call", "watch:manage"]].map((scopes) => store.keys.create({ account_id, scopes })),
    );
    const { keys } = store.as(`key:${manager.id}`, "account");
    await expect(keys.rotate(wide?.id ?? "")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await keys.rotate(small?.id ?? "");
    expect(await keyOf(small?.id ?? "")).toMatchObject({ rotated_by: `key:${manager.id}` });
  });
});

describe("a removed user", () => {
  test("keeps no working secret: made, rotated, in its grace period, or rotated by one of the user's keys", async () => {
    await newAccount();
    const leaving = await userOf("owner");
    const other = await userOf("owner");
    const bystander = await store.keys.create({ account_id, scopes: ["api:call"] });
    const made = await leaving.keys.create({ account_id, scopes: ["keys:manage", "api:call", "watch:manage"] });
    const renewed = await leaving.keys.rotate((await store.keys.create({ account_id, scopes: ["api:call"] })).id);
    const taken = await store.keys.create({ account_id, scopes: ["api:call"] });
    const theirs = await leaving.keys.rotate(taken.id);
    const again = await other.keys.rotate(taken.id, 3_600);
    const byKey = await store
      .as(`key:${made.id}`, "account")
      .keys.rotate((await store.keys.create({ account_id, scopes: ["api:call"] })).id);
    const rule = await store.watch
      .rules(`user:${leaving.id}`)
      .create({ account_id, key_id: leaving.id }, { ...RULE_DEFINITION, url: "https://hooks.example/" });
    expect(await Promise.all([made, renewed, theirs, again, byKey].map(({ secret }) => opens(secret)))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);

    await store.as("alice").users.remove(leaving.id);
    expect(await Promise.all([made, renewed, theirs, byKey].map(({ secret }) => opens(secret)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    // Secrets of other users keep working: a key rotated since, and one that the user never touched.
    expect([await opens(again.secret), await opens(bystander.secret)]).toEqual([true, true]);
    expect(await store.sessions.find(leaving.secret)).toBeNull();
    expect((await store.watch.rules("").show(account_id, rule.id)).state).toBe("ended");
    await expect(leaving.keys.create({ account_id, scopes: ["api:call"] })).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    const told = await store.audit({ limit: 50, before_seq: null, account_id });
    const ended = told.filter(({ action, actor }) => action === "key.revoke" && actor === "alice");
    expect(ended.map(({ subject }) => subject).sort()).toEqual([made.id, renewed.id, byKey.id].sort());
    expect(await store.ledger.verify()).toEqual([]);
  });

  test("keeps no secret when a key is made concurrently", async () => {
    await newAccount();
    await userOf("owner");
    const leaving = await userOf("key_manager");
    const making = Array.from({ length: 8 }, () =>
      leaving.keys.create({ account_id, scopes: ["api:call"] }).catch((error) => error.code),
    );
    await Promise.all([...making, store.users.remove(leaving.id)]);
    const live = (await store.keys.list(account_id)).filter(({ revoked_at }) => revoked_at === null);
    expect(live).toEqual([]);
  });
});

test("revokes keys beyond a narrower role, and limits sessions at once", async () => {
  await newAccount();
  await userOf("owner");
  const user = await userOf("key_manager");
  const wide = await user.keys.create({ account_id, scopes: ["keys:manage", "api:call"] });
  const small = await user.keys.create({ account_id, scopes: ["api:call"] });
  await store.users.setRole(user.id, "caller");
  expect([await opens(wide.secret), await opens(small.secret)]).toEqual([false, true]);
  expect(await store.sessions.find(user.secret)).toMatchObject({ role: "caller" });
});

describe("the last owner", () => {
  test("stays, unless another user is named", async () => {
    await newAccount();
    const owner = await userOf("owner");
    const heir = await userOf("caller");
    for (const change of [() => store.users.remove(owner.id), () => store.users.setRole(owner.id, "viewer")])
      await expect(change()).rejects.toMatchObject({ code: "LAST_OWNER" });
    await expect(store.users.remove(owner.id, { new_owner: owner.id })).rejects.toMatchObject({ code: "BAD_USER" });
    await store.users.remove(owner.id, { new_owner: heir.id });
    const users = await store.users.list(account_id);
    expect(users.map(({ role, state }) => [role, state])).toEqual([
      ["owner", "removed"],
      ["owner", "active"],
    ]);
  });

  test("can be removed as the only user, or as one of two owners", async () => {
    await newAccount();
    const [first, second] = [await userOf("owner"), await userOf("owner")];
    await store.users.remove(first.id);
    await store.users.remove(second.id);
    expect((await store.users.list(account_id)).every(({ state }) => state === "removed")).toBe(true);
  });
});

describe("set-up links", () => {
  test("from before a password change, or older than a newer one, open nothing", async () => {
    await newAccount();
    const user = await userOf("caller");
    const name = `u${names}`;
    const link = () => store.users.link({ name, account_id, is_operator: false });
    const [first, second] = [await link(), await link()];
    expect(await store.sessions.linkOf(first.token)).toBeNull();
    expect(await store.sessions.linkOf(second.token)).not.toBeNull();
    const wish = { password: PASSWORD, new_password: `${PASSWORD} changed`, from: FROM };
    const changed = await store.sessions.changePassword(user.id, wish);
    expect(changed.kind).toBe("opened");
    expect(await store.sessions.find(user.secret)).toBeNull();
    for (const { token } of [first, second])
      expect(await store.sessions.setUp({ token, password: "thief of passwords", from: FROM })).toEqual({
        kind: "refused",
      });
  });

  test("do not change the role", async () => {
    await newAccount();
    await userOf("caller");
    const wish = { name: `u${names}`, account_id, is_operator: false, role: "owner" } as const;
    await expect(store.users.link(wish)).rejects.toMatchObject({ code: "BAD_USER" });
  });
});

test("gives users of earlier releases the role of their rights, and makes the first of each account its owner", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-roles-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = openSqlite(join(folder, "accounts.db"));
  const files = readMigrations("sqlite");
  await migrate(
    database,
    0,
    files.filter(({ number }) => number < 18),
  );
  await database.run("insert into plans values ('free', 1, 1, 1)");
  for (const id of ["a", "b"])
    await database.run("insert into accounts values ($1, $1, 'free', null, null, null, 0, 0)", [id]);
  const users: readonly (readonly [string, string | null, number, number, number | null])[] = [
    ["gone", "a", 1, 1, 5],
    ["first", "a", 0, 2, null],
    ["maker", "a", 1, 3, null],
    ["plain", "a", 0, 3, null],
    ["only", "b", 0, 9, null],
    ["operator", null, 0, 9, null],
  ];
  for (const [id, account, makes, at, removed] of users)
    await database.run("insert into users values ($1, $1, $2, 0, $3, null, null, null, 'x', $4, null, $5)", [
      id,
      account,
      makes,
      at,
      removed,
    ]);
  await migrate(database, 0, files);
  const rows = await database.all<{ id: string; role: string | null }>("select id, role from users order by id");
  expect(Object.fromEntries(rows.map(({ id, role }) => [id, role]))).toEqual({
    first: "owner",
    gone: "key_manager",
    maker: "key_manager",
    only: "owner",
    operator: null,
    plain: "caller",
  });
  await database.close();
});
