/** The demo chain indexed whole, and read on demand through a rented node. */
import { demoNetwork } from "../../src/commands/demo.ts";
import { settings } from "../../src/config/settings.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { startDemoWorld } from "../demo_world.ts";
import { type RentedNode, rentNode } from "./rented_node.ts";
import { caughtUp, openTestService, T0, type TestService } from "./served_world.ts";

export interface WholeAndDemand {
  readonly world: EvmWorld;
  readonly whole: TestService;
  readonly node: RentedNode;
  readonly demand: TestService;
  /** The network as the second service has it. */
  readonly rented: EnabledNetwork;
  readonly close: () => Promise<void>;
}

const on_demand = settings.parse({ on_demand: { wait_seconds: 25, follow_seconds: 0 } }).on_demand;

/** `has_dollars`: prices can be derived. */
export const openWholeAndDemand = async (has_dollars: boolean): Promise<WholeAndDemand> => {
  const world = await startDemoWorld({ placement: "demo", t0: T0 });
  // Everything in the story becomes final.
  await world.rpc.call("anvil_mine", "0x60");
  const { project: _, network, ...demo } = demoNetwork(world);
  const own = has_dollars ? network : { ...network, stablecoins: [] };
  const networkOf = (url: string, index: "whole" | "on_demand"): EnabledNetwork => ({
    ...{ ...demo, network: own, rpc: [url], poll_ms: 100, index },
  });
  const whole = await openTestService({ networks: [networkOf(world.url, "whole")], listed: [network] });
  await caughtUp(whole.service);
  const node = await rentNode(world.url, { traces: true, log_blocks_max: 200, calls_per_second: 2_000 });
  const rented = networkOf(node.url, "on_demand");
  const demand = await openTestService({ networks: [rented], listed: [network], settings: { on_demand } });
  const close = async (): Promise<void> => {
    await demand.close();
    await node.close();
    await whole.close();
    await world.stop();
  };
  return { world, whole, node, demand, rented, close };
};
