/**
 * Mixed calls on a moving chain, for long: `node dist/bench/mixed.js [--minutes 30] [--share 50] [--block 2000]`. The
 * whole service with its indexer, on the demo world, which gets a block every `block` ms; a process of callers calls
 * all tools over HTTP, with their examples and with every account of the scenario. First without a pause, which
 * measures the capacity, then at `share` percent of it: a call counts from its due time, so that a late start shows.
 * Reports each minute the times of calls and the memory of the service and of its engine. At the end every call was
 * answered, the credits in answers equal those of the ledger, its invariants hold, and a new service on the same facts
 * answers byte for byte like the one that ran all the time.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { demoNetwork } from "../src/commands/demo.ts";
import { DEMO_LISTS, importDemoLists } from "../src/commands/demo_lists.ts";
import { settings } from "../src/config/settings.ts";
import { ADDRESSES } from "../src/demo/evm/characters.ts";
import { catchUp, heartbeat } from "../src/demo/evm/live.ts";
import { startSite } from "../src/demo/evm/site.ts";
import { type EvmWorld, startWorld } from "../src/demo/evm/world.ts";
import { silentLog } from "../src/lib/log.ts";
import { openService, type RunningService } from "../src/main.ts";
import { tools } from "../src/tools/index.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import { openFactsOnly } from "../src/wiring/stores.ts";
import { diceOf, type RandomBelow } from "../test/random.ts";
import { type CallArguments, timesOf } from "./calls.ts";
import { WIDE_PLANS } from "./faults/instance_settings.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { enginePid, residentMb } from "./memory.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    share: { type: "string", default: "50" },
    block: { type: "string", default: "2000" },
    url: { type: "string" },
    secret: { type: "string" },
    rate: { type: "string", default: "0" },
    seconds: { type: "string", default: "20" },
  },
});
const CALLERS = 16;
const MINUTE_MS = 60_000;
const DAY_S = 86_400;
const STORY_DAYS = 90;
const COMPARED = 60;
/** Time at which data outside of the chain was read. */
const LOOKED_AT = /"observed_at":"[^"]*"/g;

/** Report of the callers, each minute and at the end. */
interface MixedReport {
  readonly calls: number;
  readonly credits: number;
  readonly p50: number;
  readonly p99: number;
  /** Tools and their responses that were no answers. */
  readonly odd: readonly string[];
}

interface MixedCall {
  readonly tool: AnyTool;
  readonly args: CallArguments;
}

const PEOPLE = Object.values(ADDRESSES);

/** The example of a tool, or the same with another account of the scenario. */
const drawCall = (draw: RandomBelow): MixedCall => {
  const tool = tools[draw(tools.length)];
  const person = PEOPLE[draw(PEOPLE.length)];
  if (tool === undefined || person === undefined) throw new Error("nothing to ask about");
  const field = ["address", "wallet_address"].find((name) => name in tool.input.shape);
  const is_other = field !== undefined && draw(2) === 0;
  return { tool, args: is_other ? { ...tool.example, [field]: person } : tool.example };
};

interface MixedTarget {
  readonly url: string;
  readonly secret: string;
}

const post = async ({ url, secret }: MixedTarget, { tool, args }: MixedCall) => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
  const response = await fetch(`${url}/api/tools/${tool.name}`, {
    method: "POST",
    headers,
    body: JSON.stringify(args),
  });
  const text = await response.text();
  return { status: response.status, credits: Number(response.headers.get("x-credits-charged") ?? 0), text };
};

/** The process of callers: as fast as answers come, or `rate` a second. Writes a line each minute. */
const callAll = async (target: MixedTarget, rate: number): Promise<void> => {
  const draw = diceOf(Number(values.seconds));
  const until = performance.now() + Number(values.seconds) * 1_000;
  let [ms, credits, odd]: [number[], number, string[]] = [[], 0, []];
  const tell = (): void => {
    const told: MixedReport = { calls: ms.length, credits, ...timesOf(ms), odd };
    [ms, credits, odd] = [[], 0, []];
    process.stdout.write(`${JSON.stringify(told)}\n`);
  };
  const one = async (due: number): Promise<void> => {
    const call = drawCall(draw);
    const answer = await post(target, call);
    ms.push(performance.now() - due);
    credits += answer.credits;
    if (answer.status !== 200 || answer.text.includes('"status":"error"'))
      odd.push(`${call.tool.name} ${answer.status} ${answer.text.slice(0, 200)}`);
  };
  const timer = setInterval(tell, MINUTE_MS);
  if (rate === 0) {
    const caller = async (): Promise<void> => {
      while (performance.now() < until) await one(performance.now());
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  } else {
    const under_way = new Set<Promise<void>>();
    for (let due = performance.now(); due < until; due += 1_000 / rate) {
      await sleep(Math.max(0, due - performance.now()));
      const asked = one(due).finally(() => under_way.delete(asked));
      under_way.add(asked);
    }
    await Promise.all(under_way);
  }
  clearInterval(timer);
  tell();
};

/** Callers in a process of their own; `hear` receives each of their lines. */
const startCallers = async (
  target: MixedTarget,
  more: readonly string[],
  hear: (told: MixedReport) => void,
): Promise<void> => {
  const args = [fileURLToPath(import.meta.url), "--url", target.url, "--secret", target.secret, ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  // Written by this very program.
  createInterface(child.stdout).on("line", (line) => hear(JSON.parse(line) as MixedReport));
  const [code] = await once(child, "close");
  mustEqual("end of the callers", code, 0);
};

const serve = async (data_dir: string, world: EvmWorld, site: Awaited<ReturnType<typeof startSite>>) => {
  const own = settings.parse({ listen: "127.0.0.1:0", plans: WIDE_PLANS });
  const enabled = demoNetwork(world);
  const lists = await openFactsOnly(own, data_dir);
  await importDemoLists(lists, { folder: DEMO_LISTS, networks: [enabled.network], now_ms: Date.now() });
  const service = (indexing: boolean): Promise<RunningService> =>
    openService({
      ...{ settings: own, data_dir, networks: [enabled], surfaces: true, indexing, once: false },
      ...{ log: silentLog, examples: {}, own_origins: site.own_origins },
    });
  const first = await service(true);
  await lists.close();
  return { first, another: () => service(false) };
};

const caughtUp = async (service: RunningService): Promise<number> => {
  for (;;) {
    const { demo } = service.progress();
    if (demo?.state === "following" && demo.lag_blocks === 0 && demo.indexed !== null) return demo.indexed;
    await sleep(25);
  }
};

const keyOf = async ({ accounts }: RunningService) => {
  const account = await accounts.accounts.create({ name: "Mixed", plan: "wide" });
  const { secret } = await accounts.keys.create({ account_id: account.id, scopes: ["api:call"], limit: null });
  return { account, secret };
};

/** Sends the same calls, at a block that both have, to the old and the new service. */
const compare = async (warm: MixedTarget, cold: MixedTarget, as_of_block: number): Promise<readonly string[]> => {
  const draw = diceOf(7);
  const other: string[] = [];
  for (let compared = 0; compared < COMPARED; ) {
    const { tool, args } = drawCall(draw);
    if (!("as_of_block" in tool.input.shape)) continue;
    const call = { tool, args: { ...args, as_of_block } };
    const [one, two] = [await post(warm, call), await post(cold, call)].map(({ text }) => text.replace(LOOKED_AT, ""));
    if (one !== two) other.push(`${tool.name} ${JSON.stringify(call.args)}`);
    compared += 1;
  }
  return other;
};

const run = async (data_dir: string, closers: (() => Promise<unknown>)[]): Promise<void> => {
  const today = Math.floor(Date.now() / 1_000 / DAY_S) * DAY_S;
  const world = await startWorld({ placement: "demo", t0: today - STORY_DAYS * DAY_S });
  closers.push(() => world.stop());
  const site = await startSite();
  closers.push(() => site.close());
  const { first, another } = await serve(data_dir, world, site);
  closers.push(() => first.close());
  await caughtUp(first);
  await catchUp(world.rpc, Math.floor(Date.now() / 1_000));
  const stop = new AbortController();
  const alive = heartbeat({ rpc: world.rpc, interval_ms: Number(values.block), signal: stop.signal });
  closers.push(async () => {
    stop.abort();
    await alive;
  });
  const { account, secret } = await keyOf(first);
  const warm = { url: String(first.url), secret };
  const all: MixedReport[] = [];
  let capacity = 0;
  await startCallers(warm, ["--seconds", "20"], (told) => {
    all.push(told);
    capacity += told.calls / 20;
  });
  const rate = (capacity * Number(values.share)) / 100;
  printLine(
    `${capacity.toFixed(1)} calls a second by ${CALLERS} callers without a pause; now ${rate.toFixed(1)} a second (${loadText()})\n`,
  );
  printLine("| minute | block | calls | p50 ms | p99 ms | service MB | engine MB |\n|---|---|---|---|---|---|---|");
  const seconds = Number(values.minutes) * 60;
  let minute = 0;
  await startCallers(warm, ["--seconds", String(seconds), "--rate", String(rate)], (told) => {
    all.push(told);
    minute += 1;
    const memory = [residentMb(process.pid), residentMb(enginePid(join(data_dir, "facts")))].map((mb) => mb.toFixed(0));
    const times = [told.p50, told.p99].map((ms) => ms.toFixed(1));
    printLine(`| ${[minute, first.progress().demo?.indexed, told.calls, ...times, ...memory].join(" | ")} |`);
  });
  const odd = all.flatMap((told) => told.odd);
  printLine(
    `\nno answers: ${odd.length}${odd
      .slice(0, 5)
      .map((text) => `\n  ${text}`)
      .join("")}`,
  );
  const block = await caughtUp(first);
  const cold = await another();
  closers.push(() => cold.close());
  const used = async (): Promise<number> => (await first.accounts.accounts.show(account.id)).credits_used;
  const told = all.reduce((sum, { credits }) => sum + credits, 0);
  mustEqual("credits used", await used(), told);
  const other = await compare(warm, { url: String(cold.url), secret }, block);
  printLine(
    `${COMPARED} answers at block ${block} beside those of a service that has just begun: ${other.length} are others`,
  );
  for (const text of other) printLine(`  ${text}`);
  mustEqual("broken invariants", await first.accounts.ledger.verify(), []);
  const calls = all.reduce((sum, one) => sum + one.calls, 0);
  printLine(`${calls} calls, ${told} credits, as the ledger has them. ${loadText()}`);
};

if (values.url !== undefined && values.secret !== undefined)
  await callAll({ url: values.url, secret: values.secret }, Number(values.rate));
else {
  const data_dir = mkdtempSync(join(tmpdir(), "assay-bench-mixed-"));
  const closers: (() => Promise<unknown>)[] = [];
  try {
    await run(data_dir, closers);
  } finally {
    for (const close of closers.reverse()) await close();
    rmSync(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
