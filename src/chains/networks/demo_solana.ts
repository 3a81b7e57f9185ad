import type { Network } from "../chain.ts";
import { solana } from "./known.gen.ts";

/**
 * The demo's network of Solana, with the real programs and generated slots. The chain ids 101 to 103 belong to Solana's
 * clusters. The dollar mints are known once the world is built (`networkFromConfig`).
 */
export const demoSolana: Network = {
  ...solana,
  id: "demo-solana",
  name: "Demo of Solana",
  chain_id: 104,
  // Its first block is the same at every start.
  caip2: "solana:CmpNeggWJ4JaWJeJ8YKN1Zypmk7uvQq3",
  stablecoins: [],
};
