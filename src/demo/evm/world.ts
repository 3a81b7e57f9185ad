/** The demo world: a local chain with three months of scripted history. What the tests look at and the demo shows. */
import type { Network } from "../../chains/chain.ts";
import type { FreezableCoin } from "../../chains/coins.ts";
import { type Hex, hex } from "../../lib/bytes.ts";
import { ETHER } from "./act.ts";
import { type Anvil, startAnvil } from "./anvil.ts";
import { ADDRESSES, CHARACTERS, type CharacterName } from "./characters.ts";
import { CHAIN_IDS, type Placement } from "./placement.ts";
import type { HexText, Rpc } from "./rpc.ts";
import { runScenario } from "./scenario.ts";
import { openStage } from "./stage.ts";

/** What is to be known about the world's network beyond its id: the data part of a `Network`, and where pools come from. */
export type NetworkOverrides = Pick<Network, "wrapped_native" | "stablecoins" | "multicall" | "ens"> & {
  readonly freezes: readonly FreezableCoin[];
  readonly venues: readonly {
    readonly family: "uniswap_v2" | "uniswap_v3" | "uniswap_v4";
    readonly name: string;
    readonly factory: Hex;
  }[];
};

export interface WorldOptions {
  readonly placement: Placement;
  /** Unix seconds of the scenario's first midnight. The same T0 gives the same hashes. */
  readonly t0: number;
  /** 0 or omitted: the system picks a free one. */
  readonly port?: number;
}

export interface World {
  readonly url: string;
  readonly pid: number;
  readonly rpc: Rpc;
  readonly chain_id: number;
  /** The newest block of the scenario. */
  readonly head: { readonly number: number; readonly hash: HexText; readonly time: number };
  readonly characters: Readonly<Record<CharacterName, HexText>>;
  readonly contracts: Readonly<Record<string, HexText>>;
  readonly network: NetworkOverrides;
  /** Settles when the node is gone, however it went. */
  readonly gone: Promise<void>;
  stop(): Promise<void>;
}

export const GENESIS_WEI = 1_000_000n * ETHER;

const plain = (address: HexText | undefined): Hex => {
  if (address === undefined) throw new Error("The scenario created no such contract.");
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

const headOf = async (rpc: Rpc): Promise<World["head"]> => {
  // eth_getBlockByNumber answers with a header; anvil always has a latest block.
  const block = (await rpc.call("eth_getBlockByNumber", "latest", false)) as Record<string, HexText>;
  return { number: Number(block.number), hash: block.hash ?? "0x", time: Number(block.timestamp) };
};

const build = async (anvil: Anvil, { placement, t0 }: WorldOptions): Promise<World> => {
  const { rpc } = anvil;
  await rpc.call("anvil_setCoinbase", CHARACTERS.validator.address);
  const stage = openStage(rpc, placement, t0);
  await runScenario(stage, t0);
  const contracts = stage.contracts();
  return {
    url: anvil.url,
    pid: anvil.pid,
    rpc,
    chain_id: CHAIN_IDS[placement],
    head: await headOf(rpc),
    characters: ADDRESSES,
    contracts,
    network: networkOf(contracts),
    gone: anvil.gone,
    stop: anvil.stop,
  };
};

/**
 * Starts a node and runs the scenario on it. Coins exist only where a mined transaction brought them; at genesis the bank
 * has all. The chain then stands still at the scenario's last evening; `live.ts` brings it to the present.
 */
export const startWorld = async (options: WorldOptions): Promise<World> => {
  const anvil = await startAnvil({
    chain_id: CHAIN_IDS[options.placement],
    timestamp: options.t0,
    genesis: { [CHARACTERS.bank.address]: GENESIS_WEI },
    accounts: Object.keys(CHARACTERS).length,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  try {
    return await build(anvil, options);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
};
