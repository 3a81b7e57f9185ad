/** The demo world: a local chain with three months of scripted history, for the tests and the demo. */
import type { Network } from "../../chains/chain.ts";
import type { FreezableCoin } from "../../chains/coins.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { ETHER } from "./act.ts";
import { type Anvil, startAnvil } from "./anvil.ts";
import { ADDRESSES, CHARACTERS, type CharacterName } from "./characters.ts";
import { CHAIN_IDS } from "./placement.ts";
import {
  type RecordedScenario,
  readScenario,
  recorder,
  replayScenario,
  type ScenarioKey,
  writeScenario,
} from "./recorded_scenario.ts";
import type { HexText, Rpc } from "./rpc.ts";

/** Data of the world's network beyond its id: the data part of a `Network`, and the sources of pools. */
export type NetworkOverrides = Pick<Network, "wrapped_native" | "stablecoins" | "multicall" | "ens"> & {
  readonly freezes: readonly FreezableCoin[];
  readonly venues: readonly {
    readonly family: "uniswap_v2" | "uniswap_v3" | "uniswap_v4";
    readonly name: string;
    readonly factory: Hex;
  }[];
};

/** The same placement and T0 give the same hashes. */
export interface WorldOptions extends ScenarioKey {
  /** 0 or omitted: the system chooses a free one. */
  readonly port?: number;
  /** File that keeps the play for the next start; omitted: the scenario is played at each start. */
  readonly kept?: string;
}

export interface EvmWorld {
  readonly url: string;
  readonly pid: number;
  readonly rpc: Rpc;
  readonly chain_id: number;
  /** The newest block of the scenario. */
  readonly head: { readonly number: number; readonly hash: HexText; readonly time: number };
  readonly characters: Readonly<Record<CharacterName, HexText>>;
  readonly contracts: Readonly<Record<string, HexText>>;
  readonly network: NetworkOverrides;
  /** Settles when the node has ended, for any reason. */
  readonly gone: Promise<void>;
  stop(): Promise<void>;
}

export const GENESIS_WEI = 1_000_000n * ETHER;

const plain = (address: HexText | undefined): Hex => {
  if (address === undefined) throw new Error("The scenario did not create this contract.");
  return hex(address.slice(2).toLowerCase());
};

const freezable = (symbol: string, contract: HexText | undefined, families: readonly string[]): FreezableCoin => ({
  symbol,
  address: plain(contract),
  families,
  decimals: 6,
  start_block: null,
});

const networkOf = (contracts: Readonly<Record<string, HexText>>): NetworkOverrides => ({
  wrapped_native: plain(contracts.weth),
  stablecoins: [
    { symbol: "USDC", address: plain(contracts.usdc), peg: "USD" },
    { symbol: "USDT", address: plain(contracts.usdt), peg: "USD" },
  ],
  freezes: [
    freezable("USDC", contracts.usdc, ["circle"]),
    freezable("USDT", contracts.usdt, ["tether_legacy"]),
    freezable("PXD", contracts.paxos_coin, ["paxos_v2"]),
    freezable("RPD", contracts.ripple_coin, ["ripple"]),
    freezable("TRD", contracts.true_coin, ["trueusd"]),
    freezable("BTD", contracts.batch_coin, ["batch_blocked"]),
    freezable("BLD", contracts.blocking_coin, ["tether_new"]),
  ],
  multicall: plain(contracts.multicall3),
  ens: { registry: plain(contracts.ens_registry), universal_resolver: null },
  venues: [
    { family: "uniswap_v2", name: "Uniswap v2", factory: plain(contracts.v2_factory) },
    { family: "uniswap_v3", name: "Uniswap v3", factory: plain(contracts.v3_factory) },
    { family: "uniswap_v4", name: "Uniswap v4", factory: plain(contracts.v4_manager) },
  ],
});

const headOf = async (rpc: Rpc): Promise<EvmWorld["head"]> => {
  // eth_getBlockByNumber answers with a header; anvil always has a latest block.
  const block = (await rpc.call("eth_getBlockByNumber", "latest", false)) as Record<string, HexText>;
  return { number: Number(block.number), hash: block.hash ?? "0x", time: Number(block.timestamp) };
};

const worldOn = async (
  { url, pid, rpc, gone, stop }: Anvil,
  { placement }: ScenarioKey,
  contracts: EvmWorld["contracts"],
) => ({
  ...{ url, pid, rpc, gone, stop, contracts },
  chain_id: CHAIN_IDS[placement],
  head: await headOf(rpc),
  characters: ADDRESSES,
  network: networkOf(contracts),
});

/**
 * Runs the scenario on a new node, and saves its requests. Only this path loads the stage and the scenes: a playback
 * needs neither.
 */
const runNewScenario = async (anvil: Anvil, options: WorldOptions): Promise<EvmWorld> => {
  const { placement, t0, kept } = options;
  const [{ openScenarioChain: openStage }, { runScenario }] = await Promise.all([
    import("./scenario_chain.ts"),
    import("./scenario.ts"),
  ]);
  const { rpc, requests } = recorder(anvil.rpc);
  await rpc.call("anvil_setCoinbase", CHARACTERS.validator.address);
  const stage = openStage(rpc, placement, t0);
  await runScenario(stage, t0);
  const world = await worldOn(anvil, options, stage.contracts());
  const { contracts, head } = world;
  if (kept !== undefined) writeScenario(kept, options, { requests, contracts, head: head.hash });
  return world;
};

/** @throws when the node rejects a request, or has other blocks afterwards. */
const again = async (anvil: Anvil, options: WorldOptions, kept: RecordedScenario): Promise<EvmWorld> => {
  await replayScenario(anvil.url, kept);
  const world = await worldOn(anvil, options, kept.contracts);
  if (world.head.hash !== kept.head)
    throw new Error("The node's blocks differ from those of the scenario's first run.");
  return world;
};

const onNewNode = async (options: WorldOptions, make: (anvil: Anvil) => Promise<EvmWorld>): Promise<EvmWorld> => {
  const anvil = await startAnvil({
    chain_id: CHAIN_IDS[options.placement],
    timestamp: options.t0,
    genesis: { [CHARACTERS.bank.address]: GENESIS_WEI },
    accounts: Object.keys(CHARACTERS).length,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  try {
    return await make(anvil);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
};

/**
 * Starts a node and runs the scenario on it, or repeats the requests of an earlier run, which makes the same blocks.
 * Coins exist only where a mined transaction brought them; at genesis the bank has all. The chain then rests at the
 * scenario's last evening; `live.ts` brings it to the present.
 */
export const startWorld = async (options: WorldOptions): Promise<EvmWorld> => {
  const kept = options.kept === undefined ? null : readScenario(options.kept, options);
  if (kept !== null) {
    try {
      return await onNewNode(options, (anvil) => again(anvil, options, kept));
    } catch {
      // Another build of the node may have other blocks. An error that keeps any node from starting is thrown below.
    }
  }
  return onNewNode(options, (anvil) => runNewScenario(anvil, options));
};
