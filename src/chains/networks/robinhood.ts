import { defineEvm } from "./define.ts";

export const robinhood = defineEvm({
  id: "robinhood",
  name: "Robinhood Chain",
  chain_id: 4663,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "0bd7d308f8e1639fab988df18a8011f41eacad73",
  stablecoins: [],
  finality_blocks: 12_000,
  block_seconds: 0.1,
  dialect: "arbitrum",
});
