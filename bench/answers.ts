// How long the tools take to answer on the demo world, and which questions they ask meanwhile. In process, without the surfaces.
// node dist/bench/answers.js [--rounds 30] [--trace] [--only get_token_info]

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openChain } from "../src/chains/families.ts";
import { demoNetwork } from "../src/commands/demo.ts";
import { settings } from "../src/config/settings.ts";
import { ADDRESSES, DEMO_CONTRACTS } from "../src/demo/evm/characters.ts";
import { startSite } from "../src/demo/evm/site.ts";
import { startWorld } from "../src/demo/evm/world.ts";
import type { CallContext } from "../src/domain/context.ts";
import { silentLog } from "../src/lib/log.ts";
import { openService, type Service } from "../src/main.ts";
import { runOnSteadyFacts } from "../src/surfaces/attempt.ts";
import { bindArguments } from "../src/surfaces/bind.ts";
import { tools } from "../src/tools/index.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import { operatorOf } from "../src/wiring/operators.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "30" },
    trace: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const ROUNDS = Number(values.rounds);
/** A midnight long ago, as in the tests: the story is the same at every one. */
const T0 = Date.UTC(2026, 7, 1) / 1000;
const CATCH_UP_MS = 120_000;

type Case = readonly [tool: string, of: string, args: Readonly<Record<string, unknown>>];

const CASES: readonly Case[] = [
  ["get_wallet_token_holdings", "alice", { wallet_address: ADDRESSES.alice, network: "demo" }],
  ["get_wallet_token_holdings", "nina", { wallet_address: ADDRESSES.nina, network: "demo" }],
  ["get_wallet_portfolio_breakdown", "alice", { wallet_address: ADDRESSES.alice, network: "demo" }],
  ["get_wallet_transactions", "alice", { address: ADDRESSES.alice, network: "demo" }],
  ["get_wallet_transactions", "heidi", { address: ADDRESSES.heidi, network: "demo" }],
  ["get_wallet_transactions", "nina", { address: ADDRESSES.nina, network: "demo" }],
  ["get_token_info", "usdc", { token_address: DEMO_CONTRACTS.usdc, network: "demo" }],
  ["get_token_info", "juniper", { token_address: DEMO_CONTRACTS.juniper, network: "demo" }],
  ["resolve_token_symbol", "USDC", { symbol: "USDC", network: "demo" }],
  ["get_token_holders_traders", "harbor", { token_address: DEMO_CONTRACTS.harbor, network: "demo" }],
  ["get_wallet_pnl", "alice", { address: ADDRESSES.alice, network: "demo" }],
  ["get_wallet_account_meta", "alice", { address: ADDRESSES.alice, network: "demo" }],
  ["get_wallet_deployed_contracts", "dave", { address: ADDRESSES.dave, network: "demo" }],
  ["analyze_token_website", "lantern", { token_address: DEMO_CONTRACTS.lantern, network: "demo" }],
  ["get_contract_source_code", "usdc", { contract_address: DEMO_CONTRACTS.usdc, network: "demo" }],
  ["get_contract_creation", "usdc", { contract_address: DEMO_CONTRACTS.usdc, network: "demo" }],
  ["resolve_ens", "alice", { ens_name: "alice.eth" }],
];

/** A question of the store or of the node, in milliseconds since the call began. */
interface Question {
  readonly name: string;
  readonly from_ms: number;
  readonly to_ms: number;
}

/** `inner`, with every asynchronous method writing down when it ran. */
const watched = <T extends object>(inner: T, note: (question: Question) => void, prefix = ""): T =>
  new Proxy(inner, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      if (key === "withSignal") return (signal: AbortSignal) => watched(member.call(target, signal), note, prefix);
      return (...args: unknown[]): unknown => {
        const from_ms = performance.now();
        const result: unknown = member.apply(target, args);
        if (!(result instanceof Promise)) return result;
        const name = key === "ask" || key === "columns" ? String(args[1]) : `${prefix}${String(key)}`;
        const done = () => note({ name, from_ms, to_ms: performance.now() });
        result.then(done, done);
        return result;
      };
    },
  });

/** Questions that had to wait for one another, at least: the longest chain. */
const depthOf = (questions: readonly Question[]): number => {
  const depths: { to_ms: number; depth: number }[] = [];
  for (const { from_ms, to_ms } of [...questions].sort((a, b) => a.from_ms - b.from_ms)) {
    const before = depths.filter((one) => one.to_ms <= from_ms).map(({ depth }) => depth);
    depths.push({ to_ms, depth: 1 + Math.max(0, ...before) });
  }
  return Math.max(0, ...depths.map(({ depth }) => depth));
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

const caughtUp = async (service: Service): Promise<void> => {
  for (const until = Date.now() + CATCH_UP_MS; Date.now() < until; await sleep(50)) {
    const { networks } = await service.status();
    if (Object.values(networks).every(({ state, lag_blocks }) => state === "following" && lag_blocks === 0)) return;
  }
  throw new Error(`the demo was not indexed in ${CATCH_UP_MS} ms`);
};

const world = await startWorld({ placement: "demo", t0: T0 });
const site = await startSite();
const data_dir = await mkdtemp(join(tmpdir(), "assay-bench-"));
const enabled = demoNetwork(world);
const chosen = settings.parse({ listen: "127.0.0.1:0" });
/** As in the demo: its own site may be asked, and its contracts are verified sources. */
const operator = operatorOf(chosen, { networks: [enabled], own_origins: site.own_origins });
const service = await openService({
  settings: chosen,
  data_dir,
  networks: [enabled],
  surfaces: false,
  indexing: true,
  once: false,
  log: silentLog,
  examples: {},
});
const stop = new AbortController();
const chain = await openChain(enabled.network, { rpc: enabled.rpc, log: silentLog }, stop.signal);

/** Milliseconds of processor time that the engine has used (proc(5): user and system, in hundredths of a second). */
const engineCpuMs = (): number => {
  // Written by the engine: attach.ts reads the same file.
  const { pid } = JSON.parse(readFileSync(join(data_dir, "facts", "engine.json"), "utf8")) as { pid: number };
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const callOnce = async (tool: AnyTool, args: Readonly<Record<string, unknown>>) => {
  const questions: Question[] = [];
  const note = (question: Question) => questions.push(question);
  const signal = AbortSignal.timeout(60_000);
  const context = (): CallContext => ({
    facts: watched(service.facts.served.withSignal(signal), note),
    chain: () => watched(chain, note, "node:"),
    networks: ["demo"],
    operator,
    signal,
  });
  const bound = bindArguments(tool, args, { chains: [chain], now_ms: Date.now() });
  if (bound.kind === "refused") throw new Error(`${tool.name}: ${bound.detail}`);
  const from_ms = performance.now();
  const { outcome } = await runOnSteadyFacts(tool, bound.asked, context);
  const ms = performance.now() - from_ms;
  if (outcome.kind !== "data") throw new Error(`${tool.name}: ${JSON.stringify(outcome)}`);
  const since = questions.map((one) => ({ ...one, from_ms: one.from_ms - from_ms, to_ms: one.to_ms - from_ms }));
  return { ms, questions: since };
};

const show = (questions: readonly Question[]): void => {
  for (const { name, from_ms, to_ms } of [...questions].sort((a, b) => a.from_ms - b.from_ms)) {
    console.log(`    ${from_ms.toFixed(1).padStart(6)} +${(to_ms - from_ms).toFixed(1).padStart(5)} ms  ${name}`);
  }
};

const measure = async ([name, of, args]: Case): Promise<void> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const cold = await callOnce(tool, args);
  const cpu_from = engineCpuMs();
  const warm: Awaited<ReturnType<typeof callOnce>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) warm.push(await callOnce(tool, args));
  const cpu = (engineCpuMs() - cpu_from) / ROUNDS;
  warm.sort((a, b) => a.ms - b.ms);
  const sorted = warm.map(({ ms }) => ms);
  const median = warm[Math.floor(warm.length / 2)]?.questions ?? [];
  const ms = (value: number) => value.toFixed(1).padStart(8);
  console.log(
    `| ${`${name} (${of})`.padEnd(38)} |${ms(cold.ms)} |${ms(quantile(sorted, 0.5))} |${ms(quantile(sorted, 0.99))} |${ms(cpu)} |${String(median.length).padStart(5)} |${String(depthOf(median)).padStart(5)} |`,
  );
  if (values.trace) show(median);
};

try {
  await caughtUp(service);
  console.log(
    "| tool | first ms | p50 ms | p99 ms | engine cpu ms | questions | one after another |\n|---|---|---|---|---|---|---|",
  );
  for (const one of CASES.filter(([name]) => name.includes(values.only))) await measure(one);
} finally {
  stop.abort();
  await chain.close();
  await service.close();
  await site.close();
  await world.stop();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
