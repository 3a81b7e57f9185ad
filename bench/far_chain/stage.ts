/** The product on a far chain's node, which runs in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { settings } from "../../src/config/settings.ts";
import { enabledNetwork } from "../../src/wiring/enabled_network.ts";
import { openTestService, type TestService } from "../../test/e2e/served_world.ts";
import { MULTICALL } from "../replay/contracts.ts";
import type { ReplayServer } from "../replay/server.ts";
import type { FarOptions } from "./chain.ts";

const CHAIN_ID = 900_001;
export const NETWORK = "far";

interface FarNode {
  readonly url: string;
  /** Of the chain's wallets. */
  readonly addresses: readonly string[];
  readonly stats: () => Promise<ReplayServer["stats"]>;
  readonly stop: () => Promise<void>;
}

const startNode = async (options: FarOptions): Promise<FarNode> => {
  const file = fileURLToPath(new URL("main.js", import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  if (child.stdout === null) throw new Error("the node has no output");
  const [line] = await once(createInterface(child.stdout), "line");
  // main.ts prints exactly these fields.
  const told = JSON.parse(String(line)) as Pick<FarNode, "url" | "addresses">;
  return {
    ...told,
    stats: async () => {
      const said = once(child, "message");
      child.send("stats");
      const [stats] = await said;
      return stats;
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
};

interface FarStageOptions extends Omit<FarOptions, "chain_id" | "keep"> {
  readonly verify?: string;
  /** The limit is configured, and not learned from refusals. */
  readonly is_set?: boolean;
}

export interface FarStage {
  readonly node: FarNode;
  readonly stage: TestService;
  /** Folder of the facts. */
  readonly facts_dir: string;
  readonly close: () => Promise<void>;
}

/** The product searches followed addresses again after ten minutes. */
export const openFarStage = async ({ verify = "full", is_set, ...far }: FarStageOptions): Promise<FarStage> => {
  const node = await startNode({ ...far, chain_id: CHAIN_ID });
  const limit = is_set === true ? { requests_per_second: far.per_second, counts: far.counts } : {};
  const { networks, on_demand } = settings.parse({
    on_demand: { wait_seconds: 20, follow_seconds: 600 },
    networks: {
      [NETWORK]: {
        ...{ family: "evm", chain_id: CHAIN_ID, native: { symbol: "FAR", decimals: 18 }, multicall: MULTICALL },
        ...{ rpc: [{ url: node.url, ...limit }], index: "on_demand", verify, openings: "skip" },
      },
    },
  });
  const entry = networks[NETWORK];
  if (entry === undefined) throw new Error("the network is not configured");
  const stage = await openTestService({ networks: [enabledNetwork(NETWORK, entry)], settings: { on_demand } });
  const close = async (): Promise<void> => {
    await stage.close();
    await node.stop();
  };
  return { node, stage, facts_dir: `${stage.data_dir}/facts`, close };
};
