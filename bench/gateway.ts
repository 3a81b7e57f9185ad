/**
 * A charged call over HTTP against a bare fastify handler (P5, P12): `node dist/bench/gateway.js [--seconds 5]
 * [--rounds 5]`. The tool does nothing; every charge and settlement is on disk before its answer. Bare, SQLite and
 * PostgreSQL alternate. The cost of callers is not counted. At the end of each run the used credits equal those of the
 * answers counted here, and every invariant holds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import type { AccountsLocation } from "../src/accounts/engine.ts";
import { type AccountsStore, openAccounts } from "../src/accounts/open.ts";
import { findPostgres, type PostgresServer, startPostgresServer } from "../src/accounts/testing/postgres_server.ts";
import { type Child, startProgram } from "../src/accounts/testing/process.ts";
import { writeLocation } from "../src/accounts/testing/temporary_accounts.ts";
import { Secret, silentLog } from "../src/lib/log.ts";
import { timesOf } from "./calls.ts";
import { WIDE_PLANS } from "./faults/instance_settings.ts";
import { QUICK_TOOLS } from "./faults/quick_tools.ts";
import { loadText, median, mustEqual, printLine } from "./figures.ts";
import { treeCpu } from "./process_tree.ts";

const programPath = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: { seconds: { type: "string", default: "5" }, rounds: { type: "string", default: "5" } },
});
const seconds = Number(values.seconds);
const WARM_S = 2;
const CLIENTS = [1, 64] as const;
const ACCOUNTS = 16;

interface GatewayRun {
  readonly per_s: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Of the service and, behind it, of the database server; a call. */
  readonly cpu_us: number;
  readonly server_cpu_us: number;
}

interface GatewayTarget {
  readonly child: Child;
  readonly secrets: readonly string[];
  readonly server: PostgresServer | null;
}

const drive = async (target: GatewayTarget, clients: number, for_s: number): Promise<readonly number[]> => {
  const { seen } = target.child;
  const pool = new Pool(String(seen.find(({ event }) => event === "ready")?.url), { connections: clients });
  const until = performance.now() + for_s * 1_000;
  const took: number[] = [];
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const authorization = `Bearer ${target.secrets[client % target.secrets.length]}`;
      const headers = { "content-type": "application/json", authorization };
      for (let count = 0; performance.now() < until; count += 1) {
        const nonce = `${client}-${count}`;
        const from = performance.now();
        const sent = { path: "/api/tools/answer", method: "POST" as const, headers, body: JSON.stringify({ nonce }) };
        const text = await (await pool.request(sent)).body.text();
        took.push(performance.now() - from);
        mustEqual("answer", text, JSON.stringify({ type: "echo", nonce }));
      }
    }),
  );
  await pool.destroy();
  return took;
};

const measure = async (target: GatewayTarget, clients: number): Promise<{ run: GatewayRun; calls: number }> => {
  const warm = await drive(target, clients, WARM_S);
  const cpuNow = () => [treeCpu(target.child.pid), target.server === null ? 0 : treeCpu(target.server.pid())] as const;
  const [before, from] = [cpuNow(), performance.now()];
  const took = await drive(target, clients, seconds);
  const [after, wall_s] = [cpuNow(), (performance.now() - from) / 1_000];
  const { p50, p99 } = timesOf(took);
  const cpu_us = (after[0] - before[0]) / took.length;
  const server_cpu_us = (after[1] - before[1]) / took.length;
  const run = { per_s: took.length / wall_s, p50_ms: p50, p99_ms: p99, cpu_us, server_cpu_us };
  return { run, calls: warm.length + took.length };
};

const onBare = async (clients: number): Promise<GatewayRun> => {
  const child = await startProgram(programPath("./bare_gateway.js"), []);
  const { run } = await measure({ child, secrets: ["none"], server: null }, clients);
  await child.close();
  return run;
};

const secretsOf = async (store: AccountsStore): Promise<readonly string[]> => {
  const secrets: string[] = [];
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const { id } = await store.accounts.create({ name: `A${number}`, plan: "wide" });
    secrets.push((await store.keys.create({ account_id: id, scopes: ["api:call"] })).secret);
  }
  return secrets;
};

const onAccounts = async (
  place: AccountsLocation,
  server: PostgresServer | null,
  clients: number,
): Promise<GatewayRun> => {
  const tools = QUICK_TOOLS.map(({ name, credits }) => ({ name, credits }));
  const keys = { prefix: "svc_live_" };
  const store = await openAccounts({ place, plans: WIDE_PLANS, keys, tools, now: Date.now, log: silentLog });
  const secrets = await secretsOf(store);
  const child = await startProgram(programPath("./faults/quick_instance.js"), [
    JSON.stringify({ place: writeLocation(place) }),
  ]);
  const { run, calls } = await measure({ child, secrets, server }, clients);
  const shown = await Promise.all((await store.accounts.list()).map(({ id }) => store.accounts.show(id)));
  mustEqual(
    "credits used",
    shown.reduce((sum, { credits_used }) => sum + credits_used, 0),
    calls,
  );
  mustEqual("broken invariants", await store.ledger.verify(), []);
  await child.close();
  await store.close();
  return run;
};

const inFolder = async (clients: number): Promise<GatewayRun> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-gateway-"));
  try {
    return await onAccounts({ engine: "sqlite", path: join(folder, "accounts.db") }, null, clients);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const onServer = async (bin: string, clients: number): Promise<GatewayRun> => {
  const server = startPostgresServer(bin);
  try {
    return await onAccounts({ engine: "postgres", url: new Secret(server.url()), connections: 10 }, server, clients);
  } finally {
    server.remove();
  }
};

const show = (
  name: string,
  clients: number,
  { runs, bare }: { runs: readonly GatewayRun[]; bare: readonly GatewayRun[] },
): void => {
  const of = (all: readonly GatewayRun[], pick: (run: GatewayRun) => number) => median(all.map(pick));
  const cpu = of(runs, (run) => run.cpu_us);
  const cells = [
    `${name}, ${clients} client${clients === 1 ? "" : "s"}`,
    of(runs, (run) => run.per_s).toFixed(0),
    `${of(runs, (run) => run.p50_ms).toFixed(2)} (+${(of(runs, (run) => run.p50_ms) - of(bare, (run) => run.p50_ms)).toFixed(2)})`,
    of(runs, (run) => run.p99_ms).toFixed(2),
    `${cpu.toFixed(0)} + ${of(runs, (run) => run.server_cpu_us).toFixed(0)}`,
    `${(cpu / of(bare, (run) => run.cpu_us)).toFixed(1)} x`,
    (1e6 / cpu).toFixed(0),
    // A million calls in hours of processor time.
    ((cpu + of(runs, (run) => run.server_cpu_us)) / 3_600).toFixed(3),
    loadText(),
  ];
  printLine(`| ${cells.join(" | ")} |`);
};

const bin = findPostgres();
printLine(
  "| | calls per s | p50 ms (over bare) | p99 ms | CPU us a call, service + database server | of bare | calls per s of a core | CPU h a million | |\n|---|---|---|---|---|---|---|---|---|",
);
for (const clients of CLIENTS) {
  const [bare, sqlite, postgres]: [GatewayRun[], GatewayRun[], GatewayRun[]] = [[], [], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    bare.push(await onBare(clients));
    sqlite.push(await inFolder(clients));
    if (bin !== null) postgres.push(await onServer(bin, clients));
  }
  show("bare", clients, { runs: bare, bare });
  show("SQLite", clients, { runs: sqlite, bare });
  if (bin !== null) show("PostgreSQL", clients, { runs: postgres, bare });
}
