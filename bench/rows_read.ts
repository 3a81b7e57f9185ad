/**
 * Rows that every query of every tool reads per row of its answer, on a generated store, query by query.
 *   node dist/bench/rows_read.js [--transfers 10000000] [--data FOLDER]
 * `data`: folder of the facts, which are reused. Ends with 1 when a query reads more than
 * rows_read/read.ts allows without a reason there, or when no tool runs a query with a reason.
 */
import { parseArgs } from "node:util";
import { openBlownUp } from "./blown_up_stage.ts";
import { loadText, say } from "./figures.ts";
import { needless, readByQuestions, tableOf, unreasoned } from "./rows_read/read.ts";

const { values } = parseArgs({
  options: { transfers: { type: "string", default: "10000000" }, data: { type: "string", default: "" } },
});

const opened = await openBlownUp({ transfers: Number(values.transfers), data: values.data, has_recent: false });
// Every query is counted alone, in sequence, so the deadline of calls must not apply.
const stage = { ...opened, place: { ...opened.place, ms_max: 600_000 } };
try {
  say(`${stage.added.transfers} transfers beside the story's, added in ${stage.added.seconds} s (${loadText()})\n`);
  const read = await readByQuestions(stage);
  say(tableOf(read));
  const [without, left] = [unreasoned(read), needless(read)];
  for (const { name } of without) say(`\nreads too much, without a reason: ${name}`);
  for (const name of left) say(`\nhas a reason, and no tool ran it: ${name}`);
  process.exitCode = without.length + left.length === 0 ? 0 : 1;
} finally {
  await stage.close();
}
