/** Prints judgements beside the truth. */
import { loadText, printLine } from "../figures.ts";
import { areaUnder, confusionOf, faultsOf, type JudgedPair } from "./tokens/judged.ts";

const WORST_MAX = 20;
const ratio = (part: number, whole: number): string => (whole === 0 ? "-" : (part / whole).toFixed(2));

/** Confusion matrices, the area under the curve of the score, and the calibration of the levels. */
export const printFigures = (pairs: readonly JudgedPair[]): void => {
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
};

/** The worst twenty with their findings. Returns the number of contradictions. */
export const printWorst = (pairs: readonly JudgedPair[]): number => {
  const faults = pairs
    .map((pair) => ({ answer: pair[1], faults: faultsOf(pair) }))
    .filter(({ faults: own }) => own.length > 0)
    .sort((a, b) => b.faults.length - a.faults.length);
  for (const { answer, faults: own } of faults.slice(0, WORST_MAX)) {
    for (const fault of own) printLine(fault);
    printLine(`  score ${answer.score ?? "withheld"}, ${answer.level}: ${answer.findings.join(", ") || "no finding"}`);
  }
  const count = faults.reduce((sum, { faults: own }) => sum + own.length, 0);
  printLine(`${count} contradictions of the truth in ${pairs.length} tokens; ${loadText()}`);
  return count;
};
