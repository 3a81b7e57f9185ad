import { defineEvm } from "./define.ts";

/** Multicall3 is not at its usual address here. */
export const zksync = defineEvm({
  id: "zksync",
  name: "ZKsync Era",
  chain_id: 324,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "5aea5775959fbc2557cc8789bc1bf90a239d9a91",
  stablecoins: [
    { symbol: "USDC", address: "1d17cbcf0d6d143135ae902365d2e5e2a16538d4", peg: "USD" },
    { symbol: "USDC.e", address: "3355df6d4c9c3035724fd0e3914de96a5a83aaf4", peg: "USD" },
    { symbol: "USDT", address: "493257fd37edb34451f62edf8d2a0c418852ba4c", peg: "USD" },
  ],
  finality_blocks: 6000,
  block_seconds: 0.2,
  multicall: null,
  verifies: [{ from_block: 0, level: "none" }],
});
