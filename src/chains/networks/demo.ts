import { defineEvm } from "./define.ts";

/**
 * The local test network (anvil's chain id). Its contracts are known only once its world is built, so
 * `networkFromConfig` adds the wrapped coin, stablecoins, Multicall3 and ENS.
 */
export const demo = defineEvm({
  id: "demo",
  name: "Demo",
  chain_id: 31337,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: null,
  stablecoins: [],
  finality_blocks: 64,
  block_seconds: 1,
  // anvil runs a later fork from the first block.
  selfdestruct_keeps_code_from: 0,
  multicall: null,
  dialect: "anvil",
  verifies: [{ from_block: 0, level: "full" }],
});
