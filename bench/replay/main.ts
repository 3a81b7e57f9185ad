/**
 * Runs a replay node by itself and prints one line: its address, its blocks, and what their ERC-20 transfers are.
 *   node dist/bench/replay/main.js --shape mainnet --count 300 [--port 8545] [--latency_ms 100] [--traces] [--seed 1]
 *   node dist/bench/replay/main.js --recorded ../shared/data/evm --chain ethereum
 */
import { parseArgs } from "node:util";
import { NETWORKS } from "../../src/chains/networks/index.ts";
import { answerState } from "./contracts.ts";
import { readRecorded } from "./recorded.ts";
import { totalsOf, transfersIn } from "./reference.ts";
import { type ReplayBlock, startReplay } from "./server.ts";
import { syntheticBlocks } from "./synthetic.ts";

const { values } = parseArgs({
  options: {
    shape: { type: "string", default: "mainnet" },
    count: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    port: { type: "string", default: "0" },
    latency_ms: { type: "string", default: "0" },
    /** Blocks at the start that are served and not counted: some indexers look at the parent of their first block. */
    skip: { type: "string", default: "0" },
    traces: { type: "boolean", default: false },
    recorded: { type: "string" },
    chain: { type: "string", default: "ethereum" },
  },
});

const blocksOf = (): ReplayBlock[] => {
  if (values.recorded === undefined)
    return syntheticBlocks({
      shape: values.shape === "transfers" ? "transfers" : "mainnet",
      count: Number(values.count),
      seed: Number(values.seed),
      with_traces: values.traces,
    });
  const recorded = readRecorded(values.recorded);
  if (recorded === null) throw new Error(`there is no MANIFEST.json in ${values.recorded}`);
  return recorded.filter((one) => one.chain === values.chain).map((one) => one.replay);
};

const blocks = blocksOf();
const replay = await startReplay({
  blocks,
  chain_id: NETWORKS.find((network) => network.id === values.chain)?.chain_id ?? 1,
  port: Number(values.port),
  latency_ms: Number(values.latency_ms),
  state: answerState(blocks),
});
const counted = blocks.slice(Number(values.skip));
const [first, last] = [counted[0], counted.at(-1)];
process.stdout.write(
  `${JSON.stringify({
    url: replay.url,
    from: Number(first?.block.number),
    to: Number(last?.block.number),
    totals: totalsOf(transfersIn(counted)),
  })}\n`,
);
