/**
 * Charges and settlements per second on SQLite and on PostgreSQL, without HTTP (the durable part of P5 and P12): `node
 * dist/bench/charges.js [--seconds 5] [--rounds 3]`. Commits reach the disk on both. The engines alternate; at the end
 * of each run every invariant of the ledger holds and its used credits equal those counted here.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { AccountsLocation } from "../src/accounts/engine.ts";
import type { Caller } from "../src/accounts/meter.ts";
import { type AccountsStore, openAccounts } from "../src/accounts/open.ts";
import { openPostgres } from "../src/accounts/postgres.ts";
import { findPostgres, type PostgresServer, startPostgresServer } from "../src/accounts/testing/postgres_server.ts";
import { callerOf, request, settingsFor } from "../src/accounts/testing/store.ts";
import { Secret } from "../src/lib/log.ts";
import { timesOf } from "./calls.ts";
import { loadText, median, mustEqual, printLine } from "./figures.ts";
import { treeCpu } from "./process_tree.ts";

interface Load {
  readonly name: string;
  readonly accounts: number;
  readonly clients: number;
}

const LOADS: readonly Load[] = [
  { name: "one client", accounts: 1, clients: 1 },
  { name: "64 clients, 64 accounts", accounts: 64, clients: 64 },
  { name: "64 clients, one account", accounts: 1, clients: 64 },
];

interface ChargeRun {
  readonly per_s: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Of this process, per charge and settlement. */
  readonly own_cpu_us: number;
  /** Of the database server; null if the engine is in this process. */
  readonly server_cpu_us: number | null;
}

const { values } = parseArgs({ options: { seconds: { type: "string" }, rounds: { type: "string" } } });
const seconds = Number(values.seconds ?? 5);
const rounds = Number(values.rounds ?? 3);
const WARM_S = 1;
const CREDITS = 1_000_000_000;

const openCallers = async (store: AccountsStore, count: number): Promise<readonly Caller[]> => {
  const callers: Caller[] = [];
  for (let n = 0; n < count; n += 1) {
    const account = await store.accounts.create({ name: `A${n}`, plan: "business" });
    await store.accounts.grant(account.id, CREDITS);
    const key = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
    callers.push(await callerOf(store.meter, key.secret));
  }
  return callers;
};

const cycle = async (store: AccountsStore, caller: Caller): Promise<number> => {
  const from = performance.now();
  const result = await store.meter.charge(request(caller, { tool: "resolve_ens" }));
  if (result.kind !== "charged") throw new Error(`refused: ${result.kind}`);
  if ((await store.meter.settle(result.charge_id, "done", null)) === null) throw new Error("lost a lease");
  return performance.now() - from;
};

const measure = async (place: AccountsLocation, load: Load, server: PostgresServer | null): Promise<ChargeRun> => {
  const store = await openAccounts(settingsFor(place));
  const callers = await openCallers(store, load.accounts);
  let cycles = 0;
  const drive = async (for_s: number): Promise<readonly number[]> => {
    const until = performance.now() + for_s * 1_000;
    const took: number[] = [];
    await Promise.all(
      Array.from({ length: load.clients }, async (_, client) => {
        const caller = callers[client % callers.length];
        if (caller === undefined) throw new Error("there is no caller");
        while (performance.now() < until) took.push(await cycle(store, caller));
      }),
    );
    cycles += took.length;
    return took;
  };
  await drive(WARM_S);
  const [own, theirs, from] = [process.cpuUsage(), server === null ? 0 : treeCpu(server.pid()), performance.now()];
  const took = await drive(seconds);
  const wall_s = (performance.now() - from) / 1_000;
  const spent = process.cpuUsage(own);
  const server_us = server === null ? null : treeCpu(server.pid()) - theirs;
  const standings = await Promise.all((await store.accounts.list()).map(({ id }) => store.accounts.show(id)));
  mustEqual(
    "credits used",
    standings.reduce((sum, { credits_used }) => sum + credits_used, 0),
    cycles,
  );
  mustEqual("broken invariants", await store.ledger.verify(), []);
  await store.close();
  const { p50, p99 } = timesOf(took);
  return {
    per_s: took.length / wall_s,
    p50_ms: p50,
    p99_ms: p99,
    own_cpu_us: (spent.user + spent.system) / took.length,
    server_cpu_us: server_us === null ? null : server_us / took.length,
  };
};

const onSqlite = async (load: Load): Promise<ChargeRun> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-charges-"));
  try {
    return await measure({ engine: "sqlite", path: join(folder, "accounts.db") }, load, null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

let databases = 0;

const onPostgres = async (server: PostgresServer, load: Load): Promise<ChargeRun> => {
  databases += 1;
  const admin = await openPostgres({ url: new Secret(server.url()), connections: 1 });
  await admin.run(`create database charges_${databases}`);
  await admin.close();
  const url = new Secret(server.url(`charges_${databases}`));
  return measure({ engine: "postgres", url, connections: 10 }, load, server);
};

const show = (engine: string, load: Load, runs: readonly ChargeRun[]): void => {
  const of = (pick: (run: ChargeRun) => number) => median(runs.map(pick));
  const server = runs[0]?.server_cpu_us === null ? "" : ` + ${of((run) => run.server_cpu_us ?? 0).toFixed(0)} server`;
  printLine(
    `| ${engine} | ${load.name} | ${of((run) => run.per_s).toFixed(0)} | ${of((run) => run.p50_ms).toFixed(2)} | ${of((run) => run.p99_ms).toFixed(2)} | ${of((run) => run.own_cpu_us).toFixed(0)}${server} | ${loadText()} |`,
  );
};

const bin = findPostgres();
const server = bin === null ? null : startPostgresServer(bin);
try {
  printLine(
    "| engine | load | charge + settle per s | p50 ms | p99 ms | CPU us a cycle | |\n|---|---|---|---|---|---|---|",
  );
  for (const load of LOADS) {
    const [sqlite, postgres]: [ChargeRun[], ChargeRun[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      sqlite.push(await onSqlite(load));
      if (server !== null) postgres.push(await onPostgres(server, load));
    }
    show("SQLite", load, sqlite);
    if (server !== null) show("PostgreSQL", load, postgres);
  }
} finally {
  server?.remove();
}
