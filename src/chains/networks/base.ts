import { opStackVaults } from "../fee_recipients.ts";
import { defineEvm } from "./define.ts";

export const base = defineEvm({
  id: "base",
  name: "Base",
  chain_id: 8453,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [
    { symbol: "USDC", address: "833589fcd6edb6e08f4c7c32d4f71b54bda02913", peg: "USD" },
    { symbol: "USDT", address: "fde4c96c8593536e31f229ea8f37b2ada2699bb2", peg: "USD" },
    { symbol: "USDbC", address: "d9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", peg: "USD" },
    { symbol: "DAI", address: "50c5725949a6f0c72e6c4a641f24049a917db0cb", peg: "USD" },
    { symbol: "EURC", address: "60a3e35cc302bfa44cb288bc5a4f316fdb1adb42", peg: "EUR" },
  ],
  finality_blocks: 600,
  block_seconds: 2,
  // Ecotone: alloy-rs/hardforks, BASE_MAINNET_ECOTONE_TIMESTAMP.
  selfdestruct_keeps_code_from: 1_710_374_401,
  fee_recipients: opStackVaults(),
  dialect: "optimism",
  verifies: [{ from_block: 0, level: "full" }],
});
