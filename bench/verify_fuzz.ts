/**
 * Breaks answers of a node at random and reads them; counts traps, rows from text that is not JSON, and rows that
 * differ.
 *   node dist/bench/verify_fuzz.js [--count 1000000] [--seed 1] [--recorded ../shared/data/evm]
 * Ends with status 1 if any of the three is not 0.
 */
import { parseArgs } from "node:util";
import { networkById } from "../src/chains/networks/index.ts";
import { ethereum } from "../src/chains/networks/known.gen.ts";
import { fuzzVerification } from "./replay/mutated.ts";
import { readRecorded } from "./replay/recorded.ts";
import { syntheticBlocks } from "./replay/synthetic.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    recorded: { type: "string" },
  },
});

/** Larger blocks take longer and break in the same ways. */
const TEXT_BYTES_MAX = 60_000;

const recorded = (values.recorded === undefined ? null : readRecorded(values.recorded)) ?? [];
const real = recorded.flatMap(({ chain, replay }) => {
  const network = networkById(chain);
  const is_small = JSON.stringify(replay).length < TEXT_BYTES_MAX;
  return network === null || chain === "cronos" || !is_small ? [] : [{ network, replay }];
});
const made = syntheticBlocks({ shape: "transfers", count: 1 }).map((replay) => ({ network: ethereum, replay }));
const found = await fuzzVerification({
  blocks: [...made, ...real],
  count: Number(values.count),
  seed: Number(values.seed),
});
process.stdout.write(`${JSON.stringify({ ...found, blocks: made.length + real.length, seed: values.seed })}\n`);
process.exitCode = found.traps + found.other_rows + found.rows_from_no_json === 0 ? 0 : 1;
