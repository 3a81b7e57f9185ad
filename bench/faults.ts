/**
 * The accounts under fire: `node dist/bench/faults.js [--engine sqlite|postgres] [--seconds 600] [--charges 1000000]
 * [--clients 24] [--customers 6] [--seed 1] [--faults "kill -9 of a service,full disk"] [--pause 1000] [--loud]`. With
 * `--charges` faults strike until callers know of that many charges, however long it takes. Two real services on one
 * store, clients that record every answer, and faults in an order that the seed draws. Ends with code 1 if an invariant
 * is broken or an answer contradicts the ledger. As root on Linux the store is on a disk of its own that can be full.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startProgram } from "../src/accounts/testing/process.ts";
import { type FaultReport, runFaults } from "./faults/run.ts";
import type { EngineName } from "./faults/setup.ts";
import { loadText, printLine } from "./figures.ts";

const SERVICE = fileURLToPath(new URL("./faults/quick_instance.js", import.meta.url));
const SHOWN_MAX = 20;

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "sqlite" },
    seconds: { type: "string", default: "600" },
    charges: { type: "string" },
    clients: { type: "string", default: "24" },
    customers: { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
    faults: { type: "string", default: "" },
    pause: { type: "string", default: "1000" },
    loud: { type: "boolean", default: false },
  },
});
if (values.engine !== "sqlite" && values.engine !== "postgres") throw new Error("--engine is sqlite or postgres");
const engine: EngineName = values.engine;

const show = (report: FaultReport): void => {
  const { ends, charges } = report;
  const rows: readonly (readonly [string, unknown])[] = [
    ["engine, seed", `${engine}, ${values.seed}`],
    ["seconds", report.seconds.toFixed(0)],
    ["charges", Object.values(charges).reduce((sum, count) => sum + count, 0)],
    ...Object.entries(charges).map(([state, count]) => [`charges ${state}`, count] as const),
    ...Object.entries(ends).map(([end, count]) => [`attempts ${end}`, count] as const),
    ...Object.entries(report.acts),
    ["", ""],
    ...Object.entries(report.strikes),
    ["services that died by themselves", report.died],
    ["broken invariants", report.violations.length],
    ["histories that the ledger does not explain", report.unexplained.length],
    ["answers that no working service gives", report.odd.length],
  ];
  printLine(`| what | found |\n|---|---|\n${rows.map(([name, found]) => `| ${name} | ${found} |`).join("\n")}`);
  printLine(loadText());
  for (const violation of report.violations) printLine(JSON.stringify(violation).slice(0, 2_000));
  for (const line of [...report.unexplained, ...report.odd].slice(0, SHOWN_MAX)) printLine(line);
};

const report = await runFaults({
  engine,
  start: (settings) => startProgram(SERVICE, [settings]),
  seed: Number(values.seed),
  clients: Number(values.clients),
  customers: Number(values.customers),
  faults: values.faults === "" ? [] : values.faults.split(","),
  seconds: Number(values.seconds),
  charges: values.charges === undefined ? null : Number(values.charges),
  pause_ms: Number(values.pause),
  ...(values.loud ? { tell: printLine } : {}),
});
show(report);
const is_clean =
  report.violations.length + report.unexplained.length + report.odd.length === 0 &&
  Object.hasOwn(report.charges, "done");
process.exitCode = is_clean ? 0 : 1;
