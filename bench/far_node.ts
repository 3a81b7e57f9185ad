/**
 * Cost of answers with a distant node: every tool's example on the demo world, twice within a block, its node behind a
 * relay that delays each request. A *turn* is one wait for the node that other calls did not share.
 *   node dist/bench/far_node.js [--latency_ms 100] [--only get_token_info]
 */
import { parseArgs } from "node:util";
import { tools } from "../src/tools/index.ts";
import { type Relay, startRelay } from "../test/e2e/relay.ts";
import { openBlownUp } from "./blown_up_setup.ts";
import { callTool } from "./calls.ts";
import { loadText, printLine } from "./figures.ts";

const { values } = parseArgs({
  options: { latency_ms: { type: "string", default: "100" }, only: { type: "string", default: "" } },
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

const stage = await openBlownUp({ transfers: 0, data: "", has_recent: false, relayed });
try {
  printLine(`release under test, ${LATENCY_MS} ms before every answer, ${loadText()}`);
  printLine("| tool | ms near | ms far | turns | calls |");
  printLine("|---|---|---|---|---|");
  for (const tool of tools.filter(({ name }) => name.includes(values.only))) {
    const took = async (latency_ms: number): Promise<number> => {
      for (const { pace, calls } of relays) {
        pace.latency_ms = latency_ms;
        calls.length = 0;
      }
      const begun = performance.now();
      await callTool(stage.place, tool.name, tool.example);
      return performance.now() - begun;
    };
    await took(0);
    const [near, far] = [await took(0), await took(LATENCY_MS)];
    const calls = relays.flatMap((relay) => relay.calls).filter(({ method }) => !HEAD_METHODS.includes(method));
    const turns = Math.max(0, Math.round((far - near) / LATENCY_MS));
    printLine(`| ${tool.name} | ${near.toFixed(0)} | ${far.toFixed(0)} | ${turns} | ${calls.length} |`);
  }
} finally {
  for (const { pace } of relays) pace.latency_ms = 0;
  await stage.close();
  await Promise.all(relays.map((relay) => relay.close()));
}
