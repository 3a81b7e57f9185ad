/**
 * Time of every tool on the demo world with many more transfers: the example of its card, and wallets and tokens of
 * different sizes. In process, without the surfaces; the cases of a tool take turns. Counts of some answers are
 * compared with a naive reading of the transfers.
 *   node dist/bench/tools_at_scale.js [--transfers 10000000] [--rounds 10] [--seconds 15] [--only get_token_flows,get_wallet_pnl]
 *     [--data FOLDER] [--questions]
 * `seconds`: no further round of a tool begins after that. `data`: folder of the facts; existing facts are reused.
 * `questions`: each case is called once more, and the queries that cost most are listed.
 */
import { parseArgs } from "node:util";
import { AssayError } from "../src/lib/errors.ts";
import type { RunningService } from "../src/main.ts";
import { tools } from "../src/tools/index.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import { BULK_WALLETS } from "./blown_up.ts";
import { openBlownUp } from "./blown_up_setup.ts";
import { type CallArguments, type CallTarget, callTool, cpuSeconds, timesOf } from "./calls.ts";
import { type BenchCase, casesOf } from "./cases.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { countQuestions, forgetConditions, type QueryFigures } from "./questions.ts";

const { values } = parseArgs({
  options: {
    transfers: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "10" },
    seconds: { type: "string", default: "15" },
    only: { type: "string", default: "" },
    data: { type: "string", default: "" },
    questions: { type: "boolean", default: false },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
interface TimedCase extends BenchCase {
  readonly ms: number[];
  outcome: string;
}

interface ToolTimes {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
}

/** `data`, `no_data`, or the error code. Rejected arguments end the program. */
const outcomeOf = async (place: CallTarget, tool: AnyTool, args: CallArguments): Promise<string> => {
  try {
    const outcome = await callTool(place, tool.name, args);
    return outcome.kind === "error" ? outcome.code : outcome.kind;
  } catch (error) {
    if (error instanceof AssayError) return error.code;
    if (error instanceof DOMException) return error.name;
    throw error;
  }
};

const runAll = async (place: CallTarget, tool: AnyTool, cases: readonly TimedCase[]): Promise<void> => {
  for (const one of cases) {
    const from = performance.now();
    one.outcome = await outcomeOf(place, tool, one.args);
    one.ms.push(performance.now() - from);
  }
};

const whole = (value: number): string => Math.round(value).toString();

interface ScaleSetup {
  readonly place: CallTarget;
  readonly service: RunningService;
  readonly facts_dir: string;
}

const QUESTIONS_NAMED = 8;

/** Each case once more, by its queries: their number and the rows read, on average of a call. */
const questionsOf = async (
  { place, service, facts_dir }: ScaleSetup,
  tool: AnyTool,
): Promise<readonly [string, string]> => {
  const all: QueryFigures[] = [];
  const cases = casesOf(tool);
  for (const { of, args } of cases) {
    const counted = [service.facts.engine, facts_dir] as const;
    const questions = await countQuestions(counted, () => outcomeOf(place, tool, args));
    all.push(...questions);
    if (!values.questions) continue;
    const rows = questions.reduce((sum, { rows_read }) => sum + rows_read, 0);
    const cpu = questions.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0);
    printLine(`${tool.name} of ${of}: ${questions.length} questions, ${rows} rows, ${cpu} ms CPU of the engine`);
    for (const { says, rows_read, cpu_ms } of questions
      .toSorted((x, y) => y.cpu_ms - x.cpu_ms)
      .slice(0, QUESTIONS_NAMED))
      printLine(`  ${cpu_ms} ms, ${rows_read} rows: ${says.slice(0, 110)}`);
  }
  const rows = all.reduce((sum, { rows_read }) => sum + rows_read, 0);
  return [whole(all.length / cases.length), whole(rows / cases.length)];
};

const measureTool = async (where: ScaleSetup, tool: AnyTool): Promise<ToolTimes> => {
  const { place, facts_dir } = where;
  const cases = casesOf(tool).map((one): TimedCase => ({ ...one, ms: [], outcome: "" }));
  await runAll(place, tool, cases);
  // The examples must succeed: the run continues, and ends as failed.
  if (cases[0]?.outcome !== "data") process.exitCode = 1;
  const first = Math.max(...cases.flatMap(({ ms }) => ms.splice(0)));
  const [cpu_from, from] = [cpuSeconds(facts_dir), performance.now()];
  let rounds = 0;
  for (; rounds < ROUNDS && (rounds === 0 || performance.now() - from < SECONDS * 1000); rounds += 1)
    await runAll(place, tool, cases);
  const calls = rounds * cases.length;
  const cpu = ((cpuSeconds(facts_dir) - cpu_from) * 1000) / calls;
  const times = timesOf(cases.flatMap(({ ms }) => ms));
  // A failed call is no measurement: outcomes other than data are named.
  const each = cases.map(
    ({ of, outcome, ms }) => `${of}${outcome === "data" ? "" : ` (${outcome})`} ${whole(timesOf(ms).p50)}`,
  );
  const load = loadText().slice(5);
  const asked = await questionsOf(where, tool);
  const figures = [whole(first), whole(times.p50), whole(times.p99), whole(cpu), ...asked];
  printLine(`| ${[tool.name, calls, ...figures, each.join(", "), load].join(" | ")} |`);
  return { name: tool.name, ...times };
};

const range = (wallet: string, at: string): string =>
  `(source = unhex('${wallet}') OR destination = unhex('${wallet}')) AND network = 'demo' AND ${at}`;

/** Compares counts of answers about the generated wallets with a naive reading of the record. */
const checkCounts = async (place: CallTarget, service: RunningService): Promise<void> => {
  const dates = { network: "demo", from_date: "2020-01-01", to_date: "2026-10-31", include_spam: true };
  const count = async (sql: string): Promise<number> => Number((await service.facts.engine.query(sql))[0]?.[0]);
  for (const [name, wallet] of Object.entries(BULK_WALLETS)) {
    const outcome = await callTool(place, "get_wallet_counterparties", { ...dates, address: `0x${wallet}` });
    if (outcome.kind !== "data") throw new Error(`counterparties of ${name}: ${JSON.stringify(outcome)}`);
    // The tool's output schema says so.
    const { summary } = outcome.data as { readonly summary: { readonly counterparty_count: number } };
    const peers = `if(source = unhex('${wallet}'), destination, source)`;
    const naive = await count(
      `SELECT uniqExact(${peers}) FROM transfers WHERE ${range(wallet, "source != destination AND kind NOT IN ('fee', 'tip')")}`,
    );
    mustEqual(`counterparties of ${name}`, summary.counterparty_count, naive);
    const rows = await count(`SELECT count() FROM transfers WHERE ${range(wallet, "1")}`);
    printLine(`${name}: ${rows} transfers, ${naive} counterparties, as the record says`);
  }
};

const stage = await openBlownUp({ transfers: Number(values.transfers), data: values.data, has_recent: false });
try {
  const { place, service, facts_dir, added } = stage;
  printLine(`${added.transfers} transfers beside the story's, added in ${added.seconds} s (${loadText()})`);
  forgetConditions(service.facts.engine);
  await checkCounts(place, service);

  printLine(
    "| tool | calls | slowest first call, ms | p50 | p99 | CPU ms a call | questions | rows read | p50 of each case | load |",
  );
  printLine("|---|---|---|---|---|---|---|---|---|---|");
  const found: ToolTimes[] = [];
  const where: ScaleSetup = { place, service, facts_dir };
  const only = values.only.split(",");
  for (const tool of tools.filter(({ name }) => only.some((part) => name.includes(part))))
    found.push(await measureTool(where, tool));
  const slowest = found.toSorted((a, b) => b.p99 - a.p99)[0];
  if (slowest !== undefined) printLine(`slowest: ${slowest.name}, p99 ${Math.round(slowest.p99)} ms`);
} finally {
  await stage.close();
}
