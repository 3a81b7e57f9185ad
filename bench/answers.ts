/**
 * Cost of answers: every tool on the demo world and on the same world with many more transfers, for one caller and for
 * many at once. In process, without the surfaces; processor time of the engine and of this process apart.
 *   node dist/bench/answers.js [--transfers 0,10000000] [--callers 1,16] [--rounds 30] [--seconds 15] [--only get_token_info]
 *     [--data FOLDER] [--first]
 * `rounds`: of every caller, over the cases of a tool; none begins after `seconds`. `data`: folder of the facts, with a
 * folder in it for each size; existing facts are reused. `first`: each call is the first one at its block
 * (docs/design/queries.md); without it, a repeated one. Each row ends with a hash of all first answers: releases with
 * equal answers have equal hashes.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AssayError } from "../src/lib/errors.ts";
import { tools } from "../src/tools/index.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import { type BlownUp, openBlownUp } from "./blown_up_setup.ts";
import { callTool, timesOf } from "./calls.ts";
import { type BenchCase, casesOf } from "./cases.ts";
import { loadText, printLine } from "./figures.ts";
import { countQuestions, engineSeconds } from "./questions.ts";

const { values } = parseArgs({
  options: {
    transfers: { type: "string", default: "0,10000000" },
    callers: { type: "string", default: "1,16" },
    rounds: { type: "string", default: "30" },
    seconds: { type: "string", default: "15" },
    only: { type: "string", default: "" },
    data: { type: "string", default: "" },
    first: { type: "boolean", default: false },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
/** A shared machine must not turn a slow answer into none. */
const CALL_MS_MAX = 120_000;

/** The example of the card; on an enlarged store also a wallet of a thousand rows, if the tool takes a wallet. */
const exampleCases = (tool: AnyTool, transfers: number): readonly BenchCase[] =>
  casesOf(tool).filter(({ of }) => of === "example" || (of === "small" && transfers > 0));

/** The answer as sent, or the error code. */
const answerOf = async ({ place }: BlownUp, tool: AnyTool, { args }: BenchCase): Promise<string> => {
  try {
    const outcome = await callTool(place, tool.name, args);
    if (outcome.kind === "error") return outcome.code;
    return JSON.stringify(outcome);
  } catch (error) {
    if (error instanceof AssayError) return error.code;
    throw error;
  }
};

interface AnswerTimes {
  readonly ms: readonly number[];
  readonly seconds: number;
  readonly engine_s: number;
  readonly own_s: number;
}

/** `callers` at once, each with the cases one after the other. */
const measure = async (stage: BlownUp, tool: AnyTool, [cases, callers]: readonly [readonly BenchCase[], number]) => {
  const ms: number[] = [];
  const [from, engine_from, own_from] = [performance.now(), engineSeconds(stage.facts_dir), process.cpuUsage()];
  const isLate = (): boolean => performance.now() - from > SECONDS * 1000;
  const caller = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS && (round === 0 || !isLate()); round += 1) {
      for (const one of cases) {
        const begun = performance.now();
        await answerOf(stage, tool, one);
        ms.push(performance.now() - begun);
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const { user, system } = process.cpuUsage(own_from);
  const measured: AnswerTimes = {
    ms,
    seconds: (performance.now() - from) / 1000,
    engine_s: engineSeconds(stage.facts_dir) - engine_from,
    own_s: (user + system) / 1e6,
  };
  return measured;
};

const rowOf = (columns: readonly (string | number)[]): string => `| ${columns.join(" | ")} |`;

const measureTool = async (stage: BlownUp, tool: AnyTool, transfers: number): Promise<void> => {
  const cases = exampleCases(tool, transfers);
  const first = performance.now();
  const answers: string[] = [];
  for (const one of cases) answers.push(await answerOf(stage, tool, one));
  const first_ms = ((performance.now() - first) / cases.length).toFixed(0);
  // The examples must succeed: the run continues, and ends as failed.
  const is_answered = answers.every((answer) => answer.startsWith("{"));
  if (!is_answered) process.exitCode = 1;
  const hash = createHash("sha256").update(answers.join("\n")).digest("hex").slice(0, 8);
  const counted = [stage.service.facts.engine, stage.facts_dir] as const;
  const questions = await countQuestions(counted, async () => {
    for (const one of cases) await answerOf(stage, tool, one);
  });
  const rows = questions.reduce((sum, { rows_read }) => sum + rows_read, 0) / cases.length;
  const asked = [(questions.length / cases.length).toFixed(0), rows.toFixed(0)];
  for (const callers of values.callers.split(",").map(Number)) {
    const { ms, seconds, engine_s, own_s } = await measure(stage, tool, [cases, callers]);
    const { p50, p99 } = timesOf(ms);
    const times = [first_ms, p50.toFixed(1), p99.toFixed(1), (ms.length / seconds).toFixed(1)];
    const cpu = [engine_s, own_s].map((one) => ((one * 1000) / ms.length).toFixed(1));
    const outcome = is_answered ? hash : answers.join(" ").slice(0, 60);
    printLine(
      rowOf([tool.name, transfers, callers, ms.length, ...times, ...cpu, ...asked, outcome, loadText().slice(5)]),
    );
  }
};

printLine(
  rowOf([
    ...["tool", "transfers added", "callers", "calls", "first ms", "p50 ms", "p99 ms", "calls a second"],
    ...["engine CPU ms a call", "own CPU ms a call", "questions a call", "rows read a call", "answers", "load"],
  ]),
);
printLine(`|${"---|".repeat(14)}`);
for (const transfers of values.transfers.split(",").map(Number)) {
  const data = values.data === "" ? "" : join(values.data, String(transfers));
  const opened = await openBlownUp({ transfers, data, has_recent: !values.first });
  const stage = { ...opened, place: { ...opened.place, ms_max: CALL_MS_MAX } };
  try {
    for (const tool of tools.filter(({ name }) => name.includes(values.only)))
      await measureTool(stage, tool, transfers);
  } finally {
    await stage.close();
  }
}
