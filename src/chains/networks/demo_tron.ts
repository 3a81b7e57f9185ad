import type { Network } from "../chain.ts";
import { tron } from "./known.gen.ts";

/**
 * The demo's network of Tron. Its first block, whose id ends with the chain id, is the same at every start; its
 * contracts are known once the world is built (`networkFromConfig`).
 */
export const demoTron: Network = {
  ...tron,
  id: "demo-tron",
  name: "Demo of Tron",
  chain_id: 1_060_861_009,
  caip2: "tron:1060861009",
  wrapped_native: null,
  stablecoins: [],
  finality_blocks: 5,
};
