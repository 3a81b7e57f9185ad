/**
 * A 1-credit tool beside heavy ones (P6), and memory (P10): `node dist/bench/isolation.js [--rows 2000000] [--seconds
 * 30]`. One API process with the embedded engine, real tools over HTTP, accounts in SQLite. A process calls
 * get_wallet_account_meta five times a second, and the delay of the event loop is measured: alone, then while another
 * process requests the PnL of `rows` / 20 swaps without a pause. Each PnL equals the gain that the swaps were generated
 * with. A call counts from its due time, so that a late start shows.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openAccounts } from "../src/accounts/open.ts";
import { SILENT_OPERATOR } from "../src/domain/operator.ts";
import { hex } from "../src/lib/bytes.ts";
import { silentLog } from "../src/lib/log.ts";
import { openFacts } from "../src/store/open.ts";
import { openPublicServer } from "../src/surfaces/server.ts";
import { tools } from "../src/tools/index.ts";
import { contexts } from "../src/wiring/contexts.ts";
import { fixedChain } from "../test/fixed_chain.ts";
import { cpuSeconds, timesOf } from "./calls.ts";
import { WIDE_PLANS } from "./faults/instance_settings.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { enginePid, residentMb } from "./memory.ts";
import { DOLLAR, NETWORK, realizedBy, TRADER, tradesBefore, WALLETS, WRAPPED, writeLedger } from "./wallet_rows.ts";

const EVERY_MS = 200;
/** Interval of measuring the event loop of the service. */
const LOOK_MS = 1;
const DATES = { network: NETWORK, from_date: "2020-09-13", to_date: "2096-10-02" };
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "2000000" },
    seconds: { type: "string", default: "30" },
    url: { type: "string" },
    secret: { type: "string" },
    heavy: { type: "boolean", default: false },
  },
});
const ROWS = Number(values.rows);
const SECONDS = Number(values.seconds);
const chain = fixedChain({
  network: { wrapped_native: WRAPPED, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] },
  can: { archive: true },
  blocks: [{ number: 0, hash: hex("00".repeat(32)), parent_hash: hex("00".repeat(32)), time: 1_600_000_000 }],
});

/** The process of callers: it knows only an address and a key. Returns the time of each call, ms. */
const callAll = async (url: string, secret: string): Promise<readonly number[]> => {
  const post = async (tool: string, body: object): Promise<unknown> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
    const response = await fetch(`${url}/api/tools/${tool}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== 200 || text.includes('"status":"error"')) throw new Error(`${tool}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  const took: number[] = [];
  const from = performance.now();
  const until = from + SECONDS * 1_000;
  const lightly = async (): Promise<void> => {
    const under_way: Promise<void>[] = [];
    for (let due = from; due < until; due += EVERY_MS) {
      await sleep(Math.max(0, due - performance.now()));
      const asked = post("get_wallet_account_meta", { address: chain.formatAddress(WALLETS.small), network: NETWORK });
      under_way.push(asked.then(() => void took.push(performance.now() - due)));
    }
    await Promise.all(under_way);
  };
  const heavily = async (): Promise<void> => {
    const expected = realizedBy(tradesBefore(ROWS));
    while (performance.now() < until) {
      const begun = performance.now();
      // The tool's output schema says so.
      const { summary } = (await post("get_wallet_pnl", { ...DATES, address: chain.formatAddress(TRADER) })) as {
        readonly summary: { readonly all_tokens: { readonly total_realized_pnl_usd: number } };
      };
      took.push(performance.now() - begun);
      const found = summary.all_tokens.total_realized_pnl_usd;
      if (Math.abs(found - expected) > expected * 1e-9) throw new Error(`PnL ${found}, the reference says ${expected}`);
    }
  };
  await (values.heavy ? heavily() : lightly());
  return took;
};

const inProcess = async (...more: readonly string[]): Promise<readonly number[]> => {
  const args = [fileURLToPath(import.meta.url), "--rows", String(ROWS), "--seconds", String(SECONDS), ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  mustEqual("end of the callers", code, 0);
  // Written by this very program.
  return JSON.parse(text) as readonly number[];
};

const serve = async (data_dir: string): Promise<void> => {
  const facts = await openFacts({ engine: "embedded", data_dir: join(data_dir, "facts") });
  await writeLedger(facts, ROWS);
  const place = { engine: "sqlite" as const, path: join(data_dir, "accounts.db") };
  const keys = { prefix: "svc_live_" };
  const accounts = await openAccounts({ place, plans: WIDE_PLANS, keys, tools, now: Date.now, log: silentLog });
  const { id } = await accounts.accounts.create({ name: "Isolation", plan: "wide" });
  const { secret } = await accounts.keys.create({ account_id: id, scopes: ["api:call"] });
  const rest = openPublicServer({
    tools,
    meter: accounts.meter,
    store: accounts,
    chains: [chain],
    contextFor: contexts({ facts, chains: [chain], operator: SILENT_OPERATOR }),
    status: async () => ({ accounts: true, facts: true, networks: {} }),
    log: silentLog,
    // The rows' blocks reach far into the future.
    now_ms: () => 4_000_000_000_000,
  });
  const url = await rest.listen({ host: "127.0.0.1", port: 0 });
  const facts_dir = join(data_dir, "facts");
  const engine = enginePid(facts_dir);
  printLine(
    "| | calls | p50 ms | p99 ms | loop's delay p50, p99, most ms | CPU s | API process MB | engine MB | |\n|---|---|---|---|---|---|---|---|---|",
  );
  const asked = ["--url", url, "--secret", secret];
  const measured = async (name: string, is_beside: boolean): Promise<void> => {
    const before = cpuSeconds(facts_dir);
    const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
    delay.enable();
    const [light, heavy] = await Promise.all([
      inProcess(...asked),
      is_beside ? inProcess(...asked, "--heavy") : ([] as const),
    ]);
    delay.disable();
    const [half, most, worst] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) => ns / 1e6 - LOOK_MS);
    const loop = [half, most, worst].map((ms = 0) => ms.toFixed(1)).join(", ");
    const { p50, p99 } = timesOf(light);
    const spent = cpuSeconds(facts_dir) - before;
    const memory = `${residentMb(process.pid).toFixed(0)} | ${residentMb(engine).toFixed(0)}`;
    printLine(
      `| ${name} | ${light.length} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${loop} | ${spent.toFixed(1)} | ${memory} | ${loadText()} |`,
    );
    if (heavy.length > 0)
      printLine(`PnL of ${tradesBefore(ROWS)} swaps: ${heavy.length} calls, p50 ${timesOf(heavy).p50.toFixed(0)} ms`);
  };
  await inProcess(...asked, "--seconds", "2");
  await measured("alone", false);
  await measured("beside PnL without a pause", true);
  await measured("alone again", false);
  await rest.close();
  mustEqual("broken invariants", await accounts.ledger.verify(), []);
  await accounts.close();
  await facts.close();
};

if (values.url !== undefined && values.secret !== undefined)
  process.stdout.write(JSON.stringify(await callAll(values.url, values.secret)));
else {
  const data_dir = mkdtempSync(join(tmpdir(), "assay-bench-isolation-"));
  try {
    await serve(data_dir);
  } finally {
    rmSync(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
