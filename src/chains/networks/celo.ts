import { defineEvm } from "./define.ts";

/** CELO is native coin and ERC-20 in one contract, so nothing is ever wrapped. */
export const celo = defineEvm({
  id: "celo",
  name: "Celo",
  chain_id: 42220,
  native: { symbol: "CELO", decimals: 18 },
  wrapped_native: "471ece3750da237f93b8e339c536989b8978a438",
  stablecoins: [
    { symbol: "USDC", address: "ceba9300f2b948710d2653dd7b07f33a8b32118c", peg: "USD" },
    { symbol: "USDT", address: "48065fbbe25f71c9282ddf5e1cd6d6a887483d5e", peg: "USD" },
  ],
  finality_blocks: 1200,
  block_seconds: 1,
  // From the start as a roll-up: ethereum-optimism/superchain-registry, ecotone_time 0 and l2_time.
  selfdestruct_keeps_code_from: 1_742_957_258,
  dialect: "celo",
});
