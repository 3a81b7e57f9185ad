import { defineEvm } from "./define.ts";

export const mantle = defineEvm({
  id: "mantle",
  name: "Mantle",
  chain_id: 5000,
  native: { symbol: "MNT", decimals: 18 },
  wrapped_native: "78c1b0c915c4faa5fffa6cabf0219da63d7f4cb8",
  stablecoins: [
    { symbol: "USDC", address: "09bc4e0d864854c6afb6eb9a9cdf58ac190d0df9", peg: "USD" },
    { symbol: "USDT", address: "201eba5cc46d216ce6dc03f6a759e8e766e956ae", peg: "USD" },
  ],
  finality_blocks: 600,
  block_seconds: 2,
});
