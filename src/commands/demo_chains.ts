import { demo } from "../chains/networks/demo.ts";
import { demoSolana } from "../chains/networks/demo_solana.ts";
import { demoTron } from "../chains/networks/demo_tron.ts";
import { networkFromConfig } from "../chains/networks/from_config.ts";
import { formatAddress } from "../chains/tron/address.ts";
import { type DemoActor, solanaActors, tronActors } from "../demo/actors.ts";
import type { SolanaWorld } from "../demo/solana/world.ts";
import type { TronDemoWorld } from "../demo/tron/world.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import type { EnabledNetwork } from "../wiring/enabled_network.ts";
import type { KnownNetworks } from "../wiring/import_list.ts";

/** The demo's networks, as far as they are known before their chains are there. */
export const DEMO_NETWORKS: KnownNetworks = [demo, demoSolana, demoTron];
/** Uniswap v2's fee; v3 pools have their own. */
export const V2_FEE_PPM = 3_000;
/** Interval at which a demo chain is polled for a new block. */
export const POLL_MS = 500;
const PLAIN = { from_block: 0, to_block: null, poll_ms: POLL_MS, openings: "skip" } as const;

/** One chain of the demo, as its instance reads it. */
export interface DemoChain {
  readonly enabled: EnabledNetwork;
  readonly cast: readonly DemoActor[];
  /** Newest block of the story; the hash without `0x`. */
  readonly head: { readonly number: number; readonly hash: Hex };
  /** Hash of a block, or null when it does not exist. */
  readonly blockHash: (number: number) => Promise<Hex | null>;
  /** Settles when its node is gone; never where it is this process. */
  readonly gone: Promise<void>;
  readonly stop: () => Promise<void>;
}

const never = new Promise<void>(() => undefined);

/** A skipped slot has the hash of the block before it, as it is indexed (docs/design/families.md). */
const blockHashAt = (world: SolanaWorld, slot: number): Hex | null => {
  if (slot > world.head.number) return null;
  for (let at = slot; at >= 0; at -= 1) {
    const hash = world.blockHash(at);
    if (hash !== null) return hash;
  }
  return null;
};

export const ofSolana = (world: SolanaWorld): DemoChain => ({
  enabled: demoSolanaNetwork(world),
  cast: solanaActors(world),
  head: world.head,
  blockHash: async (slot) => blockHashAt(world, slot),
  gone: never,
  stop: world.stop,
});

export const ofTron = (world: TronDemoWorld): DemoChain => ({
  enabled: demoTronNetwork(world),
  cast: tronActors((name) => formatAddress(hex(world.stage.address(name).slice(2).toLowerCase()))),
  head: world.head,
  blockHash: world.blockHash,
  gone: world.gone,
  stop: world.stop,
});

/** The demo world of Solana as an instance enables it. */
export const demoSolanaNetwork = ({ url, mints }: SolanaWorld): EnabledNetwork => {
  const usdc = { symbol: "USDC", address: mints.usdc };
  const freezes = [{ ...usdc, families: ["token_authority"], decimals: 6 }];
  const network = networkFromConfig({ id: "demo-solana", stablecoins: [usdc], freezes });
  return { ...PLAIN, network, rpc: [url], venues: [] };
};

/** The demo world of Tron as an instance enables it. */
export const demoTronNetwork = ({ url, stage }: TronDemoWorld): EnabledNetwork => {
  // The configuration takes the 21 bytes of an address of Tron as hex, too.
  const address = (name: string): string => `41${stage.address(name).slice(2).toLowerCase()}`;
  const usdt = { symbol: "USDT", address: address("usdt") };
  return {
    ...PLAIN,
    network: networkFromConfig({
      id: "demo-tron",
      wrapped_native: address("wtrx"),
      stablecoins: [usdt],
      freezes: [{ ...usdt, families: ["tether_legacy"], decimals: 6 }],
    }),
    rpc: [url],
    venues: [
      {
        venue: "sunswap_v2",
        family: "uniswap_v2",
        network: "demo-tron",
        factory: hex(stage.address("sunswap").slice(2).toLowerCase()),
        fee_ppm: V2_FEE_PPM,
      },
    ],
  };
};
