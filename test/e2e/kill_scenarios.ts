import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatAddress } from "../../src/chains/tron/address.ts";
import type { SolanaWorld } from "../../src/demo/solana/world.ts";
import type { TronDemoWorld } from "../../src/demo/tron/world.ts";
import { hex } from "../../src/lib/bytes.ts";
import type { KillScenario } from "./kill_run.ts";

/** Settings of the two networks, as an operator would write them. */
export const familyNetworks = (solana: SolanaWorld, tron: TronDemoWorld) => {
  const at = (name: string): string => formatAddress(hex(tron.stage.address(name).slice(2).toLowerCase()));
  const plain = { from_block: 0, poll_ms: 50 };
  return {
    "demo-solana": { ...plain, rpc: [solana.url], stablecoins: [{ symbol: "USDC", address: solana.mints.usdc }] },
    "demo-tron": {
      ...plain,
      rpc: [tron.url],
      wrapped_native: at("wtrx"),
      stablecoins: [{ symbol: "USDT", address: at("usdt") }],
    },
  };
};

/** Solana and Tron in one configuration. */
export const familyScenario = (solana: SolanaWorld, tron: TronDemoWorld): KillScenario => ({
  async writeConfig(folder) {
    const config = join(folder, "assay.config.json");
    const networks = familyNetworks(solana, tron);
    await writeFile(config, JSON.stringify({ listen: "127.0.0.1:0", data_dir: "data", networks }));
    return config;
  },
  heads: () => ({ "demo-solana": solana.head.number, "demo-tron": tron.head.number }),
});
