/**
 * Answers of the wallet tools about an exchange: a wallet with so many rows that no answer reads all of them. Calls
 * each tool `calls` times, in process, with the deadline of the product, and measures the turns of the event loop
 * meanwhile.
 *   node dist/bench/exchange_wallet.js [--rows 5000000] [--transfers 0] [--only get_wallet_pnl] [--data FOLDER]
 *     [--wallet HEX] [--deadline 30] [--calls 2]
 * `deadline`: seconds that a call may take; the product's own if omitted. `data`: folder of the facts; existing facts
 * are reused.
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { AssayError } from "../src/lib/errors.ts";
import { tools } from "../src/tools/index.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import { EXCHANGE } from "./blown_up.ts";
import { type BlownUp, openBlownUp } from "./blown_up_setup.ts";
import { type CallArguments, callTool, timesOf } from "./calls.ts";
import { loadText, printLine } from "./figures.ts";
import { enginePid, peakMb } from "./memory.ts";
import { engineSeconds } from "./questions.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "5000000" },
    transfers: { type: "string", default: "0" },
    only: { type: "string", default: "" },
    wallet: { type: "string", default: EXCHANGE },
    data: { type: "string", default: "" },
    deadline: { type: "string", default: "30" },
    calls: { type: "string", default: "2" },
  },
});

const FIELDS = ["wallet_address", "address"] as const;

const argumentsOf = ({ input, example }: AnyTool): CallArguments | null => {
  const field = FIELDS.find((name) => name in input.shape);
  return field === undefined ? null : { ...example, network: "demo", [field]: `0x${values.wallet}` };
};

interface WalletResult {
  readonly outcome: string;
  /** Of the whole answer: releases with equal answers have equal hashes. */
  readonly hash: string;
}

/** Warnings of an answer, or the error of a call without one. */
const describeAnswer = async ({ place }: BlownUp, name: string, args: CallArguments): Promise<WalletResult> => {
  const without = (outcome: string): WalletResult => ({ outcome, hash: "" });
  try {
    const outcome = await callTool(place, name, args);
    if (outcome.kind === "error") return without(`error ${outcome.code}`);
    if (outcome.kind !== "data") return without(outcome.kind);
    // Every answer has metadata (tools/tool.ts).
    const { metadata } = outcome.data as { readonly metadata?: { readonly warnings: readonly { code: string }[] } };
    const hash = createHash("sha256").update(JSON.stringify(outcome.data)).digest("hex").slice(0, 8);
    return { outcome: ["data", ...new Set(metadata?.warnings.map(({ code }) => code))].join(" "), hash };
  } catch (error) {
    if (error instanceof AssayError) return without(`error ${error.code}: ${error.message.slice(0, 200)}`);
    if (error instanceof DOMException) return without(`error ${error.name}`);
    throw error;
  }
};

const TICK_MS = 1;

/**
 * Processor time between two ticks of a timer: on a busy machine its delay measures other processes, this measures our
 * own.
 */
const watchTurns = () => {
  const spent: number[] = [];
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    spent.push((user + system) / 1000);
  }, TICK_MS);
  return {
    /** The 99th percentile and the maximum, milliseconds. */
    end: (): readonly string[] => {
      clearInterval(timer);
      return [timesOf(spent).p99, Math.max(0, ...spent)].map((ms) => ms.toFixed(0));
    },
  };
};

const callRepeatedly = async (stage: BlownUp, tool: AnyTool, args: CallArguments): Promise<void> => {
  for (let nth = 0; nth < Number(values.calls); nth += 1) {
    const [from, engine_from, own_from] = [performance.now(), engineSeconds(stage.facts_dir), process.cpuUsage()];
    const turns = watchTurns();
    const { outcome, hash } = await describeAnswer(stage, tool.name, args);
    const busiest_ms = turns.end();
    const { user, system } = process.cpuUsage(own_from);
    const engine_s = engineSeconds(stage.facts_dir) - engine_from;
    const seconds = [(performance.now() - from) / 1000, engine_s, (user + system) / 1e6].map((one) => one.toFixed(2));
    const place = [hash, peakMb("self").toFixed(0), loadText().slice(5)];
    printLine(`| ${[tool.name, outcome, ...seconds, ...busiest_ms, ...place].join(" | ")} |`);
  }
};

const opened = await openBlownUp({
  transfers: Number(values.transfers),
  exchange_rows: Number(values.rows),
  data: values.data,
  has_recent: true,
});
const stage = { ...opened, place: { ...opened.place, ms_max: Number(values.deadline) * 1000 } };
try {
  printLine(
    `${stage.added.transfers} transfers beside the story's, added in ${stage.added.seconds} s (${loadText()})\n`,
  );
  printLine(
    "| tool | outcome | s | engine CPU s | own CPU s | CPU ms between two turns of the loop, p99 | most | answer | peak MB | load |",
  );
  printLine(`|${"---|".repeat(10)}`);
  for (const tool of tools.filter(({ name }) => name.includes(values.only))) {
    const args = argumentsOf(tool);
    if (args !== null) await callRepeatedly(stage, tool, args);
  }
  const pid = enginePid(stage.facts_dir);
  printLine(`\nengine: peak ${peakMb(pid).toFixed(0)} MB`);
} finally {
  await stage.close();
}
