import { opStackVaults } from "../fee_recipients.ts";
import { defineEvm } from "./define.ts";

export const optimism = defineEvm({
  id: "optimism",
  name: "OP Mainnet",
  chain_id: 10,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [
    { symbol: "USDC", address: "0b2c639c533813f4aa9d7837caf62653d097ff85", peg: "USD" },
    { symbol: "USDT", address: "94b008aa00579c1307b0ef2c499ad98a8ce58e58", peg: "USD" },
    { symbol: "USDT0", address: "01bff41798a0bcf287b996046ca68b395dbc1071", peg: "USD" },
    { symbol: "USDC.e", address: "7f5c764cbc14f9669b88837ca1490cca17c31607", peg: "USD" },
    { symbol: "DAI", address: "da10009cbd5d07dd0cecc66161fc93d7c9000da1", peg: "USD" },
    { symbol: "BUSD", address: "9c9e5fd8bbc25984b178fdce6117defa39d2db39", peg: "USD" },
  ],
  finality_blocks: 600,
  block_seconds: 2,
  // Ecotone: alloy-rs/hardforks, OP_MAINNET_ECOTONE_TIMESTAMP.
  selfdestruct_keeps_code_from: 1_710_374_401,
  // Bedrock: ethereum-optimism/op-geth, params/config.go.
  fee_recipients: opStackVaults(105_235_063),
  dialect: "optimism",
  // Bedrock (ethereum-optimism/op-geth, params): blocks before it were made by another client.
  verifies: [
    { from_block: 0, level: "none" },
    { from_block: 105_235_063, level: "full" },
  ],
});
