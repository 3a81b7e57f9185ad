// @long: alone
import { expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { factsHash } from "../facts_hash.ts";
import { caughtUp, openDemoWorld, openTestService } from "./served_world.ts";

const cleanHash = async (world: EvmWorld): Promise<Record<string, string>> => {
  const demo = demoNetwork(world);
  const stage = await openTestService({ networks: [{ ...demo, poll_ms: 20 }], listed: [demo.network] });
  try {
    await caughtUp(stage.service);
    const { final_block } = await stage.service.facts.facts.snapshot("demo", null);
    return await factsHash(stage.service.facts.engine, "demo", final_block);
  } finally {
    await stage.close();
  }
};

test("a reorganisation of five blocks while indexing leaves the same facts as a clean index", {
  timeout: 400_000,
}, async () => {
  const stage = await openDemoWorld();
  const { world } = stage;
  try {
    const before = await stage.service.facts.facts.snapshot("demo", null);
    await world.rpc.call("anvil_reorg", 5, []);
    await world.rpc.call("evm_mine");
    const head = async () => Number(await world.rpc.call("eth_blockNumber"));
    const target = await head();
    await expect
      .poll(async () => (await stage.service.facts.facts.snapshot("demo", null)).block.number, { timeout: 120_000 })
      .toBe(target);
    const after = await stage.service.facts.facts.snapshot("demo", null);
    expect(after.block.hash).not.toBe(before.block.hash);
    const hash = await factsHash(stage.service.facts.engine, "demo", after.final_block);
    expect(hash).toEqual(await cleanHash(world));
  } finally {
    await stage.close();
  }
});
