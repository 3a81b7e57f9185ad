import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EvmWorld } from "../../src/demo/evm/world.ts";

/** A configuration file that enables the world's chain as the network `demo`, as an operator would write it. */
export const writeWorldConfig = async (world: EvmWorld, folder: string): Promise<string> => {
  const { wrapped_native, stablecoins, multicall, ens, venues, freezes } = world.network;
  const file = join(folder, "assay.config.json");
  const demo = {
    rpc: [world.url],
    from_block: 0,
    poll_ms: 50,
    wrapped_native: `0x${wrapped_native}`,
    multicall: `0x${multicall}`,
    ens: { registry: `0x${ens?.registry}` },
    stablecoins: stablecoins.map((coin) => ({ ...coin, address: `0x${coin.address}` })),
    freezes: freezes.map((coin) => ({ ...coin, address: `0x${coin.address}` })),
    venues: venues.map(({ name, family, factory }) => ({
      venue: name,
      family,
      factory: `0x${factory}`,
      ...(family === "uniswap_v2" ? { fee_ppm: 3_000 } : {}),
    })),
    openings: "read",
  };
  await writeFile(file, JSON.stringify({ listen: "127.0.0.1:0", data_dir: "data", networks: { demo } }));
  return file;
};
