import { defineEvm } from "./define.ts";

export const hyperevm = defineEvm({
  id: "hyperevm",
  name: "HyperEVM",
  chain_id: 999,
  native: { symbol: "HYPE", decimals: 18 },
  wrapped_native: "5555555555555555555555555555555555555555",
  stablecoins: [{ symbol: "USDT", address: "b8ce59fc3717ada4c02eadf9682a9e934f625ebb", peg: "USD" }],
  finality_blocks: 16,
  block_seconds: 1,
  dialect: "ethereum",
});
