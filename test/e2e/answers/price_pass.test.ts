import { expect, test } from "vitest";
import { demoNetwork } from "../../../src/commands/demo.ts";
import { pricesAt } from "../../../src/domain/valuation/prices/price_now.ts";
import { openPricePass } from "../../../src/domain/valuation/prices/price_pass.ts";
import { type Hex, hex } from "../../../src/lib/bytes.ts";
import { overriding } from "../../../src/lib/overriding.ts";
import type { Facts, Snapshot } from "../../../src/store/facts.ts";
import { sized } from "../../long.ts";
import { sharedWorld } from "../served_world.ts";

/** The same facts with a memory of their own; `asked` collects the names of their queries. */
const alone = (facts: Facts, asked: string[]): Facts => {
  const kinds = new Map<unknown, object>();
  const own: Facts["own"] = (kind) => {
    const made = kinds.get(kind) ?? new kind();
    kinds.set(kind, made);
    // Made by `kind`.
    return made as InstanceType<typeof kind>;
  };
  const ask: Facts["ask"] = (snapshot, query, params) => {
    asked.push(query);
    return facts.ask(snapshot, query, params);
  };
  return overriding(facts, { own, ask });
};

test("one pass over the pools has the prices that each block has by itself", async () => {
  const stage = await sharedWorld();
  const { network } = demoNetwork(stage.world);
  const { facts } = stage.service.facts;
  const newest = await facts.snapshot(network.id, null);
  // The last block of each hour, of hours with trades and without.
  const blocks = Array.from({ length: newest.block.number }, (_, block) => block);
  const times = await facts.ask(newest, "block_times", { blocks });
  const ends = new Map(times.map(({ block_number, time }) => [Math.floor(time / 3_600), block_number]));
  const wanted = [...ends.values()].slice(sized({ slice: -40, long: -300 }), -1);
  const snapshots: Snapshot[] = [];
  for (const block of wanted) snapshots.push(await facts.snapshot(network.id, block));
  const tokens: readonly Hex[] = [
    "",
    ...["usdc", "usdt", "weth", "harbor", "sunrise", "juniper"].map((name) =>
      hex((stage.world.contracts[name] ?? "").slice(2).toLowerCase()),
    ),
  ];

  const passed = alone(facts, []);
  const pass = await openPricePass({ facts: passed, network, snapshot: newest }, tokens);
  let priced = 0;
  for (let first = 0; first < snapshots.length; first += 8) {
    const part = snapshots.slice(first, first + 8);
    await pass(part);
    for (const snapshot of part) {
      const asked: string[] = [];
      const after = overriding(passed, { ask: alone(facts, asked).ask });
      const found = await pricesAt({ facts: after, network, snapshot }, tokens);
      const expected = await pricesAt({ facts: alone(facts, []), network, snapshot }, tokens);
      expect([snapshot.block.number, ...found]).toEqual([snapshot.block.number, ...expected]);
      // It looks stored prices up, and reads no pool again.
      expect(asked.filter((query) => query !== "prices_at_hours")).toEqual([]);
      priced += expected.size;
    }
  }
  expect(priced).toBeGreaterThan(snapshots.length * 2);
});
