import type { Network } from "../chain.ts";
import { tron } from "./known.gen.ts";

/**
 * The demo's network of Tron. Its first block, which the number of a chain is the end of, is the same at every start; what
 * is deployed on it is known once the world is built (`networkFromConfig`).
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
