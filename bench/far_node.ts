/**
 * Cost of answers with a distant node: every tool's example on the demo world, its node behind a relay that delays each
 * request. *First* is the first call of the process, with a near node; then the call is repeated at the same block. A
 * *turn* is one wait for the node that other calls did not share. `transfers` and `data`: as in answers.ts.
 *   node dist/bench/far_node.js [--latency_ms 100] [--only get_token_info,get_wallet_pnl] [--transfers 10000000] [--data FOLDER]
 */
import { parseArgs } from "node:util";
import { tools } from "../src/tools/index.ts";
import { type Relay, startRelay } from "../test/e2e/relay.ts";
import { openBlownUp } from "./blown_up_setup.ts";
import { callTool } from "./calls.ts";
import { loadText, printLine } from "./figures.ts";

const { values } = parseArgs({
  options: {
    latency_ms: { type: "string", default: "100" },
    only: { type: "string", default: "" },
    transfers: { type: "string", default: "0" },
    data: { type: "string", default: "" },
  },
});
const LATENCY_MS = Number(values.latency_ms);
/** The indexer's requests for the head of the chain, which are not the tool's. */
const HEAD_METHODS = ["eth_getBlockByNumber", "eth_blockNumber"];

const relays: Relay[] = [];
const relayed = async (rpc: string): Promise<string> => {
  const relay = await startRelay(rpc);
  relays.push(relay);
  return relay.url;
};

interface CallFigures {
  readonly ms: number;
  /** Calls to the node, without the indexer's. */
  readonly calls: number;
}

const only = values.only.split(",");
const { data } = values;
const stage = await openBlownUp({ transfers: Number(values.transfers), data, has_recent: false, relayed });
try {
  printLine(`release under test, ${LATENCY_MS} ms before every answer, ${loadText()}`);
  printLine("| tool | first ms | calls | again ms | calls | again ms, far | turns |");
  printLine("|---|---|---|---|---|---|---|");
  for (const tool of tools.filter(({ name }) => only.some((one) => name.includes(one)))) {
    const took = async (latency_ms: number): Promise<CallFigures> => {
      for (const { pace, calls } of relays) {
        pace.latency_ms = latency_ms;
        calls.length = 0;
      }
      const begun = performance.now();
      await callTool(stage.place, tool.name, tool.example);
      const ms = performance.now() - begun;
      const calls = relays.flatMap((relay) => relay.calls).filter(({ method }) => !HEAD_METHODS.includes(method));
      return { ms, calls: calls.length };
    };
    const [first, near, far] = [await took(0), await took(0), await took(LATENCY_MS)];
    const turns = Math.max(0, Math.round((far.ms - near.ms) / LATENCY_MS));
    const columns = [first.ms.toFixed(0), first.calls, near.ms.toFixed(0), near.calls, far.ms.toFixed(0), turns];
    printLine(`| ${tool.name} | ${columns.join(" | ")} |`);
  }
} finally {
  for (const { pace } of relays) pace.latency_ms = 0;
  await stage.close();
  await Promise.all(relays.map((relay) => relay.close()));
}
