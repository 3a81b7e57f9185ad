/**
 * Rows that every query of every tool reads for each row of its answer, on a store made in the engine, query by query.
 *   node dist/bench/rows_read.js [--transfers 10000000] [--data FOLDER]
 * `data`: folder of the facts; existing facts are reused. Ends with 1 if a query reads more than rows_read/read.ts
 * allows, without a reason there, or if a reason belongs to a query that did not run.
 */
import { parseArgs } from "node:util";
import { openBlownUp } from "./blown_up_setup.ts";
import { loadText, printLine } from "./figures.ts";
import { needless, readByQuestions, tableOf, unreasoned } from "./rows_read/read.ts";

const { values } = parseArgs({
  options: { transfers: { type: "string", default: "10000000" }, data: { type: "string", default: "" } },
});

const opened = await openBlownUp({ transfers: Number(values.transfers), data: values.data, has_recent: false });
// Every query is counted alone, one after the other, so that calls need a longer deadline.
const stage = { ...opened, place: { ...opened.place, ms_max: 600_000 } };
try {
  printLine(
    `${stage.added.transfers} transfers beside the story's, added in ${stage.added.seconds} s (${loadText()})\n`,
  );
  const read = await readByQuestions(stage);
  printLine(tableOf(read));
  const [without, left] = [unreasoned(read), needless(read)];
  for (const { name } of without) printLine(`\nreads too much, without a reason: ${name}`);
  for (const name of left) printLine(`\nhas a reason, and did not run: ${name}`);
  process.exitCode = without.length + left.length === 0 ? 0 : 1;
} finally {
  await stage.close();
}
