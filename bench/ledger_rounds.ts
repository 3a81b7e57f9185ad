/**
 * Whether the SQLite ledger keeps its locks: `node dist/bench/ledger_rounds.js [--rounds 1000] [--seconds 7200]
 * [--command-line-every 20] [--seed 1]`.
 * Each round starts a service (after the first one, on the file of a killed one), charges, verifies, runs a command
 * beside it, charges again and ends with `kill -9` under load. Ends with code 1 if an acknowledged charge is not in the
 * file, a lock was not held, a file without a name was written to, an invariant is broken, or a revocation took effect
 * a second later or more.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startProgram } from "../src/accounts/testing/process.ts";
import { drawsOf } from "../test/random.ts";
import { loadText, median, printLine } from "./figures.ts";
import { countsOf, runRounds } from "./ledger_rounds/rounds.ts";

const CHILD = fileURLToPath(new URL("../src/accounts/testing/child.js", import.meta.url));
const COMMAND_LINE = fileURLToPath(new URL("../bundle/cli.js", import.meta.url));
const HEARD_WITHIN_MS = 1_000;
const SHOWN_MAX = 20;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    seconds: { type: "string", default: "7200" },
    "command-line-every": { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});

const report = await runRounds({
  start: (...args) => startProgram(CHILD, args),
  command_line: { path: COMMAND_LINE, every: Number(values["command-line-every"]) },
  rounds: Number(values.rounds),
  seconds_max: Number(values.seconds),
  draw: drawsOf(Number(values.seed)),
  tell: printLine,
});
const { heard_ms, ...rest } = countsOf(report);
const slowest_ms = Math.max(...report.heard_ms);
const rows = [
  ...Object.entries(rest),
  ["revocations", heard_ms],
  ["heard after ms, median", median(report.heard_ms)],
  ["heard after ms, slowest", slowest_ms],
];
printLine(`| what | found |\n|---|---|\n${rows.map(([name, found]) => `| ${name} | ${found} |`).join("\n")}`);
printLine(loadText());
const faults = [...report.lost, ...report.deleted, ...report.unlocked, ...report.broken];
for (const line of faults.slice(0, SHOWN_MAX)) printLine(line);
process.exitCode = faults.length === 0 && slowest_ms < HEARD_WITHIN_MS ? 0 : 1;
