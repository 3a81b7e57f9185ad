import { defineEvm } from "./define.ts";

export const plasma = defineEvm({
  id: "plasma",
  name: "Plasma",
  chain_id: 9745,
  native: { symbol: "XPL", decimals: 18 },
  wrapped_native: "6100e367285b01f48d07953803a2d8dca5d19873",
  stablecoins: [{ symbol: "USDT", address: "b8ce59fc3717ada4c02eadf9682a9e934f625ebb", peg: "USD" }],
  finality_blocks: 64,
  block_seconds: 1,
});
