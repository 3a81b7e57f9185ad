import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import type { Database, Queries, Scope } from "./database.ts";
import { type AccountsStore, openAccounts } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { type FaultyProxy, openFaultyProxy } from "./testing/faulty_proxy.ts";
import { findPostgres, type PostgresServer, socketOf, startPostgresServer } from "./testing/postgres_server.ts";
import { charged, openCustomer, request, settingsFor } from "./testing/store.ts";

const bin = findPostgres();

const sharing = (lock: string): Scope => ({ lock, proof: null, shares: "charge" });

/** Rows of one server transaction have the same number. */
const write = (note: string) => (within: Queries) =>
  within.run("insert into notes (note, tx) values ($1, txid_current())", [note]);

// A separate server for this file: the tests cut its connections.
describe.skipIf(bin === null)("transactions that share one transaction of the server", () => {
  let server: PostgresServer;
  let proxy: FaultyProxy;
  let store: AccountsStore;
  let database: Database;
  let databases = 0;

  beforeAll(() => {
    server = startPostgresServer(bin ?? "");
  });
  afterAll(() => server?.remove());
  beforeEach(async () => {
    databases += 1;
    const name = `store_${databases}`;
    const admin = await openPostgres({ url: new Secret(server.url()), connections: 1 });
    await admin.run(`create database ${name}`);
    await admin.close();
    proxy = await openFaultyProxy(socketOf(server));
    const url = new Secret(`postgres://assay@127.0.0.1:${proxy.port}/${name}`);
    store = await openAccounts(settingsFor({ engine: "postgres", url, connections: 4 }));
    database = await openPostgres({ url, connections: 4 });
    await database.run("create table notes (note text primary key, tx bigint not null)");
  });
  afterEach(async () => {
    const violations = await store.ledger.verify();
    await Promise.all([store.close(), database.close()]);
    await proxy.close();
    expect(violations).toEqual([]);
  });

  const notes = async () =>
    (await database.all<{ note: string }>("select note from notes order by note")).map(({ note }) => note);
  const groups = async () => (await database.get<{ n: number }>("select count(distinct tx) as n from notes"))?.n;

  test("commit once when they arrive together, in order per lock, apart from those that do not share", async () => {
    const order: string[] = [];
    const noted = (note: string) => async (within: Queries) => {
      await write(note)(within);
      order.push(note);
    };
    await Promise.all([
      database.transaction(sharing("x"), noted("a1")),
      database.transaction(sharing("x"), noted("a2")),
      database.transaction(sharing("y"), noted("b1")),
      database.transaction({ lock: "z", proof: null }, noted("c1")),
    ]);
    expect(await notes()).toEqual(["a1", "a2", "b1", "c1"]);
    expect(order.filter((note) => note.startsWith("a"))).toEqual(["a1", "a2"]);
    expect(await groups()).toBe(2);
  });

  test("roll back alone when a body throws or its statement fails, and commit the others", async () => {
    const results = await Promise.allSettled([
      database.transaction(sharing("a"), write("a")),
      database.transaction(sharing("b"), async (within) => {
        await write("b")(within);
        throw new Error("changed my mind");
      }),
      database.transaction(sharing("c"), write("a")),
      database.transaction(sharing("d"), write("d")),
    ]);
    expect(results[1]).toMatchObject({ reason: { message: "changed my mind" } });
    // Either of the two may come first when each runs alone; the other one then finds the note.
    expect([results[0]?.status, results[2]?.status].sort()).toEqual(["fulfilled", "rejected"]);
    expect(results[3]?.status).toBe("fulfilled");
    expect(await notes()).toEqual(["a", "d"]);
  });

  test("take nothing for a rejected charge in a group, and charge the others", async () => {
    const customers = [await openCustomer(store), await openCustomer(store), await openCustomer(store, "free")];
    const asked = customers.flatMap(({ api }, at) => [
      store.meter.charge(request(api, { idempotency_key: `${at}` })),
      store.meter.charge(request(api, { idempotency_key: `${at}` })),
      store.meter.charge(request(api, { tool: "analyze_transaction", catalog_version: at === 1 ? "old" : null })),
    ]);
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds).toEqual([
      ...["charged", "duplicate", "charged"],
      ...["charged", "duplicate", "price_changed"],
      ...["charged", "duplicate", "charged"],
    ]);
    // 25 + 40; 25; 25 + 40 of 500.
    const left = await Promise.all(customers.map(({ api }) => store.meter.standing(api)));
    expect(left.map(({ credits_remaining }) => credits_remaining)).toEqual([499_935, 499_975, 435]);
  });

  test.each(["before", "after"] as const)(
    "charge and settle each call of a group once when the connection is lost %s the server commits",
    async (when) => {
      const customers = await Promise.all(Array.from({ length: 4 }, () => openCustomer(store)));
      const charge = () => Promise.all(customers.map(({ api }) => store.meter.charge(request(api))));
      const first = (await charge()).map(charged);
      proxy.cutCommit(when);
      const second = (await charge()).map(charged);
      expect(second.map(({ standing }) => standing.credits_remaining)).toEqual([499_950, 499_950, 499_950, 499_950]);
      proxy.cutCommit(when);
      const settled = await Promise.all([
        ...first.map(({ charge_id }) => store.meter.settle(charge_id, "done", null)),
        ...second.map(({ charge_id }) => store.meter.settle(charge_id, "refunded", "timeout")),
      ]);
      expect(settled.every((standing) => standing !== null)).toBe(true);
      expect(proxy.commits_cut).toBe(2);
      const left = await Promise.all(customers.map(({ api }) => store.meter.standing(api)));
      expect(left.map(({ credits_remaining }) => credits_remaining)).toEqual([499_975, 499_975, 499_975, 499_975]);
    },
  );

  test("wait for a lock that is held without delaying the others", async () => {
    const other = await openPostgres({ url: new Secret(server.url(`store_${databases}`)), connections: 1 });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = other.transaction({ lock: "held", proof: null }, async (within) => {
      await within.get("select 1 as one");
      await released;
    });
    await sleep(100);
    const waiting = database.transaction(sharing("held"), write("held"));
    await Promise.all(["a", "b"].map((name) => database.transaction(sharing(name), write(name))));
    // More groups than may run at a time.
    for (const round of [1, 2, 3])
      await Promise.all(["a", "b"].map((name) => database.transaction(sharing(name), write(`${name}${round}`))));
    expect(await notes()).toEqual(["a", "a1", "a2", "a3", "b", "b1", "b2", "b3"]);
    release();
    await Promise.all([waiting, holding]);
    expect(await notes()).toContain("held");
    await other.close();
  });

  test("reject a statement after their end", async () => {
    let late: Promise<unknown> = Promise.resolve();
    await database.transaction(sharing("a"), async (within) => {
      late = sleep(100).then(() => write("late")(within));
      late.catch(() => undefined);
      await write("a")(within);
    });
    await expect(late).rejects.toThrow("The transaction is over.");
    expect(await notes()).toEqual(["a"]);
  });
});
