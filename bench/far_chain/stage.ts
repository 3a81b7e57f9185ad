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
import { type FarOptions, FINAL_BEHIND } from "./chain.ts";

const CHAIN_ID = 900_001;
export const NETWORK = "far";

interface FarNode {
  readonly url: string;
  /** Of the chain's wallets. */
  readonly addresses: readonly string[];
  readonly stats: () => Promise<ReplayServer["stats"]>;
  /** Moves the head of the chain. */
  readonly setHead: (block: number) => Promise<void>;
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
  const ask = async (message: string | number): Promise<ReplayServer["stats"]> => {
    const said = once(child, "message");
    child.send(message);
    const [stats] = await said;
    return stats;
  };
  return {
    ...told,
    stats: () => ask("stats"),
    setHead: (block) => ask(block).then(() => undefined),
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
  /** Default: ten minutes. */
  readonly follow_seconds?: number;
}

/** Of the facts. */
export const diskBytes = async ({ service }: TestService): Promise<number> => {
  const { engine } = service.facts;
  const sums = "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = {database:String}";
  return Number((await engine.query(sums, { params: { database: engine.database } }))[0]?.[0]);
};

export interface FarStage {
  readonly node: FarNode;
  readonly stage: TestService;
  /** Folder of the facts. */
  readonly facts_dir: string;
  /** Block of the head at first, and how far final blocks are behind it. */
  readonly head: number;
  readonly final_behind: number;
  readonly close: () => Promise<void>;
}

export const openFarStage = async ({
  verify = "full",
  is_set,
  follow_seconds = 600,
  ...far
}: FarStageOptions): Promise<FarStage> => {
  const node = await startNode({ ...far, chain_id: CHAIN_ID });
  const limit = is_set === true ? { requests_per_second: far.per_second, counts: far.counts } : {};
  const { networks, on_demand } = settings.parse({
    on_demand: { wait_seconds: 20, follow_seconds },
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
  const ends = { head: far.blocks + FINAL_BEHIND, final_behind: FINAL_BEHIND };
  return { node, stage, facts_dir: `${stage.data_dir}/facts`, ...ends, close };
};
