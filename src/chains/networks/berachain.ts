import { defineEvm } from "./define.ts";

export const berachain = defineEvm({
  id: "berachain",
  name: "Berachain",
  chain_id: 80094,
  native: { symbol: "BERA", decimals: 18 },
  wrapped_native: "6969696969696969696969696969696969696969",
  stablecoins: [
    { symbol: "USDC", address: "549943e04f40284185054145c6e4e9568c1d3241", peg: "USD" },
    { symbol: "USDT", address: "779ded0c9e1022225f8e0630b35a9b54be713736", peg: "USD" },
  ],
  finality_blocks: 16,
  block_seconds: 2,
  ens: { registry: "5b22280886a2f5e09a49bea7e320eab0e5320e28", universal_resolver: null },
  dialect: "berachain",
});
