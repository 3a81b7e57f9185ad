import { defineEvm } from "./define.ts";

export const sonic = defineEvm({
  id: "sonic",
  name: "Sonic",
  chain_id: 146,
  native: { symbol: "S", decimals: 18 },
  wrapped_native: "039e2fb66102314ce7b64ce5ce3e5183bc94ad38",
  stablecoins: [{ symbol: "USDC", address: "29219dd400f2bf60e5a23d13be72b486d4038894", peg: "USD" }],
  finality_blocks: 16,
  block_seconds: 0.63,
});
