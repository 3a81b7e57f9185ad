import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import type { FactsStore } from "../../src/store/open.ts";
import { readBatches, readSubjects, writeWishes } from "../../src/store/subjects/records.ts";
import { isSound, verifyNetwork } from "../../src/store/verify/index.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { startDemoWorld } from "../demo_world.ts";
import { factsHash, rowsOfBlocks } from "../facts_hash.ts";
import { type HookedNode, hookedNode, rpcError } from "../hooked_node.ts";
import { sized } from "../long.ts";
import { drawsOf } from "../random.ts";
import { CLI, ended, indexBlocks, indexOnce, processesOf, sleep } from "./indexer_process.ts";
import { T0 } from "./served_world.ts";
import { writeWorldConfig } from "./world_config.ts";

/**
 * Blocks of addresses that were read while the node had lost their inner calls are read again, also through kills: rows and records are those
 * of a node that lost nothing. `assay facts verify` finds rows that are lost, and rows that no batch has.
 */

const NAMES = ["alice", "bob", "dave"] as const;
const subjects = NAMES.map((name) => hex(CHARACTERS[name].address.slice(2).toLowerCase())).sort();
const KILLS = sized({ slice: 2, long: 24 });

let world: EvmWorld;
let node: HookedNode;
/** The node has lost the inner calls of these blocks. */
let isLost = (_: number): boolean => false;
const traced: number[] = [];
const folders: string[] = [];

beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  await world.rpc.call("anvil_mine", "0x60");
  node = await hookedNode(world.url, ({ method, params }) => {
    if (method !== "debug_traceBlockByNumber") return undefined;
    const block = Number(params[0]);
    traced.push(block);
    return isLost(block) ? rpcError("missing trie node") : undefined;
  });
});
afterAll(async () => {
  await node?.close();
  await world?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-batch-healing-"));
  folders.push(folder);
  return folder;
};

const configOf = (folder: string): string => join(folder, "assay.config.json");

const withStore = async <T>(folder: string, run: (store: FactsStore) => Promise<T>): Promise<T> => {
  const store = await openFactsOnly(settings.parse({}), join(folder, "data"));
  try {
    return await run(store);
  } finally {
    await store.close();
  }
};

const index = async (folder: string): Promise<void> => {
  const { code, said } = await indexOnce(configOf(folder));
  expect([code, said]).toEqual([0, said]);
};

/** Reads the three wallets on demand, or the whole chain. */
const openFolder = async (mode: "on_demand" | "whole"): Promise<string> => {
  const folder = await newFolder();
  const config = await writeWorldConfig(world, folder);
  // The file that was just written.
  const written = JSON.parse(await readFile(config, "utf8")) as { networks: { demo: object } };
  const demo = { ...written.networks.demo, rpc: [node.url], index: mode };
  await writeFile(config, JSON.stringify({ ...written, networks: { demo } }));
  if (mode === "on_demand")
    await withStore(folder, ({ writer }) => writeWishes(writer, "demo", { subjects, wish: "track", asked_by: "" }));
  await index(folder);
  return folder;
};

/** Rows, the record of each wallet, and whether everything fits together. */
const contentsOf = (folder: string) =>
  withStore(folder, async ({ engine }) => {
    const verified = await verifyNetwork(engine, "demo", { signal: AbortSignal.timeout(60_000) });
    const records = await readSubjects(engine, "demo");
    return {
      hash: await factsHash(engine, "demo", Number.MAX_SAFE_INTEGER),
      records: records.map(({ rewrites: _, requests: __, wished_ms: ___, ...record }) => record),
      rewrites: records.map(({ rewrites }) => rewrites),
      wrong: isSound(verified) && verified.unfinished.length === 0 ? null : verified,
      verified,
    };
  });

let clean: Awaited<ReturnType<typeof contentsOf>>;
let lossy: string;
let stored: readonly number[];
beforeAll(async () => {
  const folder = await openFolder("on_demand");
  clean = await contentsOf(folder);
  stored = await withStore(folder, async ({ engine }) =>
    (await readBatches(engine, "demo")).flatMap(({ blocks }) => blocks).sort((a, b) => a - b),
  );
  // The middle third of the blocks.
  const [low = 0, high = 0] = [stored[Math.floor(stored.length / 3)], stored[Math.floor((2 * stored.length) / 3)]];
  isLost = (block) => block >= low && block < high;
  lossy = await openFolder("on_demand");
}, 600_000);

test("an index without losses fits together, and every block of it counts", () => {
  expect(clean.wrong).toBeNull();
  expect(clean.verified).toMatchObject({ segments: 0, blocks: stored.length, findings: [] });
  expect(clean.verified.batches).toBeGreaterThan(1);
  expect(clean.records.map(({ state, is_balanced, untraced }) => [state, is_balanced, untraced])).toEqual(
    NAMES.map(() => ["read", true, []]),
  );
});

test("while the node serves no inner calls, each stretch is requested once, and nothing changes", async () => {
  const before = await contentsOf(lossy);
  expect(before.wrong).toBeNull();
  expect(before.records.some(({ untraced }) => untraced.length > 0)).toBe(true);
  expect(before.hash).not.toEqual(clean.hash);
  traced.length = 0;
  await index(lossy);
  expect((await contentsOf(lossy)).hash).toEqual(before.hash);
  const again = traced.filter((block) => isLost(block) && stored.includes(block));
  expect(again.length).toBeGreaterThan(0);
  // Far less than the blocks that it has lost.
  expect(new Set(again).size).toBeLessThan(stored.filter(isLost).length / 4);
}, 120_000);

test("kills while batches are read again leave right facts, and in the end those of a node that lost nothing", async () => {
  const random = drawsOf(11);
  const lost = isLost;
  for (let kills = 0; kills < KILLS; kills += 1) {
    const folder = await newFolder();
    await cp(lossy, folder, { recursive: true });
    isLost = () => false;
    const child = indexBlocks(configOf(folder), []);
    await sleep(1_500 + 3_000 * random());
    const engines = kills % 2 === 0 ? processesOf(folder).filter((pid) => pid !== child.pid) : [];
    child.kill("SIGKILL");
    for (const pid of engines) process.kill(pid, "SIGKILL");
    await ended(child);
    // In a third of the cases the node has lost them again.
    if (kills % 3 === 1) isLost = lost;
    await index(folder);
    const { wrong, records } = await contentsOf(folder);
    expect(wrong).toBeNull();
    expect(records.map(({ state, is_rewriting }) => [state, is_rewriting])).toEqual(NAMES.map(() => ["read", false]));
    isLost = () => false;
    await index(folder);
    const after = await contentsOf(folder);
    expect(after.hash).toEqual(clean.hash);
    expect(after.records).toEqual(clean.records);
    expect(after.wrong).toBeNull();
  }
  isLost = lost;
}, 1_200_000);

test("a node that serves them again makes rows and records those of a whole index", async () => {
  isLost = () => false;
  await index(lossy);
  const healed = await contentsOf(lossy);
  expect(healed.hash).toEqual(clean.hash);
  expect(healed.records).toEqual(clean.records);
  expect(healed.wrong).toBeNull();
  expect(Math.max(...healed.rewrites)).toBeGreaterThan(0);
  const whole = await openFolder("whole");
  const rowsIn = (folder: string) => withStore(folder, ({ engine }) => rowsOfBlocks(engine, "demo", stored));
  expect(await rowsIn(lossy)).toEqual(await rowsIn(whole));
}, 600_000);

interface VerifyAnswer {
  readonly ok: boolean;
  readonly networks: readonly {
    readonly findings: readonly { readonly table: string; readonly from_block: number; readonly kind: string }[];
    readonly repair: null | {
      readonly taken_back: readonly { readonly from: number }[];
      readonly not_read: string | null;
    };
  }[];
}

const verify = async (...flags: readonly string[]): Promise<{ code: number | null; answer: VerifyAnswer }> => {
  const asked = ["facts", "verify", "--config", configOf(lossy), "--json", ...flags];
  const child = spawn(process.execPath, [CLI, ...asked], { stdio: ["ignore", "pipe", "ignore"] });
  const [said, code] = await Promise.all([text(child.stdout), ended(child)]);
  // The format of `assay facts verify --json`.
  return { code, answer: JSON.parse(said) as VerifyAnswer };
};

test("facts verify finds a lost row, a foreign row and a row of no batch, and repairs them", async () => {
  expect((await verify()).code).toBe(0);
  const [first = 0, last = 0] = [stored[0], stored.at(-1)];
  const [of_first, of_last] = await withStore(lossy, async ({ engine }) => {
    const batches = await readBatches(engine, "demo");
    const batchOf = (block: number) => batches.find(({ blocks }) => blocks.includes(block))?.blocks[0];
    const [row] = await engine.query(`SELECT max(block_number) FROM transfers WHERE block_number <= ${last}`);
    const newest = Number(row?.[0]);
    await engine.command(`DELETE FROM transfers WHERE network = 'demo' AND block_number = ${newest}`);
    const columns = "network, time, tx_index, position, kind, token, token_id, sender, source, destination, amount";
    const copy = (block: number) =>
      engine.command(`INSERT INTO transfers (block_number, ${columns}) SELECT ${block}, ${columns} FROM transfers
        WHERE network = 'demo' AND block_number IN (${stored.join(", ")}) ORDER BY block_number LIMIT 1`);
    await copy(first);
    await copy(last + 1_000);
    return [batchOf(first), batchOf(newest)];
  });
  const { code, answer } = await verify();
  expect(code).toBe(1);
  const found = answer.networks[0]?.findings.filter(({ table }) => table === "transfers");
  expect(new Set(found?.map(({ from_block }) => from_block))).toEqual(new Set([of_first, of_last, last + 1_000]));
  const repaired = await verify("--repair");
  expect(repaired.answer.networks[0]?.repair?.not_read).toBeNull();
  expect(new Set(repaired.answer.networks[0]?.repair?.taken_back.map(({ from }) => from))).toEqual(
    new Set([of_first, of_last]),
  );
  expect([repaired.code, repaired.answer.ok]).toEqual([0, true]);
  const after = await contentsOf(lossy);
  expect(after.hash).toEqual(clean.hash);
  expect(after.records).toEqual(clean.records);
}, 300_000);
