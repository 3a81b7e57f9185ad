import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AssayError } from "../lib/errors.ts";
import { openEngine } from "./engine.ts";
import { type AccountsStore, openAccounts } from "./open.ts";
import { readAccountsMarks, snapshotAccounts } from "./snapshot.ts";
import { openSqlite } from "./sqlite.ts";
import { deletedFiles, has_proc, IDLE_LOCKS, locksOn, openFiles } from "./testing/proc.ts";
import { charged, openCustomer, request, settingsFor } from "./testing/store.ts";

let folder: string;
let path: string;
let place: { readonly engine: "sqlite"; readonly path: string };
let store: AccountsStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-locks-"));
  path = join(folder, "accounts.db");
  place = { engine: "sqlite", path };
  store = await openAccounts(settingsFor(place));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Finalizes connections that were closed with statements in memory. */
const collect = (): void => {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
};

const held = () => ({ "": locksOn(path), "-shm": locksOn(`${path}-shm`) });

describe.skipIf(!has_proc)("the locks of the engine", () => {
  test("are held from the opening on, before any query", async () => {
    const other = join(folder, "other.db");
    const database = openSqlite(other);
    expect(locksOn(other)).toEqual(IDLE_LOCKS[""]);
    expect(locksOn(`${other}-shm`)).toEqual(IDLE_LOCKS["-shm"]);
    expect(statSync(`${other}-wal`).size).toBe(0);
    await database.close();
  });

  test("are held after every operation of the service, and none holds the log back", async () => {
    const { account, key, api } = await openCustomer(store);
    const charge = async () => charged(await store.meter.charge(request(api))).charge_id;
    const second = () => openAccounts(settingsFor(place));
    const now = () => {
      throw new Error("no clock");
    };
    const operations: Readonly<Record<string, () => Promise<unknown>>> = {
      charge,
      "settle done": async () => store.meter.settle(await charge(), "done", null),
      "settle refunded": async () => store.meter.settle(await charge(), "refunded", "failed"),
      refusal: () => store.meter.charge(request(api, { tool: "none" })),
      standing: () => store.meter.standing(api),
      authentication: () => store.meter.authenticate(`Bearer ${key.secret}`, "api"),
      catalog: () => store.meter.catalog(),
      verification: () => store.ledger.verify(),
      "verifications at once": () => Promise.all(Array.from({ length: 9 }, () => store.ledger.verify())),
      witnesses: () => store.witnesses(),
      sweep: () => store.sweep(),
      audit: () => store.audit({ limit: 10, before_seq: null }),
      "account creation": () => store.accounts.create({ name: "Other", plan: "free" }),
      "account list": () => store.accounts.list(),
      "account details": () => store.accounts.show(account.id),
      grant: () => store.accounts.grant(account.id, 100),
      "price change": () => store.as("tester").prices.set("resolve_ens", 2),
      "allowlist change": () => store.as("tester").allowlist.set("resolve_ens", false),
      "key creation": () => store.keys.create({ account_id: account.id, scopes: ["api:call"] }),
      "key rotation": () => store.keys.rotate(key.id, 60),
      "plan change": () => store.accounts.setPlan(account.id, { plan: "plus" }),
      "key list": () => store.keys.list(),
      revocation: () => store.keys.revoke(key.id),
      backup: () => snapshotAccounts(path, join(folder, "copy.db")),
      "reading of a copy": () => readAccountsMarks(join(folder, "copy.db")),
      "reading of the file": () => readAccountsMarks(path),
      "a second opener in this process": async () => (await second()).close(),
      "a second opener of the file alone": async () => (await openEngine(place)).database.close(),
      "a second opener that fails": () => expect(openAccounts(settingsFor(place, { now }))).rejects.toThrow("no clock"),
    };
    for (const [name, operate] of Object.entries(operations)) {
      await operate();
      expect([name, held()]).toEqual([name, IDLE_LOCKS]);
      collect();
      expect([name, "collected", held()]).toEqual([name, "collected", IDLE_LOCKS]);
    }
    expect(deletedFiles()).toEqual([]);
  });

  test("are held after a snapshot whose work failed, and many snapshots leave no descriptor open", async () => {
    const database = openSqlite(path);
    const readings = async () => {
      for (let count = 0; count < 60; count += 1)
        await database.snapshot((within) => within.all("select id from accounts"));
    };
    await expect(
      database.snapshot(async (within) => {
        await within.all("select id from accounts");
        throw new Error("gave up");
      }),
    ).rejects.toThrow("gave up");
    expect(held()).toEqual(IDLE_LOCKS);
    const before = openFiles(folder).length;
    await readings();
    expect(held()).toEqual(IDLE_LOCKS);
    expect(openFiles(folder).length).toBe(before);
    await database.close();
  });

  test("are the same through a link, and a second instance through it has a different name", async () => {
    const { api, account } = await openCustomer(store);
    await store.meter.charge(request(api));
    const away = join(folder, "away");
    mkdirSync(away);
    symlinkSync(path, join(away, "accounts.db"));
    // The second instance does not sweep running charges here as an earlier process's.
    const other = await openAccounts(settingsFor({ engine: "sqlite", path: join(away, "accounts.db") }));
    expect(await other.accounts.show(account.id)).toMatchObject({ credits_used: 25 });
    await other.close();
    collect();
    expect(held()).toEqual(IDLE_LOCKS);
  });
});

test("opens the accounts' files only through the engine", () => {
  const strays = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) =>
      /\b(?:open|copyFile|readFile|writeFile|appendFile|create(?:Read|Write)Stream)(?:Sync)?\b.*from "node:fs|from "node:fs.*\bopen/.test(
        readFileSync(join(import.meta.dirname, name), "utf8"),
      ),
    );
  // The first creates missing files; the second reads the SQL of the schema.
  expect(strays).toEqual(["migrate.ts", "sqlite_file.ts"]);
});

test("rejects a file with a second name, with a message, since each name would be another store", async () => {
  await store.close();
  linkSync(path, join(folder, "second.db"));
  await expect(openAccounts(settingsFor(place))).rejects.toMatchObject({
    code: "ACCOUNTS_UNREADABLE",
    message: expect.stringContaining("2 names (hard links)"),
  });
  unlinkSync(join(folder, "second.db"));
  store = await openAccounts(settingsFor(place));
  expect(await store.accounts.list()).toEqual([]);
});

test("creates the target of a dangling link, readable by its owner only", async () => {
  const link = join(folder, "link.db");
  symlinkSync("far.db", link);
  const database = openSqlite(link);
  for (const suffix of ["", "-wal", "-shm"]) expect(statSync(join(folder, `far.db${suffix}`)).mode & 0o777).toBe(0o600);
  await database.close();
});

test.each(["", "-wal"])("acknowledges nothing once accounts.db%s was removed", async (suffix) => {
  const { api, account } = await openCustomer(store);
  const charge = () => store.meter.charge(request(api));
  const { charge_id } = charged(await charge());
  renameSync(path + suffix, join(folder, "taken"));
  // The service may have checked by itself before; else the first commit is lost.
  const { code } = await charge().then(
    () => ({ code: "charged" }),
    (error: AssayError) => error,
  );
  expect(["ACCOUNTS_TORN", "ACCOUNTS_OUTCOME_UNKNOWN"]).toContain(code);
  await expect(charge()).rejects.toMatchObject({ code: "ACCOUNTS_TORN", retryable: true });
  await expect(store.meter.settle(charge_id, "done", null)).rejects.toMatchObject({ code: "ACCOUNTS_TORN" });
  // Nor is the service ready.
  await expect(store.look()).rejects.toMatchObject({ code: "ACCOUNTS_TORN" });
  renameSync(join(folder, "taken"), path + suffix);
  expect(await store.meter.settle(charge_id, "done", null)).not.toBeNull();
  // Found again: a charge whose caller got an unknown outcome, until its lease refunds it.
  const used = code === "ACCOUNTS_TORN" ? 25 : 50;
  expect(await store.accounts.show(account.id)).toMatchObject({ credits_used: used });
  expect(await store.ledger.verify()).toEqual([]);
});
