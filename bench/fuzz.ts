/**
 * Fuzzes everything that callers may send: `node dist/bench/fuzz.js [--bodies 1000000] [--headers 200000]
 * [--connections 100000] [--seed 1]`. The cards of all tools over REST and MCP. Ends with code 1 if an answer was a
 * 5xx, no JSON, not as documented or contained a key, if the ledger charged other credits than the answers state, or if
 * an invariant is broken.
 */
import { parseArgs } from "node:util";
import { fuzzService } from "../test/contract/fuzz/fuzz.ts";
import { loadText, printLine } from "./figures.ts";

const { values } = parseArgs({
  options: {
    bodies: { type: "string", default: "1000000" },
    headers: { type: "string", default: "200000" },
    connections: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
  },
});
const TOLD_EVERY_MS = 30_000;

let told_at = performance.now();
const from = performance.now();
const report = await fuzzService({
  bodies: Number(values.bodies),
  header_sets: Number(values.headers),
  connections: Number(values.connections),
  seed: Number(values.seed),
  tell(line) {
    if (performance.now() - told_at < TOLD_EVERY_MS) return;
    told_at = performance.now();
    process.stderr.write(`${line}\n`);
  },
});
printLine("| part | answers by status |\n|---|---|");
for (const [part, statuses] of Object.entries(report.statuses))
  printLine(
    `| ${part} | ${Object.entries(statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", ")} |`,
  );
printLine(
  `${report.wrong.length} wrong answers, ${report.credits_told} credits in answers, ${report.credits_used} used, ${report.violations} broken invariants. ${((performance.now() - from) / 1_000).toFixed(0)} s, ${loadText()}`,
);
for (const line of report.wrong) printLine(line);
const is_clean = report.wrong.length + report.violations === 0 && report.credits_told === report.credits_used;
process.exitCode = is_clean ? 0 : 1;
