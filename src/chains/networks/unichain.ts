import { opStackVaults } from "../fee_recipients.ts";
import { defineEvm } from "./define.ts";

export const unichain = defineEvm({
  id: "unichain",
  name: "Unichain",
  chain_id: 130,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "4200000000000000000000000000000000000006",
  stablecoins: [
    { symbol: "USDC", address: "078d782b760474a361dda0af3839290b0ef57ad6", peg: "USD" },
    { symbol: "USDT", address: "588ce4f028d8e7b53b687865d6a67b3a54c75518", peg: "USD" },
    { symbol: "USDT0", address: "9151434b16b9763660705744891fa906f660ecc5", peg: "USD" },
    { symbol: "DAI", address: "20cab320a855b39f724131c69424240519573f81", peg: "USD" },
    { symbol: "EURC", address: "72f34bc403a005a9be390762eaa46ed42813b0a8", peg: "EUR" },
    { symbol: "PYUSD", address: "0d2f98904d88909072ea6e61105cbbf78e6207c5", peg: "USD" },
    { symbol: "USDS", address: "116ee4d63847fb295dd919ae57b768ea3b2f7bb4", peg: "USD" },
    { symbol: "USDP", address: "f7e6430137ef8087e0d472343f358e986de0feff", peg: "USD" },
    { symbol: "GUSD", address: "eba12ec786cdc21b4bd5ba601b595b6a5c0920a9", peg: "USD" },
    { symbol: "BUSD", address: "a4da5c92f44422dfa3e2e309b53d93bbbda9f9c6", peg: "USD" },
  ],
  finality_blocks: 1200,
  block_seconds: 1,
  // Ecotone from the first block: ethereum-optimism/superchain-registry, ecotone_time.
  selfdestruct_keeps_code_from: 0,
  fee_recipients: opStackVaults(),
  dialect: "optimism",
  verifies: [{ from_block: 0, level: "full" }],
});
