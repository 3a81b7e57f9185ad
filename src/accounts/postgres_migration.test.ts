// @long: alone
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import type { Database } from "./database.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { type AccountsStore, openAccounts } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { migrateAccounts, reopenSource } from "./postgres_migration.ts";
import { openSqlite } from "./sqlite.ts";
import { type FaultyProxy, openFaultyProxy } from "./testing/faulty_proxy.ts";
import { findPostgres, type PostgresServer, socketOf, startPostgresServer } from "./testing/postgres_server.ts";
import { callerOf, charged, openCustomer, request, settingsFor } from "./testing/store.ts";
import { commitEvents, RULE_DEFINITION } from "./testing/watch.ts";

const bin = findPostgres();

describe.skipIf(bin === null)("a move from SQLite to PostgreSQL", () => {
  let server: PostgresServer;
  let proxy: FaultyProxy;
  let folder: string;
  let live: AccountsStore;
  let source: Database;
  let target: Database;
  let databases = 0;

  const path = () => join(folder, "accounts.db");
  const url = () => new Secret(`postgres://assay@127.0.0.1:${proxy.port}/move_${databases}`);
  const move = () => migrateAccounts({ source, target, at: Date.now() });
  const openMoved = () => openAccounts(settingsFor({ engine: "postgres", url: url(), connections: 2 }));

  beforeAll(() => {
    server = startPostgresServer(bin ?? "", { fsync: "off" });
  });
  afterAll(() => server?.remove());
  beforeEach(async () => {
    databases += 1;
    const admin = await openPostgres({ url: new Secret(server.url()), connections: 1 });
    await admin.run(`create database move_${databases}`);
    await admin.close();
    proxy = await openFaultyProxy(socketOf(server));
    folder = mkdtempSync(join(tmpdir(), "assay-move-"));
    const password_cost = { N: 1_024, r: 8, p: 1 };
    live = await openAccounts(settingsFor({ engine: "sqlite", path: path() }, { password_cost }));
    source = openSqlite(path());
    target = await openPostgres({ url: url(), connections: 2 });
    await migrate(target, Date.now(), readMigrations("postgres"));
  });
  afterEach(async () => {
    await live.close();
    await source.close();
    await target.close();
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Two accounts with charges in every state, a grant, a revoked key, a changed price and a custom plan. */
  const fill = async () => {
    const customer = await openCustomer(live);
    const { account, api, mcp } = customer;
    const [done, refunded] = [
      charged(await live.meter.charge(request(api, { idempotency_key: "b" }))),
      charged(await live.meter.charge(request(mcp))),
    ];
    const running = charged(await live.meter.charge(request(api, { idempotency_key: "a", tool: "resolve_ens" })));
    await live.meter.settle(done.charge_id, "done", null);
    await live.meter.settle(refunded.charge_id, "refunded", "TIMEOUT");
    await live.accounts.grant(account.id, 11);
    await live.prices.set("resolve_ens", null);
    const other = await live.accounts.create({
      name: 'Ünïted "Ltd"',
      plan: "custom",
      monthly_credits: 7,
      keys_max: 3,
      calls_per_minute: 2,
    });
    const key = await live.keys.create({ account_id: other.id, scopes: ["mcp:call"], limit: 1 });
    await live.keys.revoke(key.id);
    const rights = { is_operator: true };
    const { token } = await live.users.link({ name: "ann", account_id: account.id, ...rights });
    const from = { address: "192.0.2.7", agent: "Firefox" };
    const session = await live.sessions.setUp({ token, password: "correct horse battery", from });
    await live.sessions.signIn({ name: "ann", password: "not the password", device: null, from });
    return { ...customer, running, session };
  };

  test("copies every row, and the service continues there with the same keys, credits and prices", async () => {
    const { account, key, session } = await fill();
    // 3 charges, 3 charge entries, 1 refund, 1 adjustment, 1 grant; the user's row among the keys; a failure by name and by address
    expect(await move()).toMatchObject({
      is_repeated: false,
      rows: {
        ...{ accounts: 2, keys: 3, charges: 3, entries: 6, pools: 1, plans: 6, prices: 5 },
        ...{ users: 1, sessions: 1, sign_in_failures: 2 },
      },
    });
    const before = await live.accounts.list();
    const moved = await openMoved();
    expect(await moved.accounts.list()).toEqual(before);
    const found = session.kind === "opened" ? await moved.sessions.find(session.secret) : null;
    expect(found).toMatchObject({ name: "ann", account_id: account.id, is_operator: true });
    const api = await callerOf(moved.meter, key.secret);
    expect((await moved.meter.charge(request(api, { idempotency_key: "b" }))).kind).toBe("duplicate");
    // A running charge cannot be settled in the closed file, so it is refunded. 500,000 + 11 - 25 (done)
    expect((await moved.meter.standing(api)).credits_remaining).toBe(499_986);
    expect((await moved.meter.catalog()).credits.resolve_ens).toBeNull();
    expect(await moved.accounts.show(account.id)).toMatchObject({ keys: 1, credits_quota: 500_011 });
    expect(await moved.ledger.verify()).toEqual([]);
    await moved.close();
  });

  test("copies watch rules, their events, and undelivered webhooks", async () => {
    const password_cost = { N: 1_024, r: 8, p: 1 };
    await live.close();
    const watching = { password_cost, watch: { rules_per_account: 3, is_priced: false } };
    live = await openAccounts(settingsFor({ engine: "sqlite", path: path() }, watching));
    const { account, key } = await openCustomer(live);
    const by = { account_id: account.id, key_id: key.id };
    const rule = await live.watch.rules("test").create(by, { ...RULE_DEFINITION, events: ["movement", "risk"] });
    await commitEvents(live.watch, { ...by, rule_id: rule.id, blocks: [1, 2, 3], dropped: [] });
    await live.watch.payments.release(10);
    await commitEvents(live.watch, { ...by, rule_id: rule.id, blocks: [], dropped: [3] });
    await live.watch.payments.release(10);
    const [due] = await live.watch.deliveries.due({ account_id: account.id, busy_rules: [], limit: 1 });
    if (due === undefined) throw new Error("nothing is to be sent");
    await live.watch.deliveries.note(due, { kind: "dead", status: 500, fault: "It answered 500." });
    const of = { account_id: account.id, rule_id: null, before: null, limit: 10 };
    const toldBy = async ({ watch }: AccountsStore) => ({
      rules: await watch.rules("test").list(account.id),
      all: await watch.events.list({ ...of, is_dead: false }),
      dead: await watch.events.list({ ...of, is_dead: true }),
      stream: await watch.events.after(account.id, 0, 10),
      state: await watch.follow.state({ facts: "f1", network: "demo" }),
      level: await watch.levels.waiting(["demo"], 1),
    });
    const before = await toldBy(live);
    expect([before.all.length, before.dead.length, before.state.blocks.length]).toEqual([4, 1, 2]);
    const { rows } = await move();
    expect(rows).toMatchObject({ watch_rules: 1, watch_events: 4, watch_deliveries: 4, watch_blocks: 2 });
    const moved = await openAccounts(settingsFor({ engine: "postgres", url: url(), connections: 2 }, watching));
    expect(await toldBy(moved)).toEqual(before);
    // The dead letter is sent again from there, signed with the same secret; matching continues at the same block.
    await moved.watch.events.replay(account.id, due.event_id);
    const again = await moved.watch.deliveries.due({ account_id: account.id, busy_rules: [], limit: 10 });
    expect(again.flatMap(({ secrets }) => secrets.map((one) => one.reveal()))).toContain(rule.secret);
    await moved.close();
  });

  test("loses no charge of a service that keeps charging until the move closes its file", async () => {
    const { api } = await openCustomer(live);
    const acknowledged: string[] = [];
    const refusals: unknown[] = [];
    const charging = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (refusals.length === 0)
          await live.meter.charge(request(api, { tool: "resolve_ens" })).then(
            (result) => acknowledged.push(charged(result).charge_id),
            (error: unknown) => refusals.push(error),
          );
      }),
    );
    while (acknowledged.length < 50) await sleep(5);
    const { rows } = await move();
    await charging;
    expect(String(refusals[0])).toMatch(/were moved to PostgreSQL .*: set accounts\.engine to postgres/);
    expect(rows.charges).toBe(acknowledged.length);
    const ids = (await target.all<{ id: string }>("select id from charges")).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(acknowledged));
    await expect(openAccounts(settingsFor({ engine: "sqlite", path: path() }))).rejects.toThrow(
      /were moved to PostgreSQL/,
    );
  });

  test("can be repeated, and reports that", async () => {
    await fill();
    const { rows } = await move();
    expect(await move()).toEqual({ rows, is_repeated: true });
  });

  test.each(["before", "after"] as const)(
    "whose connection is lost %s the server commits completes by itself",
    async (when) => {
      await fill();
      proxy.cutCommit(when);
      expect((await move()).is_repeated).toBe(when === "after");
      expect(proxy.commits_cut).toBe(1);
      expect(await target.all("select count(*) as n from charges")).toEqual([{ n: 3 }]);
    },
  );

  test("is rejected when the target has other accounts, and the file stays in use", async () => {
    const { api } = await fill();
    const theirs = await openMoved();
    await openCustomer(theirs);
    await theirs.close();
    await expect(move()).rejects.toMatchObject({ code: "TARGET_NOT_EMPTY" });
    charged(await live.meter.charge(request(api)));
  });

  test.each([
    [
      "a row that arrives changed",
      "create function spoil() returns trigger language plpgsql as 'begin new.tool = upper(new.tool); return new; end'",
    ],
    [
      "a row that does not arrive",
      "create function spoil() returns trigger language plpgsql as 'begin if new.state = ''running'' then return null; end if; return new; end'",
    ],
  ])("detects %s, leaves nothing behind and keeps the file in use", async (_what, spoil) => {
    const { api } = await fill();
    await target.run("alter table entries drop constraint entries_charge_id_fkey");
    await target.run(spoil);
    await target.run("create trigger spoil before insert on charges for each row execute function spoil()");
    await expect(move()).rejects.toMatchObject({ code: "MOVE_DIFFERS" });
    expect(await target.all("select count(*) as n from accounts")).toEqual([{ n: 0 }]);
    charged(await live.meter.charge(request(api)));
  });

  test("of a broken ledger is rejected", async () => {
    await fill();
    await source.run("update pools set used = used + 1");
    await expect(move()).rejects.toMatchObject({ code: "MOVE_DIFFERS", message: expect.stringContaining("I1, I2") });
  });

  test("that was killed stays closed until it is repeated or cancelled", async () => {
    const { api } = await fill();
    server.stop("immediate");
    // A killed process leaves the source closed and the target empty.
    const unreachable = { ...target, transaction: () => new Promise<never>(() => undefined) };
    void migrateAccounts({ source, target: unreachable, at: Date.now() });
    while ((await source.all("select name from sqlite_master where type = 'trigger'")).length === 0) await sleep(5);
    await expect(live.meter.charge(request(api))).rejects.toThrow(/were moved/);
    await expect(move()).rejects.toMatchObject({ code: "ACCOUNTS_UNAVAILABLE" });
    await expect(live.meter.charge(request(api))).rejects.toThrow(/were moved/);
    server.start();
    await reopenSource(source);
    charged(await live.meter.charge(request(api)));
    expect((await move()).rows.charges).toBe(4);
  });
});
