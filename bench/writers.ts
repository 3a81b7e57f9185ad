/**
 * One writer of a network's facts: `node dist/bench/writers.js [--runs 100] [--blocks 700] [--strikes 6] [--lease 1500]
 * [--seed 1]`. In each run two or three indexers share one store and are stopped (SIGSTOP) for longer than their lease,
 * or killed and started again, at moments that the seed draws, until each has ended by itself. Ends with code 1 if a
 * final table has a key more than once, or if any table, balances included, differs from the result of one undisturbed
 * indexer.
 */
import { parseArgs } from "node:util";
import { loadText, printLine } from "./figures.ts";
import { runWriters } from "./writers/run.ts";
import { readClean, startChain } from "./writers/setup.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    blocks: { type: "string", default: "700" },
    strikes: { type: "string", default: "6" },
    lease: { type: "string", default: "1500" },
    seed: { type: "string", default: "1" },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
const chain = await startChain({ blocks: Number(values.blocks), latency_ms: 4 });
try {
  const clean = await readClean(chain);
  let [pauses, kills, epochs, bad] = [0, 0, 0, 0];
  for (let i = 0; i < runs; i += 1) {
    const how = { chain, clean, seed: seed + i, lease_ms: Number(values.lease), strikes: Number(values.strikes) };
    const run = await runWriters(how);
    pauses += run.pauses;
    kills += run.kills;
    epochs += run.epochs;
    if (run.faults.length > 0) bad += 1;
    printLine(
      `run ${i + 1} (seed ${seed + i}): ${run.indexers} indexers, ${run.pauses} pauses, ${run.kills} kills, ${run.epochs} epochs, ${loadText()}${run.faults.map((fault) => `\n  ! ${fault}`).join("")}`,
    );
  }
  printLine(`${runs} runs, ${pauses} pauses, ${kills} kills, ${epochs} epochs: ${bad} runs with a difference`);
  process.exitCode = bad === 0 ? 0 : 1;
} finally {
  await chain.close();
}
