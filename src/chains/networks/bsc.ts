import { defineEvm } from "./define.ts";

export const bsc = defineEvm({
  id: "bsc",
  name: "BNB Smart Chain",
  chain_id: 56,
  native: { symbol: "BNB", decimals: 18 },
  wrapped_native: "bb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
  stablecoins: [
    { symbol: "USDC", address: "8ac76a51cc950d9822d68b83fe1ad97b32cd580d", peg: "USD" },
    { symbol: "USDT", address: "55d398326f99059ff775485246999027b3197955", peg: "USD" },
    { symbol: "DAI", address: "1af3f329e8be154074d8769d1ffa4ee058b1dbc3", peg: "USD" },
    { symbol: "BUSD", address: "e9e7cea3dedca5984780bafc599bd69add087d56", peg: "USD" },
  ],
  finality_blocks: 64,
  block_seconds: 0.75,
  // Cancun and Haber: bnb-chain/bsc params/config.go, CancunTime.
  selfdestruct_keeps_code_from: 1_718_863_500,
  dialect: "ethereum",
  verifies: [{ from_block: 0, level: "full" }],
});
