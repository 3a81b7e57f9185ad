/** Calls tools in process, without the surfaces, and measures many calls. */
import type { Chain } from "../src/chains/chain.ts";
import type { Outcome } from "../src/lib/outcome.ts";
import { bindArguments, servedBy } from "../src/surfaces/call/arguments/bind.ts";
import type { ContextFor } from "../src/surfaces/call/call_tool.ts";
import { runOnConsistentFacts } from "../src/surfaces/call/consistent_run.ts";
import { tools } from "../src/tools/index.ts";
import { engineSeconds } from "./questions.ts";

export type CallArguments = Readonly<Record<string, unknown>>;

export interface Times {
  readonly p50: number;
  readonly p99: number;
}

export const timesOf = (all: readonly number[]): Times => {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
};

/** One warming run, then `rounds` measured ones. Returns the last result. */
export const timed = async <T>(
  rounds: number,
  run: () => Promise<T>,
): Promise<{ readonly times: Times; readonly result: T }> => {
  let result = await run();
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    result = await run();
    all.push(performance.now() - from);
  }
  return { times: timesOf(all), result };
};

/** The product's own default. */
const CALL_MS_MAX = 30_000;

export interface CallTarget {
  readonly chains: readonly Chain[];
  readonly contextFor: ContextFor;
  /** The current time for binding dates, unix milliseconds. */
  readonly now_ms: number;
  /** Most time of a call; the product's own default if omitted. */
  readonly ms_max?: number;
}

/**
 * One call of a tool, after binding.
 * @throws Error if the arguments are rejected
 */
export const callTool = async (place: CallTarget, name: string, args: CallArguments): Promise<Outcome<unknown>> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const bound = bindArguments(tool, args, { chains: servedBy(tool, place.chains), now_ms: place.now_ms });
  if (bound.kind === "refused") throw new Error(`${name}: ${bound.detail}`);
  const fresh = () => place.contextFor(tool, AbortSignal.timeout(place.ms_max ?? CALL_MS_MAX));
  return (await runOnConsistentFacts(tool, bound.asked, fresh)).outcome;
};

/**
 * `callTool`, if data is expected.
 * @throws Error with any other outcome
 */
export const callForData = async (place: CallTarget, name: string, args: CallArguments): Promise<unknown> => {
  const outcome = await callTool(place, name, args);
  if (outcome.kind !== "data") throw new Error(`${name}: ${JSON.stringify(outcome).slice(0, 1_000)}`);
  return outcome.data;
};

/** CPU seconds of this process and of the engine that serves `facts_dir`. */
export const cpuSeconds = (facts_dir: string): number => {
  const { user, system } = process.cpuUsage();
  return engineSeconds(facts_dir) + (user + system) / 1e6;
};
