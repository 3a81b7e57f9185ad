import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import { DAY_S, HOUR_S } from "../../src/lib/time.ts";
import type { PriceQuestion } from "../../src/store/facts.ts";
import { readDemandedPrices, writePriceWishes } from "../../src/store/subjects/price_records.ts";
import { heldSince, readSubjects, writeWishedBlock, writeWishes } from "../../src/store/subjects/records.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { startDemoWorld } from "../demo_world.ts";
import { factsHash } from "../facts_hash.ts";
import { sized } from "../long.ts";
import { drawsOf } from "../random.ts";
import { ended, indexBlocks, indexOnce, processesOf, sleep } from "./indexer_process.ts";
import { T0 } from "./served_world.ts";
import { writeWorldConfig } from "./world_config.ts";

/** Kills at any moment leave the rows of a clean run: of addresses on demand, two of which share blocks, of single blocks and of prices on demand. */

const NAMES = ["alice", "bob", "dave"] as const;
const subjects = NAMES.map((name) => hex(CHARACTERS[name].address.slice(2).toLowerCase()));
/** One hour of each of twenty days of the story. */
const HOURS = Array.from({ length: 20 }, (_, i) => T0 + (i * 4 + 3) * DAY_S + 14 * HOUR_S);
/** Blocks that calls about single transactions wish for. */
const SINGLES = [60, 61, 200, 333];
const KILLS = sized({ slice: 2, long: 30 });
const KILLS_PER_STORE = sized({ slice: 2, long: 6 });

let world: EvmWorld;
const questions = (): readonly PriceQuestion[] =>
  ["weth", "usdc", "usdt"].flatMap((name) => {
    const token = hex((world.contracts[name] ?? "0x").slice(2).toLowerCase());
    return HOURS.map((hour) => ({ token, hour, at_block: 0 }));
  });

beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  await world.rpc.call("anvil_mine", "0x60");
});
afterAll(() => world?.stop());

/** A folder whose configuration reads the world on demand, with the wish for the addresses. */
const wishedFolder = async (): Promise<{ readonly folder: string; readonly config: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-demand-kills-"));
  const config = await writeWorldConfig(world, folder);
  // The file that was just written.
  const written = JSON.parse(await readFile(config, "utf8")) as { networks: { demo: object } };
  const demo = { ...written.networks.demo, index: "on_demand" };
  await writeFile(config, JSON.stringify({ ...written, networks: { demo } }));
  const store = await openFactsOnly(settings.parse({}), join(folder, "data"));
  await writeWishes(store.writer, "demo", { subjects, wish: "track", asked_by: "" });
  await writePriceWishes(
    store.writer,
    "demo",
    questions().map((question) => ({ ...question, asked_by: "" })),
  );
  for (const block_number of SINGLES) await writeWishedBlock(store.writer, "demo", { block_number, asked_by: "" });
  await store.close();
  return { folder, config };
};

const finish = async (folder: string, config: string): Promise<Record<string, string>> => {
  const { code, said } = await indexOnce(config);
  if (code !== 0) throw new Error(`the indexer ended with ${code}: ${said}`);
  const store = await openFactsOnly(settings.parse({}), join(folder, "data"));
  try {
    const records = await readSubjects(store.engine, "demo");
    expect(records.map(({ state, is_balanced }) => [state, is_balanced])).toEqual(NAMES.map(() => ["read", true]));
    const held = await Promise.all(SINGLES.map((block) => heldSince(store.engine, "demo", block)));
    expect(held).not.toContain(null);
    const prices = await readDemandedPrices(store.engine, "demo", questions());
    expect(prices.map(({ state }) => state)).toEqual(questions().map(() => "priced"));
    const told = prices.map(({ written_ms: _, ...price }) => price);
    return { ...(await factsHash(store.engine, "demo", Number.MAX_SAFE_INTEGER)), prices: JSON.stringify(told) };
  } finally {
    await store.close();
  }
};

test("rows equal those of a clean run after kills of the indexer and of its engine", async () => {
  const clean = await wishedFolder();
  const began = performance.now();
  const expected = await finish(clean.folder, clean.config);
  const took_ms = performance.now() - began;
  await rm(clean.folder, { recursive: true, force: true });
  expect(Number(expected.ledger?.split(" ")[0])).toBeGreaterThan(100);
  const random = drawsOf(7);
  for (let kills = 0; kills < KILLS; ) {
    const { folder, config } = await wishedFolder();
    for (let n = 0; n < KILLS_PER_STORE && kills < KILLS; n += 1, kills += 1) {
      const child = indexBlocks(config, []);
      await sleep(took_ms * (0.2 + 0.7 * random()));
      const engines = kills % 2 === 0 ? processesOf(folder).filter((pid) => pid !== child.pid) : [];
      child.kill("SIGKILL");
      for (const pid of engines) process.kill(pid, "SIGKILL");
      await ended(child);
    }
    expect(await finish(folder, config)).toEqual(expected);
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}, 1_200_000);
