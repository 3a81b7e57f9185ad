import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import { type RentedNode, rentNode } from "./rented_node.ts";
import { openDemoWorld, openTestService, type TestService, type WorldService } from "./served_world.ts";
import { still } from "./still.ts";
import { runMore } from "./truth.ts";

/** A network that is read on demand through a rented node answers as the whole index does. */

let whole: WorldService;
let node: RentedNode;
let demand: TestService;

const openOnDemand = async (url: string): Promise<TestService> => {
  const { project: _, ...demo } = demoNetwork(whole.world);
  return openTestService({
    networks: [{ ...demo, rpc: [url], poll_ms: 100, index: "on_demand" }],
    listed: [demo.network],
    settings: { on_demand: settings.parse({ on_demand: { wait_seconds: 25, follow_seconds: 0 } }).on_demand },
  });
};

beforeAll(async () => {
  whole = await openDemoWorld();
  // Everything in the story becomes final.
  await runMore(whole, async ({ rpc }) => {
    await rpc.call("anvil_mine", "0x60");
  });
  node = await rentNode(whole.world.url, { traces: true, log_blocks_max: 200, calls_per_second: 2_000 });
  demand = await openOnDemand(node.url);
});
afterAll(async () => {
  await demand?.close();
  await node?.close();
  await whole?.close();
});

const addressOf = (name: CharacterName): string => CHARACTERS[name].address;

test("first look", async () => {
  for (const tool of ["get_wallet_transactions", "get_wallet_token_holdings", "get_wallet_counterparties", "get_wallet_stats", "get_wallet_pnl", "get_wallet_transaction_patterns", "get_wallet_portfolio_breakdown"]) {
    const t0 = Date.now();
    const [a, b] = [await whole.ask(tool, { address: addressOf("alice"), network: "demo" }), await demand.ask(tool, { address: addressOf("alice"), network: "demo" })];
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`/tmp/q/${tool}.whole.json`, JSON.stringify(still(a.text), null, 1));
    writeFileSync(`/tmp/q/${tool}.demand.json`, JSON.stringify(still(b.text), null, 1));
    console.log(tool, Date.now() - t0, a.body.status, b.body.status, b.body.code, b.body.message);
  }
  console.log(Object.fromEntries(node.byMethod));
  console.log(JSON.stringify(demand.service.progress()));
  expect(1).toBe(1);
});
