/**
 * A service under load for long: `node dist/bench/soak.js [--minutes 30] [--clients 32]`. Calls that end in every way,
 * and rejected requests, on a SQLite file. Every ten seconds the load pauses, garbage is collected, and memory is read;
 * the growth is the slope of a line through the readings after the first third. At the end every invariant holds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openAccounts } from "../src/accounts/open.ts";
import { startProgram } from "../src/accounts/testing/process.ts";
import { writeLocation } from "../src/accounts/testing/temporary_accounts.ts";
import { silentLog } from "../src/lib/log.ts";
import { drawsOf } from "../test/random.ts";
import { startClients } from "./faults/clients.ts";
import { WIDE_PLANS } from "./faults/instance_settings.ts";
import { QUICK_TOOLS, USUAL_MIX } from "./faults/quick_tools.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { treeCpu } from "./process_tree.ts";

const EVERY_MS = 10_000;
/** Rejected requests of each kind, in each of those intervals. */
const REFUSED = 100;
const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, clients: { type: "string", default: "32" } },
});

interface MemoryReading {
  readonly at_min: number;
  readonly rss_mb: number;
  readonly heap_mb: number;
}

/** Of a least-squares line: the growth per minute. */
const slopeOf = (readings: readonly MemoryReading[], pick: (reading: MemoryReading) => number): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(readings.map(({ at_min }) => at_min)), mean(readings.map(pick))];
  const over = readings.reduce((sum, reading) => sum + (reading.at_min - x) * (pick(reading) - y), 0);
  return over / readings.reduce((sum, { at_min }) => sum + (at_min - x) ** 2, 0);
};

const refusals = async (url: string, secret: string): Promise<void> => {
  const send = async (path: string, body: string, key: string): Promise<number> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  for (let count = 0; count < REFUSED; count += 1) {
    mustEqual("no such tool", await send(`/api/tools/none_${count}`, "{}", secret), 404);
    mustEqual("no such key", await send("/api/tools/answer", "{}", `svc_live_${count}`), 401);
    mustEqual("no JSON", await send("/api/tools/answer", `{"nonce":${"[".repeat(count % 20)}`, secret), 422);
    mustEqual(
      "no such field",
      await send("/api/tools/answer", `{"field_${count}":"${"x".repeat(count)}"}`, secret),
      422,
    );
  }
};

const folder = mkdtempSync(join(tmpdir(), "assay-bench-soak-"));
const place = { engine: "sqlite" as const, path: join(folder, "accounts.db") };
const tools = QUICK_TOOLS.map(({ name, credits }) => ({ name, credits }));
const keys = { prefix: "svc_live_" };
const store = await openAccounts({ place, plans: WIDE_PLANS, keys, tools, now: Date.now, log: silentLog });
const account = await store.accounts.create({ name: "Soak", plan: "wide" });
const { secret } = await store.keys.create({ account_id: account.id, scopes: ["api:call"] });
const service = await startProgram(fileURLToPath(new URL("./faults/quick_instance.js", import.meta.url)), [
  JSON.stringify({ place: writeLocation(place) }),
]);
const url = String(service.seen.find(({ event }) => event === "ready")?.url);
const draw = drawsOf(1);
const readings: MemoryReading[] = [];
let charged = 0;
const from = performance.now();
try {
  printLine("| minute | RSS MB | heap MB | charged calls |\n|---|---|---|---|");
  while (performance.now() - from < Number(values.minutes) * 60_000) {
    const clients = startClients({
      ports: [Number(new URL(url).port)],
      connections: Number(values.clients),
      customers: [{ account_id: account.id, secret: () => secret }],
      tools: USUAL_MIX,
      name: `r${readings.length}`,
      draw,
      garbling: () => 0,
    });
    await Promise.all([sleep(EVERY_MS), refusals(url, secret)]);
    await clients.stop();
    mustEqual("odd answers", clients.odd, []);
    charged += clients.charged();
    const heard = service.hear("memory");
    service.say("memory");
    const { rss, heap } = await heard;
    const at_min = (performance.now() - from) / 60_000;
    const reading = { at_min, rss_mb: Number(rss) / 1e6, heap_mb: Number(heap) / 1e6 };
    readings.push(reading);
    printLine(`| ${at_min.toFixed(1)} | ${reading.rss_mb.toFixed(1)} | ${reading.heap_mb.toFixed(1)} | ${charged} |`);
  }
  const cpu_s = treeCpu(service.pid) / 1e6;
  mustEqual("broken invariants", await store.ledger.verify(), []);
  const late = readings.slice(Math.floor(readings.length / 3));
  const [rss, heap] = [slopeOf(late, (reading) => reading.rss_mb), slopeOf(late, (reading) => reading.heap_mb)];
  printLine(
    `${charged} charged calls, ${cpu_s.toFixed(0)} s CPU. RSS after collection ${late[0]?.rss_mb.toFixed(1)} to ${late.at(-1)?.rss_mb.toFixed(1)} MB, slope ${rss.toFixed(3)} MB a minute; heap slope ${heap.toFixed(3)} MB a minute. ${loadText()}`,
  );
} finally {
  await service.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
