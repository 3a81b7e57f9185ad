import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayBlock, type ReplayServer, startReplay } from "../../bench/replay/server.ts";
import { is_long, sized } from "../long.ts";
import {
  branchFrom,
  COUNT,
  FINAL,
  FIRST,
  honestBlocks,
  type Indexing,
  LAST,
  openLyingIndex,
  problemOf,
  serve,
  until,
} from "./lying_index.ts";

const blocks = honestBlocks();
/** The bucket after the first is final as well when the tag is 20 blocks below this head. */
const LONG = 96;
const long_blocks = honestBlocks(LONG);
/** Checks of the stored blocks while two nodes disagree. */
const ROUNDS = sized({ slice: 10, long: 40 });
let stage: Awaited<ReturnType<typeof openLyingIndex>>;
const replays: ReplayServer[] = [];

const node = async (of: readonly ReplayBlock[], head?: number): Promise<ReplayServer> => {
  const replay = await serve(of, head === undefined ? {} : { head });
  replays.push(replay);
  return replay;
};

const clean_hashes = new Map<readonly ReplayBlock[], Record<string, string>>();

const cleanHash = async (of: readonly ReplayBlock[]): Promise<Record<string, string>> => {
  const known = clean_hashes.get(of);
  if (known !== undefined) return known;
  const indexing = await stage.index([(await node(of)).url]);
  await until(indexing, FIRST + of.length - 1);
  const hash = await indexing.hash(of.length === LONG ? FIRST + 63 : FINAL);
  await indexing.stop();
  clean_hashes.set(of, hash);
  return hash;
};

const hashesOf = (of: readonly ReplayBlock[]): string[] => of.map(({ block }) => block.hash);

const expectOneChain = async (indexing: Indexing): Promise<void> => {
  const links = await indexing.links();
  expect(links.slice(1).map(({ parent }) => parent)).toEqual(links.slice(0, -1).map(({ hash }) => hash));
};

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  stage = await openLyingIndex();
});
afterAll(async () => {
  await stage.close();
  await Promise.all(replays.map((replay) => replay.close()));
});

test("names both chains and writes nothing with a node of another chain", async () => {
  const replay = await serve(blocks, { chain_id: 5 });
  replays.push(replay);
  const indexing = await stage.index([replay.url]);
  expect(await problemOf(indexing)).toMatch(/serves chain 5, but Ethereum is chain 1/);
  expect(await indexing.held()).toBe(0);
  await indexing.stop();
});

test.skipIf(!is_long)("ignores a node of another chain beside a right one", async () => {
  const wrong = await serve(blocks, { chain_id: 5 });
  replays.push(wrong);
  const indexing = await stage.index([wrong.url, (await node(blocks)).url]);
  await until(indexing, LAST);
  expect(await indexing.hash(FINAL)).toEqual(await cleanHash(blocks));
  await indexing.stop();
});

test("drops nothing when a lone node falls behind by a few blocks, and nothing final when it falls far behind", async () => {
  const replay = await node(blocks);
  const indexing = await stage.index([replay.url]);
  await until(indexing, LAST);
  replay.setHead(LAST - 5);
  await soon(300);
  expect(await indexing.held()).toBe(COUNT);
  replay.setHead(FIRST + 3);
  await soon(300);
  await expectOneChain(indexing);
  expect(await indexing.held()).toBeGreaterThanOrEqual(32);
  replay.setHead(LAST);
  await until(indexing, LAST);
  expect(await indexing.hash(FINAL)).toEqual(await cleanHash(blocks));
  await indexing.stop();
});

test.skipIf(!is_long)("follows another node when the preferred one stops at a block, and drops nothing", async () => {
  const [slow, good] = [await node(blocks, LAST - 8), await node(blocks, LAST - 8)];
  const indexing = await stage.index([slow.url, good.url]);
  await until(indexing, LAST - 8);
  good.setHead(LAST);
  await until(indexing, LAST);
  expect(await indexing.hash(FINAL)).toEqual(await cleanHash(blocks));
  // The slow node even loses blocks that it had.
  slow.setHead(FIRST + 40);
  await soon(300);
  expect(await indexing.held()).toBe(COUNT);
  await indexing.stop();
});

test("names the block and keeps final facts when a node reorganises below its finalized tag, and lets it return", async () => {
  const replay = await node(blocks);
  const indexing = await stage.index([replay.url]);
  await until(indexing, LAST);
  // Blocks up to FIRST + 31 are stored as final.
  replay.replace(branchFrom(blocks, FIRST + 20, COUNT - 10));
  expect(await problemOf(indexing)).toMatch(/20000032 does not follow the stored final block 20000031/);
  const links = await indexing.links();
  expect(links.slice(0, 32).map(({ hash }) => hash)).toEqual(hashesOf(blocks.slice(0, 32)));
  await expectOneChain(indexing);
  replay.replace(blocks);
  await until(indexing, LAST);
  expect(await indexing.hash(FINAL)).toEqual(await cleanHash(blocks));
  await indexing.stop();
});

test("holds one of two branches of the tail at any time while two nodes disagree, and heals when they agree", async () => {
  const branch = branchFrom(blocks, FIRST + 36, COUNT - 36);
  const other = await node([...blocks.slice(0, 36), ...branch]);
  const indexing = await stage.index([(await node(blocks)).url, other.url]);
  const histories = [hashesOf(blocks), hashesOf([...blocks.slice(0, 36), ...branch])].map((hashes) => hashes.join());
  for (let round = 0; round < ROUNDS; round += 1) {
    await soon(25);
    const { from_block, remaining_blocks } = indexing.status();
    if (from_block !== FIRST || remaining_blocks !== 0) continue;
    const held = (await indexing.links()).map(({ hash }) => hash).join();
    expect(histories.some((history) => history.startsWith(held))).toBe(true);
  }
  other.replace(blocks);
  await until(indexing, LAST);
  expect(await indexing.hash(FINAL)).toEqual(await cleanHash(blocks));
  await indexing.stop();
});

test("reports nodes on two branches when a dropped tail returns, until the tail is stable", async () => {
  const branch = [...blocks.slice(0, 36), ...branchFrom(blocks, FIRST + 36, COUNT - 36)];
  const replay = await node(blocks);
  const indexing = await stage.index([replay.url]);
  await until(indexing, LAST);
  const holds = (of: readonly ReplayBlock[]) =>
    expect
      .poll(async () => (await indexing.links()).map(({ hash }) => hash), { timeout: 20_000 })
      .toEqual(hashesOf(of));
  // A chain may return to a branch: twice is no problem yet.
  for (const there of [branch, blocks, branch]) {
    replay.replace(there);
    await holds(there);
    expect(indexing.status().problem).toBeNull();
  }
  replay.replace(blocks);
  expect(await problemOf(indexing, /two branches/)).toMatch(/are dropped and return \(3 times\)/);
  await until(indexing, LAST);
  expect(await indexing.hash(FINAL)).toEqual(await cleanHash(blocks));
  await indexing.stop();
});

test("finalizes the blocks of the tail, even if only a node on another branch can serve them", async () => {
  const branch = [...long_blocks.slice(0, 40), ...branchFrom(long_blocks, FIRST + 40, LONG - 40)];
  const tags = { finalized_behind: 64 };
  const state = (): string => "0x";
  const honest = { blocks: long_blocks, chain_id: 1, state, ...tags };
  const strange = { blocks: branch, chain_id: 1, state, ...tags };
  const [good, bad] = [await startReplay(honest), await startReplay(strange)];
  replays.push(good, bad);
  const untraced = { kind: "http_500", method: "debug_traceBlockByNumber" } as const;
  const indexing = await stage.index([good.url, bad.url]);
  bad.faults.push({ ...untraced });
  await until(indexing, FIRST + LONG - 1);
  expect((await indexing.links()).map(({ hash }) => hash)).toEqual(hashesOf(long_blocks));
  // Now only the other branch can be read in full, and blocks 32 to 63 become final.
  bad.faults.splice(0);
  good.faults.push({ ...untraced });
  honest.finalized_behind = 20;
  strange.finalized_behind = 20;
  await problemOf(indexing, /block 20000063 became final, but is not the block that the tail follows/);
  await expectOneChain(indexing);
  good.faults.splice(0);
  bad.faults.push({ ...untraced });
  await until(indexing, FIRST + LONG - 1);
  expect((await indexing.links()).map(({ hash }) => hash)).toEqual(hashesOf(long_blocks));
  if (is_long) expect(await indexing.hash(FIRST + 63)).toEqual(await cleanHash(long_blocks));
  await indexing.stop();
});
