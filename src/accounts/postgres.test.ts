import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import { type AccountsStore, openAccounts } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { type FaultyProxy, openFaultyProxy } from "./testing/faulty_proxy.ts";
import { findPostgres, type PostgresServer, socketOf, startPostgresServer } from "./testing/postgres_server.ts";
import { charged, openCustomer, request, settingsFor } from "./testing/store.ts";

const bin = findPostgres();

// A separate server for this file: the tests stop it, cut its connections and configure it unsafely.
describe.skipIf(bin === null)("accounts in PostgreSQL", () => {
  let server: PostgresServer;
  let proxy: FaultyProxy;
  let store: AccountsStore;
  let databases = 0;
  let name: string;

  const direct = () => new Secret(server.url(name));
  const place = () => ({
    engine: "postgres" as const,
    url: new Secret(`postgres://assay@127.0.0.1:${proxy.port}/${name}`),
    connections: 4,
  });
  const connect = (busy_wait_ms = 10_000) => openPostgres({ url: direct(), connections: 4, busy_wait_ms });

  beforeAll(() => {
    server = startPostgresServer(bin ?? "");
  });
  afterAll(() => server?.remove());
  beforeEach(async () => {
    databases += 1;
    name = `store_${databases}`;
    const admin = await openPostgres({ url: new Secret(server.url()), connections: 1 });
    await admin.run(`create database ${name}`);
    await admin.close();
    proxy = await openFaultyProxy(socketOf(server));
    store = await openAccounts(settingsFor(place()));
  });
  afterEach(async () => {
    const violations = await store.ledger.verify();
    await store.close();
    await proxy.close();
    expect(violations).toEqual([]);
  });

  const count = async (sql: string): Promise<number | undefined> => {
    const database = await connect();
    const row = await database.get<{ n: number }>(`select count(*) as n from ${sql}`);
    await database.close();
    return row?.n;
  };

  test.each(["before", "after"] as const)(
    "charges once and returns the charge when the connection is lost %s the server commits",
    async (when) => {
      const { api } = await openCustomer(store);
      proxy.cutCommit(when);
      const result = charged(await store.meter.charge(request(api, { idempotency_key: "a" })));
      expect(result.standing.credits_remaining).toBe(499_975);
      expect(await count(`charges where id = '${result.charge_id}' and state = 'running'`)).toBe(1);
      expect(await count("charges")).toBe(1);
      proxy.cutCommit(when);
      expect((await store.meter.settle(result.charge_id, "refunded", "TIMEOUT"))?.credits_remaining).toBe(500_000);
      expect(await count("entries where kind = 'refund'")).toBe(1);
      expect(proxy.commits_cut).toBe(2);
    },
  );

  test("runs nothing of a transaction whose begin failed", async () => {
    const through = await openPostgres(place());
    const revision = () => through.revision();
    const before = await revision();
    // Corrupts the text of `begin`, whether the next statement is sent with it or not.
    proxy.garble(1, () => 0.1);
    const add = "update changes set revision = revision + 1000";
    await expect(through.transaction({ lock: "a test", proof: null }, (within) => within.run(add))).rejects.toThrow();
    expect(await revision()).toBe(before);
    await through.close();
  });

  test("keeps the outcome of a commit unknown when its connection was lost and others then hold its lock too long", async () => {
    const through = await openPostgres({ ...place(), busy_wait_ms: 300 });
    const [other, watcher] = await Promise.all([connect(), connect()]);
    const lock = "charge of a test";
    let held: Promise<unknown> = Promise.resolve();
    const waiting = "select count(*) as n from pg_locks where locktype = 'advisory' and not granted";
    proxy.cutCommit("after");
    const lost = through.transaction({ lock, proof: null }, async (within) => {
      await within.run("update changes set revision = revision + 1");
      // The lock is held by now. The next transaction in its queue gets the lock as soon as this one has ended, and keeps it.
      held = other.transaction({ lock, proof: null }, () => sleep(1_000));
      while ((await watcher.get<{ n: number }>(waiting))?.n === 0) await sleep(5);
    });
    await expect(lost).rejects.toMatchObject({ code: "ACCOUNTS_OUTCOME_UNKNOWN" });
    await held;
    await Promise.all([through.close(), other.close(), watcher.close()]);
  });

  test.each(["before", "after"] as const)(
    "makes one grant, key or account when the connection is lost %s the server commits",
    async (when) => {
      const { account } = await openCustomer(store);
      proxy.cutCommit(when);
      expect(await store.accounts.grant(account.id, 7)).toMatchObject({ credits_quota: 500_007 });
      proxy.cutCommit(when);
      const key = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
      proxy.cutCommit(when);
      const rotated = await store.keys.rotate(key.id);
      expect((await store.meter.authenticate(`Bearer ${rotated.secret}`, "api")).kind).toBe("caller");
      expect(await store.accounts.show(account.id)).toMatchObject({ credits_quota: 500_007, keys: 2 });
      proxy.cutCommit(when);
      const second = await store.accounts.create({ name: "Second", plan: "free" });
      expect((await store.accounts.list()).map(({ id }) => id)).toEqual([account.id, second.id]);
      expect(proxy.commits_cut).toBe(4);
    },
  );

  test("repeats work whose connection is cut, and runs queries on a new connection", async () => {
    const { api } = await openCustomer(store);
    const working = Array.from({ length: 40 }, () => store.meter.charge(request(api)));
    for (let cut = 0; cut < 4; cut += 1) {
      await sleep(15);
      proxy.cutAll();
    }
    const results = await Promise.all(working);
    expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 40 }, () => "charged"));
    // 500,000 - 40 * 25
    expect((await store.meter.standing(api)).credits_remaining).toBe(499_000);
    expect(await count("charges")).toBe(40);
  });

  test("distinguishes a stopped server from a fault, and resumes after its return", async () => {
    const { api, key } = await openCustomer(store);
    const before = charged(await store.meter.charge(request(api)));
    server.stop("immediate");
    await expect(store.meter.charge(request(api))).rejects.toMatchObject({
      code: "ACCOUNTS_UNAVAILABLE",
      retryable: true,
    });
    await expect(store.meter.standing(api)).rejects.toMatchObject({ code: "ACCOUNTS_UNAVAILABLE" });
    server.start();
    expect((await store.meter.standing(api)).credits_remaining).toBe(499_975);
    expect(await store.meter.settle(before.charge_id, "done", null)).not.toBeNull();
    // It holds its name again and receives notifications.
    const database = await connect();
    const locks = async () =>
      (await database.get<{ n: number }>("select count(*) as n from pg_locks where locktype = 'advisory'"))?.n;
    while ((await locks()) !== 1) await sleep(50);
    const other = await openAccounts(settingsFor({ engine: "postgres", url: direct(), connections: 2 }));
    await other.keys.revoke(key.id);
    while ((await store.meter.authenticate(`Bearer ${key.secret}`, "api")).kind === "caller") await sleep(10);
    await other.close();
    await database.close();
  });

  test("keeps the name of an instance whose connection ended, and refunds none of its running charges", async () => {
    const { api } = await openCustomer(store);
    const other = await openAccounts(settingsFor({ engine: "postgres", url: direct(), connections: 2 }));
    const mine = charged(await store.meter.charge(request(api)));
    proxy.cutAll();
    expect(await other.sweep()).toBe(0);
    expect(await store.meter.settle(mine.charge_id, "done", null)).not.toBeNull();
    await other.close();
  });

  test("applies a revocation in another process although its listening connection receives nothing", async () => {
    const { key } = await openCustomer(store);
    const other = await openAccounts(settingsFor({ engine: "postgres", url: direct(), connections: 2 }));
    const database = await connect();
    await database.run("drop trigger keys_changed on keys");
    await database.run(
      `create function assay_mute() returns trigger language plpgsql as 'begin update changes set revision = revision + 1; return null; end'`,
    );
    await database.run(
      "create trigger keys_changed after update on keys for each statement execute function assay_mute()",
    );
    expect((await store.meter.authenticate(`Bearer ${key.secret}`, "api")).kind).toBe("caller");
    await other.keys.revoke(key.id);
    while ((await store.meter.authenticate(`Bearer ${key.secret}`, "api")).kind === "caller") await sleep(10);
    await database.close();
    await other.close();
  });

  test("reports a lock that is held too long as busy, and blocks no other account", async () => {
    const { api, account } = await openCustomer(store);
    const { api: stranger } = await openCustomer(store);
    const holder = await connect();
    const impatient = await connect(100);
    let charging: readonly Promise<unknown>[] = [];
    await holder.transaction({ lock: `account ${account.id}`, proof: null }, async (within) => {
      // Statements are sent after the lock; once one is answered, the lock is held.
      await within.get("select 1 as one");
      await expect(
        impatient.transaction({ lock: `account ${account.id}`, proof: null }, async () => 1),
      ).rejects.toMatchObject({
        code: "ACCOUNTS_BUSY",
        retryable: true,
      });
      // More than the connections of the pool.
      charging = Array.from({ length: 12 }, () => store.meter.charge(request(api)));
      charged(await store.meter.charge(request(stranger)));
    });
    await Promise.all(charging);
    await impatient.close();
    await holder.close();
  });

  test("retries a conflict or a deadlock, but not forever", async () => {
    const database = await connect();
    let runs = 0;
    const fail = (until: number, state: string) =>
      database.transaction({ lock: "x", proof: null }, async (within) => {
        runs += 1;
        if (runs < until) await within.run(`do $$ begin raise exception 'conflict' using errcode = '${state}'; end $$`);
        return runs;
      });
    expect(await fail(3, "40001")).toBe(3);
    runs = 0;
    expect(await fail(2, "40P01")).toBe(2);
    runs = 0;
    await expect(fail(100, "40001")).rejects.toMatchObject({ code: "ACCOUNTS_UNAVAILABLE" });
    expect(runs).toBe(6);
    await database.close();
  });

  test("rejects a server that acknowledges before it writes, with a message", async () => {
    const url = new URL(server.url(name));
    url.searchParams.set("options", "-c synchronous_commit=off");
    const opening = openPostgres({ url: new Secret(url.href), connections: 1 });
    await expect(opening).rejects.toMatchObject({ code: "ACCOUNTS_UNSAFE" });
  });

  test("rejects an address without a server, with a message that contains no password", async () => {
    const url = new Secret(`postgres://assay:hidden@localhost/x?host=${encodeURIComponent("/nowhere")}`);
    await expect(openPostgres({ url, connections: 1 })).rejects.toMatchObject({
      code: "ACCOUNTS_UNAVAILABLE",
      message: expect.not.stringContaining("hidden"),
    });
  });
});
