/**
 * Judgements against truth: deploys and trades every token of bench/judgement/tokens, and queries each. Prints confusion
 * matrices, the area under the curve of the score, calibration of the levels, times, and the worst twenty answers.
 *   node dist/bench/judgement.js
 * With a public set of labelled tokens from a folder (bench/judgement/sets/recipes.ts), instead of the own tokens:
 *   node dist/bench/judgement.js --set creation_codes --folder DIR [--count N]
 *   ASSAY_KEY=… node dist/bench/judgement.js --set NAME --folder DIR --url http://127.0.0.1:8080 --network ethereum
 */

import { parseArgs } from "node:util";
import { printLine } from "./figures.ts";
import { printFigures, printWorst } from "./judgement/report.ts";
import { judgeSet } from "./judgement/sets/judge_set.ts";
import { RECIPES } from "./judgement/sets/recipes.ts";
import { TOKENS } from "./judgement/tokens/catalogue.ts";
import type { JudgedPair } from "./judgement/tokens/judged.ts";
import { startJudgedService } from "./judgement/tokens/serve.ts";

const judgeOwn = async (): Promise<void> => {
  const service = await startJudgedService(TOKENS);
  try {
    const pairs: JudgedPair[] = [];
    for (const token of TOKENS) pairs.push([token, await service.answer(token.contract)] as const);
    printFigures(pairs);
    const slowest = (call: 0 | 1): number => Math.max(...pairs.map(([, { took_ms }]) => took_ms[call]));
    printLine(`slowest first call ${slowest(0).toFixed(0)} ms, slowest second call ${slowest(1).toFixed(0)} ms`);
    const most = (part: "calls" | "gas"): number => Math.max(...pairs.map(([, { work }]) => work[part]));
    printLine(`most calls of the node ${most("calls")}, most gas of simulated transactions ${most("gas")}`);
    process.exitCode = printWorst(pairs) === 0 ? 0 : 1;
  } finally {
    await service.close();
  }
};

const printCounts = (what: string, counts: ReadonlyMap<string, number>): void => {
  for (const [reason, count] of counts) printLine(`${count} ${what}: ${reason}`);
};

const { values } = parseArgs({
  options: {
    set: { type: "string" },
    folder: { type: "string" },
    count: { type: "string" },
    url: { type: "string" },
    network: { type: "string", default: "ethereum" },
  },
});

const judgePublic = async (name: string): Promise<void> => {
  const recipe = RECIPES.find((one) => one.name === name);
  if (recipe === undefined || values.folder === undefined)
    throw new Error(`--set takes ${RECIPES.map((one) => one.name).join(", ")}, and --folder the folder with its file`);
  const { url, network, folder } = values;
  const service = url === undefined ? {} : { service: { url, network, key: process.env.ASSAY_KEY ?? "" } };
  const count = values.count === undefined ? {} : { count: Number(values.count) };
  printLine(`${recipe.name}: ${recipe.source}; licence: ${recipe.licence}. ${recipe.note}`);
  const { pairs, refused, unanswered } = await judgeSet(recipe, folder, { ...service, ...count });
  printCounts("rows refused", refused);
  printCounts("tokens without an answer", unanswered);
  printFigures(pairs);
  printWorst(pairs);
};

await (values.set === undefined ? judgeOwn() : judgePublic(values.set));
