import { defineEvm } from "./define.ts";

export const arbitrum = defineEvm({
  id: "arbitrum",
  name: "Arbitrum One",
  chain_id: 42161,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "82af49447d8a07e3bd95bd0d56f35241523fbab1",
  stablecoins: [
    { symbol: "USDC", address: "af88d065e77c8cc2239327c5edb3a432268e5831", peg: "USD" },
    { symbol: "USDT", address: "fd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9", peg: "USD" },
    { symbol: "USDC.e", address: "ff970a61a04b1ca14834a43f5de4533ebddb5cc8", peg: "USD" },
    { symbol: "DAI", address: "da10009cbd5d07dd0cecc66161fc93d7c9000da1", peg: "USD" },
    { symbol: "EURC", address: "863708032b5c328e11abcbc0df9d79c71fc52a48", peg: "EUR" },
    { symbol: "PYUSD", address: "327006c8712fe0abdbbd55b7999db39b0967342e", peg: "USD" },
    { symbol: "USDS", address: "6491c05a82219b8d1479057361ff1654749b876b", peg: "USD" },
    { symbol: "USD1", address: "7550de0a4b9fb8caba8c32e72ee356afdd217a33", peg: "USD" },
    { symbol: "USDP", address: "78df3a6044ce3cb1905500345b967788b699df8f", peg: "USD" },
    { symbol: "BUSD", address: "31190254504622cefdfa55a7d3d272e6462629a2", peg: "USD" },
  ],
  finality_blocks: 4800,
  block_seconds: 0.25,
  // ArbOS 20: alloy-rs/hardforks, ARBITRUM_ONE_CANCUN_TIMESTAMP.
  selfdestruct_keeps_code_from: 1_710_424_089,
  dialect: "arbitrum",
  // Nitro (OffchainLabs/nitro): blocks before it were made by another client.
  verifies: [
    { from_block: 0, level: "none" },
    { from_block: 22_207_818, level: "full" },
  ],
});
