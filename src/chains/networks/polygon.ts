import { defineEvm } from "./define.ts";

export const polygon = defineEvm({
  id: "polygon",
  name: "Polygon PoS",
  chain_id: 137,
  native: { symbol: "POL", decimals: 18 },
  wrapped_native: "0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
  stablecoins: [
    { symbol: "USDC", address: "3c499c542cef5e3811e1192ce70d8cc03d5c3359", peg: "USD" },
    { symbol: "USDT", address: "c2132d05d31c914a87c6611c10748aeb04b58e8f", peg: "USD" },
    { symbol: "USDC.e", address: "2791bca1f2de4661ed88a30c99a7a9449aa84174", peg: "USD" },
    { symbol: "DAI", address: "8f3cf7ad23cd3cadbd9735aff958023239c6a063", peg: "USD" },
  ],
  finality_blocks: 256,
  block_seconds: 2,
  // London, Shanghai and Lisovo move the amount that EIP-1559 burns to a contract, Rio the tips to one account:
  // 0xPolygon/bor, internal/cli/server/chains/mainnet.go (BurntContract, Coinbase).
  fee_recipients: [
    { part: "base", recipient: "70bca57f4579f58670ab2d18ef16e02c17553c38", from_block: 23_850_000 },
    { part: "base", recipient: "7a8ed27f4c30512326878652d20fc85727401854", from_block: 50_523_000 },
    { part: "base", recipient: "3ef57def668054dd750bd260526105c4eeef104f", from_block: 83_756_500 },
    { part: "tip", recipient: "7ee41d8a25641000661b1ef5e6ae8a00400466b0", from_block: 77_414_656 },
  ],
  dialect: "polygon",
  verifies: [
    { from_block: 0, level: "full" },
    // Madhugiri (0xPolygon/erigon, release v3.3.0): book-keeping became a transaction of a type of its own.
    { from_block: 80_084_800, level: null },
  ],
});
