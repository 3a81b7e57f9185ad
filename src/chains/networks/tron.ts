import { defineNetwork, TRON_FACTS } from "./define.ts";

/**
 * Tron. The chain id is the end of its first block's id; a block is confirmed once 19 of the 27 witnesses have built on
 * it (developers.tron.network, Consensus), which `/walletsolidity` reports.
 */
export const tron = defineNetwork({
  ...TRON_FACTS,
  id: "tron",
  name: "Tron",
  family: "tron",
  chain_id: 728126428,
  caip2: "tron:728126428",
  native: { symbol: "TRX", decimals: 6 },
  // WTRX, TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR
  wrapped_native: "891cdb91d149f23b1a45d9c5ca78a88d0cb44c18",
  stablecoins: [
    // TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t
    { symbol: "USDT", address: "a614f803b6fd780986a42c78ec9c7f77e6ded13c", peg: "USD" },
    // TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8
    { symbol: "USDC", address: "3487b63d30b5b2c87fb7ffa8bcfade38eaac1abe", peg: "USD" },
    // TPFqcBAaaUMCSVRCqPaQ9QnzKhmuoLR6Rc (SunSwap Default List)
    { symbol: "USD1", address: "91bed8e784249c91611e61c4585c40e21fd0ace2", peg: "USD" },
  ],
  finality_blocks: 27,
  block_seconds: 3,
});
