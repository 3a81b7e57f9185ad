import { defineEvm } from "./define.ts";

export const monad = defineEvm({
  id: "monad",
  name: "Monad",
  chain_id: 143,
  native: { symbol: "MON", decimals: 18 },
  wrapped_native: "3bd359c1119da7da1d913d1c4d2b7c461115433a",
  stablecoins: [
    { symbol: "USDC", address: "754704bc059f8c67012fed69bc8a327a5aafb603", peg: "USD" },
    { symbol: "USDT", address: "e7cd86e13ac4309349f30b3435a9d337750fc82d", peg: "USD" },
  ],
  finality_blocks: 16,
  block_seconds: 0.4,
});
