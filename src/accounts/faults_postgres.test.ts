import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import { type AccountsStore, openAccounts } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { type CuttingProxy, openCuttingProxy } from "./testing/cutting_proxy.ts";
import { findPostgres, type PostgresServer, startPostgresServer } from "./testing/postgres_server.ts";
import { type Compiled, compileChild } from "./testing/process.ts";
import { openCustomer, settingsFor } from "./testing/store.ts";

/** How often each fault strikes. One round here; the long run is `FAULT_ROUNDS=50 npx vitest run src/accounts/faults_postgres.test.ts`. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);
/** Calls that have to end well between two faults. */
const CALLS_BETWEEN = 20;

const bin = findPostgres();

describe.skipIf(bin === null)("two instances on PostgreSQL", () => {
  let server: PostgresServer;
  let proxy: CuttingProxy;
  let compiled: Compiled;
  let store: AccountsStore;
  /** How far this process's clock is ahead of the instances'. */
  let ahead_ms = 0;
  const direct = () => new Secret(server.url());

  beforeAll(() => {
    server = startPostgresServer(bin ?? "");
    compiled = compileChild();
  });
  afterAll(() => {
    compiled?.remove();
    server?.remove();
  });
  beforeEach(async () => {
    proxy = await openCuttingProxy(server.folder);
    const now = () => Date.now() + ahead_ms;
    store = await openAccounts(settingsFor({ engine: "postgres", url: direct(), connections: 2 }, { now }));
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });

  /** Waits until PostgreSQL takes a start: what is left of a crashed one holds its memory for a moment. */
  const startAgain = async (): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return server.start();
      } catch (error) {
        if (attempt === 50) throw error;
        await sleep(100);
      }
    }
  };

  test("whatever is killed, cut or held, what callers were told is what the ledger holds", async () => {
    const { key, api } = await openCustomer(store);
    await store.accounts.grant(api.account_id, 1_000_000_000);
    const place = {
      engine: "postgres" as const,
      url: new Secret(`postgres://assay@127.0.0.1:${proxy.port}/postgres`),
      connections: 4,
    };
    let { secret } = key;
    const start = async () => {
      const child = await compiled.start(place, secret);
      child.say("endure");
      return child;
    };
    const ended: Awaited<ReturnType<typeof start>>[] = [];
    const [a, b] = await Promise.all([start(), start()]);
    const running = [a, b];
    const all = () => [...ended, ...running].flatMap((child) => child.seen);
    const goOn = async (): Promise<void> => {
      const well = () => all().filter(({ event }) => event === "done" || event === "refunded").length;
      const until = well() + CALLS_BETWEEN;
      while (well() < until) await sleep(20);
    };
    const faults: readonly (() => Promise<void> | void)[] = [
      () => proxy.cutAll(),
      () => proxy.cutCommit("before"),
      () => proxy.cutCommit("after"),
      async () => {
        const victim = running.shift();
        if (victim === undefined) return;
        await victim.kill();
        ended.push(victim);
        running.push(await start());
      },
      async () => {
        server.crash();
        await startAgain();
      },
      async () => {
        proxy.hold(true);
        await sleep(300);
        proxy.cutAll();
        proxy.hold(false);
      },
      async () => {
        running[0]?.signal("SIGSTOP");
        await sleep(500);
        running[0]?.signal("SIGCONT");
      },
      () => void store.prices.set("resolve_ens", 2),
      async () => void (await store.accounts.setPlan(api.account_id, { plan: "max" })),
      async () => {
        secret = (await store.keys.rotate(key.id, 3_600)).secret;
      },
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const strike of faults) {
        await goOn();
        await strike();
      }
      await goOn();
    }
    await Promise.all(running.map((child) => child.kill()));
    ended.push(...running.splice(0));

    // Every lease has run out by then.
    ahead_ms = 120_000;
    await store.sweep();
    expect(await store.ledger.verify()).toEqual([]);
    const database = await openPostgres({ url: direct(), connections: 1 });
    const rows = await database.all<{ key: string; state: string }>(
      "select idempotency_key as key, state from charges",
    );
    await database.close();
    const states = new Map(rows.map((row) => [row.key, row.state]));
    const asked = new Set(all().map((told) => String(told.key)));
    // Nothing that nobody asked for, and each call at most once.
    expect(rows.filter((row) => !asked.has(row.key))).toEqual([]);
    expect(states.size).toBe(rows.length);
    const untrue = all().filter(({ event, key: call }) => {
      const state = states.get(String(call)) ?? "none";
      if (event === "done" || event === "refunded") return state !== event;
      if (event === "lost") return state !== "refunded";
      return event === "refused";
    });
    expect(untrue).toEqual([]);
  });
});
