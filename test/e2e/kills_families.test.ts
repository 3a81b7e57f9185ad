import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatAddress } from "../../src/chains/tron/address.ts";
import { settings } from "../../src/config.ts";
import { openFactsOnly } from "../../src/main.ts";
import { factsHash } from "../facts_hash.ts";
import { type SolanaWorld, startSolanaWorld } from "../solana/world/world.ts";
import { startTronDemo, type TronDemoWorld } from "../tron/world/world.ts";
import { ended, indexBlocks, MOMENTS, processesOf, sleep } from "./indexer_process.ts";
import { T0 } from "./stage.ts";

let solana: SolanaWorld;
let tron: TronDemoWorld;
const folders: string[] = [];

beforeAll(async () => {
  [solana, tron] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0)]);
});
afterAll(async () => {
  await solana?.stop();
  await tron?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** Both networks in one configuration, as an operator would write it. */
const openFolder = async (): Promise<{ folder: string; config: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-kills-"));
  folders.push(folder);
  const config = join(folder, "assay.config.json");
  const at = (name: string): string => formatAddress(tron.stage.address(name).slice(2).toLowerCase());
  const plain = { from_block: 0, poll_ms: 50 };
  const networks = {
    "demo-solana": { ...plain, rpc: [solana.url], stablecoins: [{ symbol: "USDC", address: solana.mints.usdc }] },
    "demo-tron": {
      ...plain,
      rpc: [tron.url],
      wrapped_native: at("wtrx"),
      stablecoins: [{ symbol: "USDT", address: at("usdt") }],
    },
  };
  await writeFile(config, JSON.stringify({ listen: "127.0.0.1:0", data_dir: "data", networks }));
  return { folder, config };
};

const hashOf = async (folder: string) => {
  const facts = await openFactsOnly(settings.parse({}), join(folder, "data"));
  try {
    const hashes: Record<string, Record<string, string>> = {};
    for (const [id, head] of [
      ["demo-solana", solana.head.number],
      ["demo-tron", tron.head.number],
    ] as const) {
      const { final_block, block } = await facts.facts.snapshot(id, null);
      expect([id, block.number]).toEqual([id, head]);
      hashes[id] = await factsHash(facts.engine, id, final_block);
    }
    return hashes;
  } finally {
    await facts.close();
  }
};

test("an indexer of Solana and Tron that is killed with its engine leaves the same facts as a clean index", async () => {
  const clean = await openFolder();
  const began = performance.now();
  expect(await ended(indexBlocks(clean.config, ["--once"]))).toBe(0);
  const took_ms = performance.now() - began;
  const expected = await hashOf(clean.folder);
  for (const [id, head] of [
    ["demo-solana", solana.head.number],
    ["demo-tron", tron.head.number],
  ] as const)
    expect([id, expected[id]?.blocks?.split(" ")[0]]).toEqual([id, String(head + 1)]);

  const { folder, config } = await openFolder();
  let engines = 0;
  for (const [i, moment] of MOMENTS.entries()) {
    const child = indexBlocks(config, []);
    await sleep(moment * took_ms);
    // By turns the indexer first, and its engine first.
    if (i % 2 === 0) child.kill("SIGKILL");
    for (const pid of processesOf(folder).filter((pid) => pid !== child.pid)) {
      process.kill(pid, "SIGKILL");
      engines += 1;
    }
    child.kill("SIGKILL");
    await ended(child);
  }
  expect(engines).toBeGreaterThan(0);
  expect(await ended(indexBlocks(config, ["--once"]))).toBe(0);
  expect(await hashOf(folder)).toEqual(expected);
  await expect.poll(() => processesOf(folder), { timeout: 10_000 }).toEqual([]);
}, 1_200_000);
