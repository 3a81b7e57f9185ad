import { opStackVaults } from "../fee_recipients.ts";
import { defineEvm } from "./define.ts";

export const soneium = defineEvm({
  id: "soneium",
  name: "Soneium",
  chain_id: 1868,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [
    { symbol: "USDC", address: "ba9986d2381edf1da03b0b9c1f8b00dc4aacc369", peg: "USD" },
    { symbol: "USDT", address: "3a337a6ada9d885b6ad95ec48f9b75f197b5ae35", peg: "USD" },
  ],
  finality_blocks: 600,
  block_seconds: 2,
  // Ecotone from the first block: ethereum-optimism/superchain-registry, ecotone_time.
  selfdestruct_keeps_code_from: 0,
  fee_recipients: opStackVaults(),
  dialect: "optimism",
  verifies: [{ from_block: 0, level: "full" }],
});
