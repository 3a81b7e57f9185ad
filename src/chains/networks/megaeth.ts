import { defineEvm } from "./define.ts";

export const megaeth = defineEvm({
  id: "megaeth",
  name: "MegaETH",
  chain_id: 4326,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [],
  finality_blocks: 1200,
  block_seconds: 1,
});
