import { defineEvm } from "./define.ts";

export const blast = defineEvm({
  id: "blast",
  name: "Blast",
  chain_id: 81457,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4300000000000000000000000000000000000004",
  stablecoins: [],
  finality_blocks: 600,
  block_seconds: 2,
  dialect: "optimism",
});
