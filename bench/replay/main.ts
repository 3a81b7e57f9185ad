/**
 * Runs a replay node by itself and prints one line: its address, its blocks, and their facts.
 *   node dist/bench/replay/main.js --shape mainnet --count 300 [--port 8545] [--latency_ms 100] [--plain] [--seed 1]
 *   node dist/bench/replay/main.js --recorded ../shared/data/evm --chain ethereum
 * The parent process may set its head and its latency by messages, and receives a message, on request, when blocks
 * begin to be read.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { NETWORKS } from "../../src/chains/networks/index.ts";
import { answerCalls, KnownLogs } from "./contracts.ts";
import { FactSum } from "./facts_reference.ts";
import { readRecorded } from "./recorded.ts";
import { TransferSum, transfersIn } from "./reference.ts";
import { type ReplayBlock, type ReplayServer, startReplay } from "./server.ts";
import { inFile } from "./stored_block.ts";
import { eachBlock } from "./synthetic.ts";

const { values } = parseArgs({
  options: {
    shape: { type: "string", default: "mainnet" },
    count: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    port: { type: "string", default: "0" },
    latency_ms: { type: "string", default: "0" },
    /** Blocks at the start that are served and not counted: some indexers look at the parent of their first block. */
    skip: { type: "string", default: "0" },
    /** Blocks at the end that are served and not counted, for a second run. */
    more: { type: "string", default: "0" },
    /** Without traces. */
    plain: { type: "boolean", default: false },
    recorded: { type: "string" },
    chain: { type: "string", default: "ethereum" },
  },
});

const blocksOf = (): Iterable<ReplayBlock> => {
  if (values.recorded === undefined)
    return eachBlock({
      shape: values.shape === "transfers" ? "transfers" : "mainnet",
      count: Number(values.count) + Number(values.more),
      seed: Number(values.seed),
      with_traces: !values.plain,
    });
  const recorded = readRecorded(values.recorded);
  if (recorded === null) throw new Error(`there is no MANIFEST.json in ${values.recorded}`);
  return recorded.filter((one) => one.chain === values.chain).map((one) => one.replay);
};

const keep = inFile(join(tmpdir(), `assay-bench-blocks-${process.pid}`));
const logs = new KnownLogs(answerCalls(), keep);
const transfers = new TransferSum();
const facts = new FactSum();
const numbers: number[] = [];

function* counted(): Generator<ReplayBlock> {
  for (const block of blocksOf()) {
    const place = numbers.push(Number(block.block.number)) - 1;
    if (place >= Number(values.skip) && place < Number(values.count)) {
      for (const row of transfersIn(block)) transfers.add(row);
      facts.add(block);
    }
    logs.add(block);
    yield block;
  }
}

let is_awaited = false;
/** A probe requests one block at once, and an indexer several. */
const reportReading = (calls: readonly { readonly method: string; readonly params: readonly unknown[] }[]): void => {
  const asked = calls.filter(({ method, params }) => method === "eth_getBlockByNumber" && params[1] === true);
  if (!is_awaited || asked.length < 2) return;
  is_awaited = false;
  process.send?.("reading");
};

const replay: ReplayServer = await startReplay({
  blocks: counted(),
  chain_id: NETWORKS.find((network) => network.id === values.chain)?.chain_id ?? 1,
  port: Number(values.port),
  latency_ms: Number(values.latency_ms),
  keep,
  onCalls: reportReading,
  state: logs.answer,
});
interface ReplayCommand {
  readonly head?: number;
  readonly latency_ms?: number;
  readonly tells_reading?: boolean;
}
process.on("message", ({ head, latency_ms, tells_reading }: ReplayCommand) => {
  if (tells_reading === true) {
    is_awaited = true;
    return;
  }
  if (head !== undefined) replay.setHead(head);
  if (latency_ms !== undefined) replay.setLatency(latency_ms);
  process.send?.("set");
});
process.on("disconnect", () => process.exit(0));
const [from, to] = [numbers[Number(values.skip)], numbers[Number(values.count) - 1] ?? numbers.at(-1)];
if (to !== undefined) replay.setHead(to);
process.stdout.write(
  `${JSON.stringify({ url: replay.url, from, to, totals: transfers.totals(), facts: facts.totals() })}\n`,
);
