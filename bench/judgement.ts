/**
 * Judgements against truth: deploys and trades every token of bench/judgement/tokens, and queries each. Prints confusion
 * matrices, the area under the curve of the score, calibration of the levels, times, and the worst twenty answers.
 *   node dist/bench/judgement.js
 */

import { loadText, printLine } from "./figures.ts";
import { type JudgedToken, TOKENS } from "./judgement/tokens/catalogue.ts";
import { areaUnder, confusionOf, faultsOf, type TokenAnswer } from "./judgement/tokens/judged.ts";
import { startJudgedService } from "./judgement/tokens/serve.ts";

const WORST_MAX = 20;
const ratio = (part: number, whole: number): string => (whole === 0 ? "-" : (part / whole).toFixed(2));

const service = await startJudgedService(TOKENS);
try {
  const pairs: (readonly [JudgedToken, TokenAnswer])[] = [];
  for (const token of TOKENS) pairs.push([token, await service.answer(token.contract)] as const);
  printLine("| trait | found | invented | missed | denied | unknown | recall | precision |");
  printLine("|---|---|---|---|---|---|---|---|");
  for (const { trait, right, wrong, missed, denied, unknown } of confusionOf(pairs)) {
    const rates = [ratio(right, right + missed), ratio(right, right + wrong)];
    printLine(`| ${[trait, right, wrong, missed, denied, unknown, ...rates].join(" | ")} |`);
  }
  printLine(`AUC of the score: ${areaUnder(pairs)?.toFixed(3) ?? "-"}`);
  for (const level of ["low", "medium", "high", "critical", "unknown"]) {
    const of_level = pairs.filter(([, answer]) => answer.level === level);
    const traps = of_level.filter(([{ trap }]) => trap !== null).length;
    printLine(`${level}: ${of_level.length} tokens, ${traps} of them traps`);
  }
  const slowest = (call: 0 | 1): number => Math.max(...pairs.map(([, { took_ms }]) => took_ms[call]));
  printLine(`slowest first call ${slowest(0).toFixed(0)} ms, slowest second call ${slowest(1).toFixed(0)} ms`);
  const most = (part: "calls" | "gas"): number => Math.max(...pairs.map(([, { work }]) => work[part]));
  printLine(`most calls of the node ${most("calls")}, most gas of simulated transactions ${most("gas")}`);
  const faults = pairs.flatMap(faultsOf);
  for (const fault of faults.slice(0, WORST_MAX)) printLine(fault);
  printLine(`${faults.length} contradictions of the truth in ${pairs.length} tokens; ${loadText()}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await service.close();
}
