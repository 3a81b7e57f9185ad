import { opStackVaults } from "../fee_recipients.ts";
import { defineEvm } from "./define.ts";

export const worldchain = defineEvm({
  id: "worldchain",
  name: "World Chain",
  chain_id: 480,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [{ symbol: "USDC", address: "79a02482a880bce3f13e09da970dc34db4cd24d1", peg: "USD" }],
  finality_blocks: 600,
  block_seconds: 2,
  // Ecotone from the first block: ethereum-optimism/superchain-registry, ecotone_time.
  selfdestruct_keeps_code_from: 0,
  fee_recipients: opStackVaults(),
  dialect: "optimism",
  verifies: [{ from_block: 0, level: "full" }],
});
