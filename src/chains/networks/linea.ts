import { defineEvm } from "./define.ts";

export const linea = defineEvm({
  id: "linea",
  name: "Linea",
  chain_id: 59144,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "e5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
  stablecoins: [
    { symbol: "USDC", address: "176211869ca2b568f2a7d4ee941e073a821ee1ff", peg: "USD" },
    { symbol: "USDT", address: "a219439258ca9da29e9cc4ce5596924745e12b93", peg: "USD" },
  ],
  finality_blocks: 600,
  block_seconds: 2,
  ens: { registry: "50130b669b28c339991d8676fa73cf122a121267", universal_resolver: null },
});
