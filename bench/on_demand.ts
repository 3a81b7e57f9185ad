/**
 * A wallet of a long chain on demand: time to the first answer, requests and disk. The node exists by formula
 * (far_chain) in a process of its own; indexer, service and engine are the product, and calls come over HTTP.
 *   node dist/bench/on_demand.js [--appearances 100,1000] [--blocks 23000000] [--per_second 500] [--counts requests|calls]
 *     [--latency_ms 50] [--others 19] [--verify full] [--set]
 * `counts`: what the node limits, HTTP requests or calls within arrays. `others`: transactions of a block besides the
 * wallet's. `set`: the limit is configured; without it Assay learns it from refusals.
 */
import { parseArgs } from "node:util";
import { hex } from "../src/lib/bytes.ts";
import { readSubjects } from "../src/store/subjects/records.ts";
import type { TestService } from "../test/e2e/served_world.ts";
import { cpuSeconds } from "./calls.ts";
import { diskBytes, NETWORK, openFarStage } from "./far_chain/stage.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { enginePid, peakMb } from "./memory.ts";
import type { ReplayServer } from "./replay/server.ts";

const { values } = parseArgs({
  options: {
    appearances: { type: "string", default: "100,1000" },
    blocks: { type: "string", default: "23000000" },
    per_second: { type: "string", default: "500" },
    counts: { type: "string", default: "requests" },
    latency_ms: { type: "string", default: "50" },
    others: { type: "string", default: "19" },
    verify: { type: "string", default: "full" },
    set: { type: "boolean", default: false },
  },
});

const RANGE = Number(values.blocks);
const LOOK_MS = 50;

/** Seconds from the first call until the search was over, and until a call was answered. */
interface Steps {
  searched: number;
  answered: number;
}

const askUntilAnswered = async (stage: TestService, address: string): Promise<Steps> => {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1_000;
  const steps: Steps = { searched: Number.NaN, answered: Number.NaN };
  const watching = setInterval(async () => {
    const [record] = await readSubjects(stage.service.facts.engine, NETWORK, [hex(address.slice(2))]);
    const is_searched = record?.state === "reading" || record?.state === "read";
    if (is_searched && Number.isNaN(steps.searched)) steps.searched = seconds();
  }, LOOK_MS);
  try {
    for (;;) {
      const { body } = await stage.ask("get_wallet_transactions", { address, network: NETWORK });
      if (body.status === undefined) break;
      if (body.code !== "READING") throw new Error(JSON.stringify(body));
    }
    steps.answered = seconds();
    return steps;
  } finally {
    clearInterval(watching);
  }
};

const callsOf = ({ calls }: ReplayServer["stats"], names: RegExp): number =>
  Object.entries(calls).reduce((sum, [method, count]) => (names.test(method) ? sum + count : sum), 0);

const BLOCK_CALLS = /Block|trace|Receipt/;

const measure = async (appearances: number): Promise<void> => {
  const far = await openFarStage({
    ...{ blocks: RANGE, appearances, others: Number(values.others), latency_ms: Number(values.latency_ms) },
    ...{ per_second: Number(values.per_second), counts: values.counts === "calls" ? "calls" : "requests" },
    ...{ verify: values.verify, is_set: values.set },
  });
  const { node, stage, facts_dir } = far;
  try {
    const [disk, cpu, before] = [await diskBytes(stage), cpuSeconds(facts_dir), await node.stats()];
    const steps = await askUntilAnswered(stage, node.addresses[0] ?? "");
    const [after, cpu_s] = [await node.stats(), cpuSeconds(facts_dir) - cpu];
    const [record] = await readSubjects(stage.service.facts.engine, NETWORK);
    mustEqual("the history", [record?.found, record?.is_plain, record?.is_balanced], [appearances, true, true]);
    const search = record?.requests ?? 0;
    const bytes = (await diskBytes(stage)) - disk;
    const columns = [
      ...[appearances, steps.searched.toFixed(1), steps.answered.toFixed(1)],
      ...[after.requests - before.requests, after.refused - before.refused, search],
      ...[(search / appearances).toFixed(1), (2 * Math.log2(RANGE / appearances) + 6).toFixed(1)],
      ...[callsOf(after, BLOCK_CALLS) - callsOf(before, BLOCK_CALLS), (bytes / appearances / 1_000).toFixed(1)],
      ...[record?.verified, cpu_s.toFixed(1), loadText()],
      `${peakMb("self").toFixed(0)} + ${peakMb(enginePid(facts_dir)).toFixed(0)}`,
    ];
    printLine(`| ${columns.join(" | ")} |`);
  } finally {
    await far.close();
  }
};

printLine(
  `${RANGE} blocks, ${values.per_second} ${values.counts} a second, ${values.latency_ms} ms before every answer`,
);
printLine(
  "| appearances | searched s | answered s | HTTP | refused | search calls | each | bound | block calls | disk KB each | verified | CPU s | load | MB |",
);
printLine("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
for (const count of values.appearances.split(",")) await measure(Number(count));
