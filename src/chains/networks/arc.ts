import { defineEvm } from "./define.ts";

/** The native coin is USDC itself with 18 decimals; its ERC-20 interface has 6, so the two amounts differ. */
export const arc = defineEvm({
  id: "arc",
  name: "Arc",
  chain_id: 5042,
  native: { symbol: "USDC", decimals: 18 },
  wrapped_native: null,
  stablecoins: [{ symbol: "USDC", address: "3600000000000000000000000000000000000000", peg: "USD" }],
  finality_blocks: 16,
  block_seconds: 0.5,
});
