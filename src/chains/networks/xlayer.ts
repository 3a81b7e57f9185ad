import { defineEvm } from "./define.ts";

export const xlayer = defineEvm({
  id: "xlayer",
  name: "X Layer",
  chain_id: 196,
  native: { symbol: "OKB", decimals: 18 },
  wrapped_native: "e538905cf8410324e03a5a23c1c177a474d59b2b",
  stablecoins: [
    { symbol: "USDC", address: "74b7f16337b8972027f6196a17a631ac6de26d22", peg: "USD" },
    { symbol: "USDT", address: "1e4a5963abfd975d8c9021ce480b42188849d41d", peg: "USD" },
    { symbol: "USDT0", address: "779ded0c9e1022225f8e0630b35a9b54be713736", peg: "USD" },
  ],
  finality_blocks: 1200,
  block_seconds: 1,
});
