import { opStackVaults } from "../fee_recipients.ts";
import { defineEvm } from "./define.ts";

export const ink = defineEvm({
  id: "ink",
  name: "Ink",
  chain_id: 57073,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [
    { symbol: "USDC", address: "2d270e6886d130d724215a266106e6832161eaed", peg: "USD" },
    { symbol: "USDT", address: "0200c29006150606b650577bbe7b6248f58470c1", peg: "USD" },
    { symbol: "PYUSD", address: "142cdc44890978b506e745bb3bd11607b7f7faef", peg: "USD" },
  ],
  finality_blocks: 1200,
  block_seconds: 1,
  // Ecotone from the first block: ethereum-optimism/superchain-registry, ecotone_time.
  selfdestruct_keeps_code_from: 0,
  fee_recipients: opStackVaults(),
  dialect: "optimism",
  verifies: [{ from_block: 0, level: "full" }],
});
