import { defineEvm } from "./define.ts";

export const katana = defineEvm({
  id: "katana",
  name: "Katana",
  chain_id: 747474,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "ee7d8bcfb72bc1880d0cf19822eb0a2e6577ab62",
  stablecoins: [
    { symbol: "USDC", address: "203a662b0bd271a6ed5a60edfbd04bfce608fd36", peg: "USD" },
    { symbol: "USDT", address: "2dca96907fde857dd3d816880a0df407eeb2d2f2", peg: "USD" },
  ],
  finality_blocks: 1200,
  block_seconds: 1,
});
