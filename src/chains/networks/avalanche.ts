import { defineEvm } from "./define.ts";

export const avalanche = defineEvm({
  id: "avalanche",
  name: "Avalanche C-Chain",
  chain_id: 43114,
  native: { symbol: "AVAX", decimals: 18 },
  wrapped_native: "b31f66aa3c1e785363f0875a1b74e27b85fd66c7",
  stablecoins: [
    { symbol: "USDC", address: "b97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", peg: "USD" },
    { symbol: "USDT", address: "9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7", peg: "USD" },
    { symbol: "EURC", address: "c891eb4cbdeff6e073e859e987815ed1505c2acd", peg: "EUR" },
    { symbol: "BUSD", address: "9c9e5fd8bbc25984b178fdce6117defa39d2db39", peg: "USD" },
  ],
  finality_blocks: 16,
  block_seconds: 1.7,
  // Etna (ACP-131 has EIP-6780): ava-labs/avalanchego upgrade/upgrade.go, EtnaTime.
  selfdestruct_keeps_code_from: 1_734_368_400,
  dialect: "avalanche",
});
