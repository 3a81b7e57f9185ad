/** The demo chain indexed whole, and read on demand through a rented node. */

import type { RpcAddress } from "../../src/chains/node/rpc_address.ts";
import { demoNetwork } from "../../src/commands/demo.ts";
import { settings } from "../../src/config/settings.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { startDemoWorld } from "../demo_world.ts";
import { hookedNode } from "../hooked_node.ts";
import { type RentedLimits, type RentedNode, rentNode, withoutTraces } from "./rented_node.ts";
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

const PLAIN: RentedLimits = { traces: true, log_blocks_max: 200, calls_per_second: 2_000 };

/** A plan as providers sell it. */
export const SMALL_PLAN: RentedLimits & { readonly key: string } = {
  ...{ traces: false, log_blocks_max: 2_000, logs_max: 10_000, key: "k-4711" },
  ...{ calls_per_second: Number.POSITIVE_INFINITY, requests_per_second: 20 },
};

/**
 * The whole index has traces if the rented node does: else both lack the same.
 * @param has_dollars prices can be derived
 */
export const openWholeAndDemand = async (has_dollars: boolean, limits = PLAIN): Promise<WholeAndDemand> => {
  const world = await startDemoWorld({ placement: "demo", t0: T0 });
  // Everything in the story becomes final.
  await world.rpc.call("anvil_mine", "0x60");
  const { project: _, network, ...demo } = demoNetwork(world);
  const own = has_dollars ? network : { ...network, stablecoins: [] };
  const networkOf = (address: RpcAddress, index: "whole" | "on_demand"): EnabledNetwork => ({
    ...{ ...demo, network: own, rpc: [address], poll_ms: 100, index },
  });
  const source = limits.traces ? null : await hookedNode(world.url, withoutTraces);
  const whole = await openTestService({
    networks: [networkOf(source?.url ?? world.url, "whole")],
    listed: [network],
  });
  await caughtUp(whole.service);
  const node = await rentNode(world.url, limits);
  const headers = limits.key === undefined ? {} : { "x-api-key": limits.key };
  const rented = networkOf({ url: node.url, headers }, "on_demand");
  const demand = await openTestService({ networks: [rented], listed: [network], settings: { on_demand } });
  const close = async (): Promise<void> => {
    await demand.close();
    await node.close();
    await whole.close();
    await source?.close();
    await world.stop();
  };
  return { world, whole, node, demand, rented, close };
};
