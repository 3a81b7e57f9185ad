// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { runWriters } from "../../bench/writers/run.ts";
import {
  NETWORK,
  readClean,
  readContent,
  type StaticChain,
  type StoreContent,
  startChain,
  type WriterStore,
} from "../../bench/writers/setup.ts";
import { rangesOf } from "../../src/store/epochs.ts";
import { openStore, run, until } from "./processes.ts";

// Real processes that fill one history together, in ranges of 256 blocks.
const BLOCKS = 1_200;
const SEEDS = [11, 12, 13, 14];
const STRIKES = 6;

let chain: StaticChain;
let clean: StoreContent;
beforeAll(async () => {
  chain = await startChain({ blocks: BLOCKS, latency_ms: 60 });
  clean = await readClean(chain);
  expect(clean).toMatchObject({ doubled: [], blocks: BLOCKS });
});
afterAll(() => chain.close());

const HOLDERS = `SELECT network, pid FROM index_epochs WHERE startsWith(network, '${rangesOf(NETWORK)}') AND epoch > 0 AND pid > 0`;
const DONE = `SELECT from_block, to_block FROM segments WHERE network = '${NETWORK}' AND state = 'done'`;

/** Number of finished blocks in the ranges of a process. */
const filledBlocks = async (store: WriterStore, pid: number | undefined) => {
  const facts = await store.open();
  try {
    const own = (await facts.engine.query(HOLDERS)).filter(([, by]) => Number(by) === pid);
    const done = (await facts.engine.query(DONE)).map(([from, to]) => ({ from: Number(from), to: Number(to) }));
    const within = (name: string) => {
      const [from = 0, to = 0] = name.slice(rangesOf(NETWORK).length).split("-").map(Number);
      return done.filter((one) => from <= one.from && one.to <= to);
    };
    return own.flatMap(([name]) => within(String(name))).reduce((sum, { from, to }) => sum + to - from + 1, 0);
  } finally {
    await facts.close();
  }
};

test("fills the offered ranges of a sleeping indexer with another one, and leaves the facts of a single indexer", async () => {
  // No process counts as dead while the test runs.
  const store = await openStore(chain, { index_lease_ms: 600_000, log_level: "info" });
  const first = run(store, "index", "--once");
  await until(() => first.said().includes("fills a range"));
  first.child.kill("SIGSTOP");
  const second = run(store, "index", "--once");
  await until(async () => (await filledBlocks(store, second.child.pid)) >= 128);
  const status = run(store, "status");
  await status.ended;
  expect(status.said()).toMatch(
    new RegExp(`blocks \\d+ to \\d+ of network ${NETWORK} are filled by \\S+ pid ${first.child.pid} since 2`),
  );
  first.child.kill("SIGCONT");
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
  const content = await readContent(store);
  expect(content).toMatchObject({ doubled: [], blocks: BLOCKS });
  expect(content.hash).toEqual(clean.hash);
});

test.each(SEEDS)(
  "leaves the facts of one undisturbed indexer when processes that fill ranges are stopped and killed at random (seed %s)",
  async (seed) => {
    const how = { chain, clean, seed, lease_ms: 2_500, strikes: STRIKES };
    const { faults, pauses, kills } = await runWriters(how);
    expect(faults).toEqual([]);
    expect(pauses + kills).toBeGreaterThan(0);
  },
);
