import { defineEvm } from "./define.ts";

/** Fees are paid in stablecoins: there is no native coin, and a node's native balances mean nothing. */
export const tempo = defineEvm({
  id: "tempo",
  name: "Tempo",
  chain_id: 4217,
  native: { symbol: "USD", decimals: 18 },
  has_native_coin: false,
  wrapped_native: null,
  stablecoins: [
    { symbol: "USDC", address: "20c000000000000000000000b9537d11c60e8b50", peg: "USD" },
    { symbol: "USDT", address: "20c00000000000000000000014f22ca97301eb73", peg: "USD" },
  ],
  finality_blocks: 16,
  block_seconds: 0.5,
});
