/**
 * Memory, time and requests while one process reads and follows more and more addresses of a long chain (far_chain): indexer and service
 * in this process, the engine in its own. Sampled when all addresses of a step are read, and after calls about up to `calls` of them.
 *   node --expose-gc dist/bench/many_subjects.js [--steps 100,250,500,1000] [--appearances 10] [--others 4] [--follow_seconds 60] [--calls 100] [--rounds 3]
 */

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hex } from "../src/lib/bytes.ts";
import { readBatches, readSubjects, writeWishes } from "../src/store/subjects/records.ts";
import { cpuSeconds } from "./calls.ts";
import { diskBytes, type FarStage, NETWORK, openFarStage } from "./far_chain/stage.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { enginePid, residentMb } from "./memory.ts";

const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "100,250,500,1000" },
    appearances: { type: "string", default: "10" },
    others: { type: "string", default: "4" },
    follow_seconds: { type: "string", default: "60" },
    calls: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
  },
});
const APPEARANCES = Number(values.appearances);
const STEPS = values.steps.split(",").map(Number);
const BLOCKS = 23_000_000;
const LOOK_MS = 500;
const SECOND_MS = 1_000;
/** New final blocks of a round. */
const ROUND_BLOCKS = 5;

const readTo = async ({ stage }: FarStage, to_block: number): Promise<number> =>
  (await readSubjects(stage.service.facts.engine, NETWORK)).filter(
    (record) => record.state === "read" && record.to_block >= to_block,
  ).length;

/** After garbage collection. */
const heapMb = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

const row = (cells: readonly (string | number)[]): void => printLine(`| ${cells.join(" | ")} |`);

/** Reads the addresses, and calls a tool about each. */
const readAll = async (far: FarStage): Promise<void> => {
  const { stage, node, facts_dir } = far;
  const sizes = ["heap MB", "after calls", "this process MB", "engine MB"];
  row(["addresses", "seconds", "CPU s of both", ...sizes, "batches", "disk KB per appearance"]);
  row(Array.from({ length: 9 }, () => "---"));
  const { engine, writer } = stage.service.facts;
  const before = await diskBytes(stage);
  let [seconds, cpu_s, followed] = [0, 0, 0];
  for (const step of STEPS) {
    const addresses = node.addresses.slice(followed, step);
    const subjects = addresses.map((address) => hex(address.slice(2)));
    const [begun, cpu] = [performance.now(), cpuSeconds(facts_dir)];
    await writeWishes(writer, NETWORK, { wish: "track", asked_by: "", subjects });
    while ((await readTo(far, 0)) < step) await sleep(LOOK_MS);
    seconds += (performance.now() - begun) / SECOND_MS;
    cpu_s += cpuSeconds(facts_dir) - cpu;
    followed = step;
    const read_mb = heapMb();
    for (const wallet_address of addresses.slice(0, Number(values.calls)))
      await stage.ask("get_wallet_token_holdings", { wallet_address, network: NETWORK });
    const mb = [read_mb, heapMb(), residentMb(process.pid), residentMb(enginePid(facts_dir))];
    const disk = ((await diskBytes(stage)) - before) / step / APPEARANCES / 1e3;
    const batches = (await readBatches(engine, NETWORK, "all")).length;
    row([step, ...[seconds, cpu_s, ...mb].map((figure) => figure.toFixed(0)), batches, disk.toFixed(1)]);
  }
  const records = await readSubjects(engine, NETWORK);
  mustEqual("proven histories", records.filter(({ is_balanced }) => is_balanced).length, followed);
};

/** New final blocks that concern none of them. */
const follow = async (far: FarStage): Promise<void> => {
  const { node, facts_dir } = far;
  row([
    "round",
    "seconds until all are there",
    "requests",
    "calls",
    "most requests of a second",
    "this process MB",
    "engine MB",
  ]);
  row(Array.from({ length: 7 }, () => "---"));
  let { head } = far;
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const before = await node.stats();
    head += ROUND_BLOCKS;
    await node.setHead(head);
    const begun = performance.now();
    let [most, last] = [0, before.requests];
    while ((await readTo(far, head - far.final_behind)) < node.addresses.length) {
      await sleep(SECOND_MS);
      const { requests } = await node.stats();
      most = Math.max(most, requests - last);
      last = requests;
    }
    const seconds = (performance.now() - begun) / SECOND_MS;
    const after = await node.stats();
    const callsOf = ({ calls }: typeof after): number => Object.values(calls).reduce((sum, count) => sum + count, 0);
    globalThis.gc?.();
    const sizes = [residentMb(process.pid), residentMb(enginePid(facts_dir))].map((size) => size.toFixed(0));
    row([round, seconds.toFixed(0), last - before.requests, callsOf(after) - callsOf(before), most, ...sizes]);
  }
};

const far = await openFarStage({
  ...{ blocks: BLOCKS, wallets: STEPS.at(-1) ?? 0, appearances: APPEARANCES, others: Number(values.others) },
  ...{ latency_ms: 0, follow_seconds: Number(values.follow_seconds) },
});
try {
  printLine(`${APPEARANCES} blocks each, ${loadText()}`);
  await readAll(far);
  await follow(far);
} finally {
  await far.close();
}
