/**
 * P11: the time of `assay up` from its start until it is ready: the demo from nothing, and again on the data that it
 * has written; and a configured network with data, until the health answer is ready.
 *   node dist/bench/start.js [--rounds 5] [--blocks 200]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { costText, loadText, medianCost, printLine } from "./figures.ts";
import { startNode } from "./node.ts";
import { type Cost, measure } from "./process_tree.ts";
import { CLI, indexAll } from "./product.ts";

const READY_MS_MAX = 120_000;
const LOOK_MS = 10;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, blocks: { type: "string", default: "200" } },
});
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));

const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + READY_MS_MAX;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${READY_MS_MAX} ms`);
    await sleep(LOOK_MS);
  }
};

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // not written yet
  }
};

const healthOf = async (data_dir: string): Promise<number> => {
  const url = readOrEmpty(join(data_dir, "url")).trim();
  if (url === "") return 0;
  try {
    return (await fetch(`${url}/readyz`)).status;
  } catch {
    return 0; // not listening yet
  }
};

/** The demo is ready when its key is written and every tool has answered. */
const startDemo = async (data_dir: string): Promise<Cost> => {
  const config = join(folder, "demo.config.json");
  writeFileSync(config, JSON.stringify({ listen: "127.0.0.1:0", data_dir }));
  const said = { text: "" };
  const { cost } = await measure(
    { command: process.execPath, args: [CLI, "up", "--config", config], onStderr: (text) => (said.text += text) },
    { until: () => until("the demo", async () => said.text.includes("tools ready in")) },
  );
  const [, ready, all] = /(\d+) of (\d+) tools ready/.exec(said.text) ?? [];
  if (ready === undefined || ready !== all) throw new Error(`not every tool is ready:\n${said.text}`);
  return cost;
};

const startConfigured = async (config: string, data_dir: string): Promise<Cost> => {
  rmSync(join(data_dir, "url"), { force: true });
  const { cost } = await measure(
    { command: process.execPath, args: [CLI, "up", "--config", config] },
    { until: () => until("ready", async () => (await healthOf(data_dir)) === 200) },
  );
  return cost;
};

const report = (what: string, costs: readonly Cost[], goal_s: number): void => {
  const walls = costs.map(({ wall_s }) => wall_s.toFixed(2)).join(", ");
  printLine(`${what}: ${costText(medianCost(costs))} (goal: under ${goal_s} s; all: ${walls}), ${loadText()}`);
};

const node = await startNode(["--shape", "mainnet", "--count", values.blocks]);
try {
  const fresh: Cost[] = [];
  const again: Cost[] = [];
  const configured: Cost[] = [];
  const own = join(folder, "own");
  await indexAll({ ...node, folder: own });
  for (let round = 0; round < rounds; round += 1) {
    const data_dir = join(folder, `demo${round}`);
    fresh.push(await startDemo(data_dir));
    again.push(await startDemo(data_dir));
    configured.push(await startConfigured(join(own, "assay.config.json"), join(own, "data")));
  }
  report("demo from nothing, all tools tried", fresh, 15);
  report("demo again, all tools tried", again, 3);
  report(`${values.blocks} mainnet-shaped blocks on disk, ready`, configured, 3);
} finally {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
}
