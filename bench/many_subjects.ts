/**
 * Memory while one process follows more and more addresses of a long chain (far_chain): indexer and service in this
 * process, the engine in its own. Sampled after every 100 addresses, all of which are read to the end.
 *   node --expose-gc dist/bench/many_subjects.js [--wallets 1000] [--appearances 10] [--others 4]
 */

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hex } from "../src/lib/bytes.ts";
import { readSubjects, writeWishes } from "../src/store/subjects/records.ts";
import { NETWORK, openFarStage } from "./far_chain/stage.ts";
import { loadText, mustEqual, printLine } from "./figures.ts";
import { enginePid, residentMb } from "./memory.ts";

const { values } = parseArgs({
  options: {
    wallets: { type: "string", default: "1000" },
    appearances: { type: "string", default: "10" },
    others: { type: "string", default: "4" },
  },
});
const APPEARANCES = Number(values.appearances);
const STEP = 100;
const LOOK_MS = 500;

const far = await openFarStage({
  ...{ blocks: 23_000_000, wallets: Number(values.wallets), appearances: APPEARANCES },
  ...{ others: Number(values.others), latency_ms: 0 },
});
const { stage, node, facts_dir } = far;
const { engine, writer } = stage.service.facts;
try {
  printLine(`${APPEARANCES} blocks each, ${loadText()}`);
  printLine("| addresses | seconds | heap MB | this process MB | engine MB |");
  printLine("|---|---|---|---|---|");
  const begun = performance.now();
  for (let followed = 0; followed < node.addresses.length; followed += STEP) {
    const subjects = node.addresses.slice(followed, followed + STEP).map((address) => hex(address.slice(2)));
    await writeWishes(writer, NETWORK, { wish: "track", asked_by: "", subjects });
    let read = 0;
    while (read < followed + subjects.length) {
      await sleep(LOOK_MS);
      read = (await readSubjects(engine, NETWORK)).filter(({ state }) => state === "read").length;
    }
    for (const wallet_address of node.addresses.slice(followed, followed + STEP))
      await stage.ask("get_wallet_token_holdings", { wallet_address, network: NETWORK });
    globalThis.gc?.();
    const seconds = (performance.now() - begun) / 1_000;
    const sizes = [process.memoryUsage().heapUsed / 1e6, residentMb(process.pid), residentMb(enginePid(facts_dir))];
    printLine(`| ${[read, seconds.toFixed(0), ...sizes.map((size) => size.toFixed(0))].join(" | ")} |`);
  }
  const records = await readSubjects(engine, NETWORK);
  mustEqual("proven histories", records.filter(({ is_balanced }) => is_balanced).length, node.addresses.length);
} finally {
  await far.close();
}
