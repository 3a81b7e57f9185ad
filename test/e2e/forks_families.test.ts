// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoSolanaNetwork, demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { SECONDS_A_DAY } from "../../src/demo/evm/act.ts";
import { type SolanaWorld, startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo, type TronDemoWorld } from "../../src/demo/tron/world.ts";
import { type Indexing, openLyingIndex, until } from "./lying_index.ts";
import { T0 } from "./served_world.ts";

const DEPTH = 3;
const AFTER = T0 + 90 * SECONDS_A_DAY;
const BUCKET = 32;

let solana: SolanaWorld;
let tron: TronDemoWorld;

beforeAll(async () => {
  [solana, tron] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0)]);
});
afterAll(async () => {
  await solana?.stop();
  await tron?.stop();
});

/** Newest block of the final tables. */
const finalOf = (head: number, behind: number): number => Math.floor((head - behind + 1) / BUCKET) * BUCKET - 1;

const hashAt = async (indexing: Indexing, head: number, behind: number) => {
  await until(indexing, head);
  const hash = await indexing.hash(finalOf(head, behind));
  await indexing.stop();
  return hash;
};

test("leaves no row of dropped blocks of Solana, and reads their contents from the new ones", async () => {
  const { network, rpc } = demoSolanaNetwork(solana);
  const { facade } = solana;
  const stage = await openLyingIndex({ network, from_block: 0 });
  try {
    const indexing = await stage.index(rpc);
    await until(indexing, facade.head);
    const before = await indexing.links();
    facade.fork(DEPTH);
    facade.seal(0, AFTER);
    facade.seal(2, AFTER + 12);
    const followed = await hashAt(indexing, facade.head, network.finality_blocks);
    const clean = await stage.index(rpc);
    await until(clean, facade.head);
    // The slots of the dropped blocks are skipped now.
    const after = await clean.links();
    expect(after.slice(0, before.length)).not.toEqual(before);
    expect(followed).toEqual(await hashAt(clean, facade.head, network.finality_blocks));
  } finally {
    await stage.close();
  }
}, 120_000);

test("leaves no row of dropped blocks of Tron", async () => {
  const { network, rpc } = demoTronNetwork(tron);
  const stage = await openLyingIndex({ network, from_block: 0 });
  try {
    const indexing = await stage.index(rpc);
    const head = tron.head.number;
    await until(indexing, head);
    const before = await indexing.links();
    await tron.stage.rpc.call("anvil_reorg", DEPTH, []);
    tron.facade.forget(head - DEPTH + 1);
    // A longer chain, which ends with an internal payment.
    tron.stage.at(AFTER);
    await tron.stage.act({
      from: "oscar",
      to: "forwarder",
      value: 7n,
      call: ["forward(address,bytes) payable", ["@dave", "0x"]],
    });
    const followed = await hashAt(indexing, head + 1, network.finality_blocks);
    const clean = await stage.index(rpc);
    expect(followed).toEqual(await hashAt(clean, head + 1, network.finality_blocks));
    expect(before).toHaveLength(head + 1);
    expect(await tron.blockHash(head)).not.toBe(tron.head.hash);
  } finally {
    await stage.close();
  }
}, 120_000);
