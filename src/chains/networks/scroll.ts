import { defineEvm } from "./define.ts";

export const scroll = defineEvm({
  id: "scroll",
  name: "Scroll",
  chain_id: 534352,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "5300000000000000000000000000000000000004",
  stablecoins: [
    { symbol: "USDC", address: "06efdbff2a14a7c8e15944d1f4a48f9f95f663a4", peg: "USD" },
    { symbol: "USDT", address: "f55bec9cafdbe8730f096aa55dad6d22d44099df", peg: "USD" },
  ],
  finality_blocks: 400,
  block_seconds: 3,
  // Its vault receives all fees: scroll-tech/go-ethereum, core/state_transition.go and rollup/rcfg/config.go.
  fee_recipients: [
    { part: "base", recipient: "5300000000000000000000000000000000000005" },
    { part: "tip", recipient: "5300000000000000000000000000000000000005" },
    { part: "layer1", recipient: "5300000000000000000000000000000000000005" },
  ],
});
