import { defineEvm } from "./define.ts";

export const cronos = defineEvm({
  id: "cronos",
  name: "Cronos",
  chain_id: 25,
  native: { symbol: "CRO", decimals: 18 },
  wrapped_native: "5c7f8a570d578ed84e63fdfa7b1ee72deae1ae23",
  stablecoins: [{ symbol: "USDC", address: "c21223249ca28397b4b6541dffaecc539bff0c59", peg: "USD" }],
  finality_blocks: 16,
  block_seconds: 1,
  verifies: [{ from_block: 0, level: "none" }],
});
