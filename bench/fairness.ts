/**
 * Checks that one account cannot starve another, on one real service over HTTP: `node dist/bench/fairness.js [--engine
 * sqlite|postgres] [--only halves,overload] [--seconds 60] [--clients 1000] [--slots 256] [--deadline 30000] [--work
 * 200] [--halves 1000] [--calls 2000] [--rounds 3] [--seed 1]`. `halves`: another account's cheap calls with and
 * without half-sent bodies beside them, in turn. `overload`: clients that call again at once. Ends with code 1 if an
 * answer was overdue, a late one was charged, ledger and callers disagree, or a caller was starved.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startProgram } from "../src/accounts/testing/process.ts";
import { compareHalves } from "./fairness/halves.ts";
import { type OverloadReport, runOverload } from "./fairness/run.ts";
import type { EngineName } from "./faults/setup.ts";
import { loadText, printLine } from "./figures.ts";

const SERVICE = fileURLToPath(new URL("./faults/quick_instance.js", import.meta.url));
const SHOWN_MAX = 20;
/** Most times its baseline that a p99 may be. */
const RATIO_MAX = 2;

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "sqlite" },
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "60" },
    clients: { type: "string", default: "1000" },
    slots: { type: "string", default: "256" },
    deadline: { type: "string", default: "30000" },
    work: { type: "string", default: "200" },
    halves: { type: "string", default: "1000" },
    calls: { type: "string", default: "2000" },
    rounds: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
  },
});
if (values.engine !== "sqlite" && values.engine !== "postgres") throw new Error("--engine is sqlite or postgres");
const engine: EngineName = values.engine;
const wanted = values.only === "" ? ["halves", "overload"] : values.only.split(",");
const start = (settings: string) => startProgram(SERVICE, [settings]);

const halves = async (): Promise<boolean> => {
  const found = await compareHalves({
    engine,
    start,
    halves: Number(values.halves),
    calls: Number(values.calls),
    rounds: Number(values.rounds),
  });
  printLine("| beside half-sent bodies | calls | not 200 | p50 ms | p99 ms | |\n|---|---|---|---|---|---|");
  for (const { bodies, calls, failed, p50, p99 } of found.sides)
    printLine(`| ${bodies} | ${calls} | ${failed} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${loadText()} |`);
  printLine(`p99 beside them over p99 without, by round: ${found.ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
  const is_fair = Math.min(...found.ratios) <= RATIO_MAX;
  return is_fair && found.sides.every(({ failed }) => failed === 0);
};

const rowsOf = (report: OverloadReport): readonly (readonly [string, unknown])[] => [
  [
    "engine, clients, slots, deadline ms, seed",
    [engine, values.clients, values.slots, values.deadline, values.seed].join(", "),
  ],
  ["seconds", report.seconds.toFixed(0)],
  ["wanted, in parts of what the service can do", report.load.toFixed(1)],
  ...Object.entries(report.ends).map(([end, count]) => [`attempts ${end}`, count] as const),
  ...Object.entries(report.charges).map(([state, count]) => [`charges ${state}`, count] as const),
  ["longest wait of a client, ms", report.longest_ms.toFixed(0)],
  ["answers beyond deadline + 2 s", report.overdue],
  ["longest in the service, ms", report.seen.longest_ms.toFixed(0)],
  [
    "charged answers, of those handed over late, not taken at once",
    [report.seen.charged, report.seen.charged_late, report.seen.charged_unwritten].join(", "),
  ],
  [
    "calls of the modest account, served, kept out by others",
    [report.modest.asked, report.modest.served, report.modest.crowded_out].join(", "),
  ],
  ["broken invariants", report.violations.length],
  ["histories that the ledger does not explain", report.unexplained.length],
  ["answers that no working service gives", report.odd.length],
];

const overload = async (): Promise<boolean> => {
  const report = await runOverload({
    engine,
    start,
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    clients: Number(values.clients),
    slots: Number(values.slots),
    deadline_ms: Number(values.deadline),
    work_ms: Number(values.work),
  });
  printLine(
    `| what | found |\n|---|---|\n${rowsOf(report)
      .map(([name, found]) => `| ${name} | ${found} |`)
      .join("\n")}`,
  );
  printLine(loadText());
  for (const violation of report.violations) printLine(JSON.stringify(violation).slice(0, 2_000));
  for (const line of [...report.unexplained, ...report.odd].slice(0, SHOWN_MAX)) printLine(line);
  const faults = report.violations.length + report.unexplained.length + report.odd.length + report.overdue;
  return faults + report.seen.charged_late + report.modest.crowded_out === 0;
};

const kept: boolean[] = [];
if (wanted.includes("halves")) kept.push(await halves());
if (wanted.includes("overload")) kept.push(await overload());
process.exitCode = kept.length > 0 && kept.every((one) => one) ? 0 : 1;
