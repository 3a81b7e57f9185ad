import { afterAll, beforeAll, expect, test } from "vitest";
import { type FarChain, FINAL_BEHIND, startFarChain } from "../../bench/far_chain/chain.ts";
import { settings } from "../../src/config/settings.ts";
import { hex } from "../../src/lib/bytes.ts";
import { readBatches, readSubjects, type SubjectRecord, writeWishes } from "../../src/store/subjects/records.ts";
import { enabledNetwork } from "../../src/wiring/enabled_network.ts";
import { sleep } from "./indexer_process.ts";
import { openTestService, type TestService } from "./served_world.ts";

/** Many small addresses of a long chain: they share batches when they are read, and requests when they are followed. */

const BLOCKS = 200_000;
/** Final when the addresses are read first. */
const HALF = 100_000;
const WALLETS = 24;
const APPEARANCES = 5;
const CHAIN_ID = 900_001;

let far: FarChain;
let stage: TestService;
beforeAll(async () => {
  far = await startFarChain({
    ...{ chain_id: CHAIN_ID, blocks: BLOCKS, wallets: WALLETS, appearances: APPEARANCES, others: 1, latency_ms: 0 },
  });
  far.node.setHead(HALF + FINAL_BEHIND);
  const { networks, on_demand } = settings.parse({
    on_demand: { follow_seconds: 1 },
    networks: {
      far: {
        ...{ family: "evm", chain_id: CHAIN_ID, native: { symbol: "FAR", decimals: 18 }, rpc: [far.node.url] },
        ...{ index: "on_demand", openings: "skip" },
      },
    },
  });
  const [entry] = Object.values(networks);
  if (entry === undefined) throw new Error("the network is not configured");
  stage = await openTestService({ networks: [enabledNetwork("far", entry)], settings: { on_demand } });
});
afterAll(async () => {
  await stage?.close();
  await far?.node.close();
});

const when = async (isThere: (record: SubjectRecord) => boolean): Promise<readonly SubjectRecord[]> => {
  for (;;) {
    const records = await readSubjects(stage.service.facts.engine, "far");
    if (records.filter(isThere).length === WALLETS) return records;
    await sleep(200);
  }
};

const whenReadTo = (to_block: number) => when((one) => one.state === "read" && one.to_block === to_block);
const whenAtHead = (block: number) => when(({ head }) => head?.number === block);

const appearancesTo = (last: number): readonly (readonly number[])[] =>
  far.wallets.map(({ appearances }) => appearances.map(({ block }) => block).filter((block) => block <= last));

/** Blocks that are stored, which must be those of the wallets, each in one batch. */
const mustHold = async (last: number): Promise<number> => {
  const { engine } = stage.service.facts;
  const wanted = [...new Set(appearancesTo(last).flat())].sort((a, b) => a - b);
  const stored = await engine.query("SELECT block_number FROM blocks WHERE tail = 0 ORDER BY block_number");
  expect(stored.map(([number]) => Number(number))).toEqual(wanted);
  const batches = await readBatches(engine, "far", "all");
  expect(batches.flatMap(({ blocks }) => blocks).sort((a, b) => a - b)).toEqual(wanted);
  expect(batches.every(({ state }) => state === "done")).toBe(true);
  return batches.length;
};

test("small addresses share batches, and are read whole", async () => {
  const subjects = far.wallets.map(({ address }) => hex(address.slice(2)));
  await writeWishes(stage.service.facts.writer, "far", { wish: "track", asked_by: "", subjects });
  const records = await whenReadTo(HALF);
  const counts = new Map(far.wallets.map(({ address }, i) => [address.slice(2), appearancesTo(HALF)[i]?.length]));
  for (const { subject, found, is_plain, is_balanced } of records)
    expect([found, is_plain, is_balanced]).toEqual([counts.get(subject), true, true]);
  expect(await mustHold(HALF)).toBeLessThan(WALLETS);
});

test("news of followed addresses are found by a look at all of them", async () => {
  far.node.setHead(BLOCKS + FINAL_BEHIND);
  const records = await whenReadTo(BLOCKS);
  for (const { found, is_plain, is_balanced } of records)
    expect([found, is_plain, is_balanced]).toEqual([APPEARANCES, true, true]);
  await mustHold(BLOCKS);
});

test("looks without news take few requests for all addresses together", async () => {
  const { stats } = far.node;
  const [before, logs] = [await whenAtHead(BLOCKS + FINAL_BEHIND), stats.calls.eth_getLogs ?? 0];
  far.node.setHead(BLOCKS + 50 + FINAL_BEHIND);
  await whenReadTo(BLOCKS + 50);
  const after = await whenAtHead(BLOCKS + 50 + FINAL_BEHIND);
  // To the final block and to the head: one for each place of an address in a log.
  expect((stats.calls.eth_getLogs ?? 0) - logs).toBe(2 * 4);
  const took = after.map(({ requests }, i) => requests - (before[i]?.requests ?? 0));
  // Nonce, balance and code; nonce and balance before them, too, where no look has read them.
  expect(took.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2 * (4 + 5 * WALLETS));
  expect(Math.min(...took)).toBeGreaterThanOrEqual(2 * 3);
});
