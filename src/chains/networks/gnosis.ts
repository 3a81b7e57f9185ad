import { defineEvm } from "./define.ts";

export const gnosis = defineEvm({
  id: "gnosis",
  name: "Gnosis",
  chain_id: 100,
  native: { symbol: "xDAI", decimals: 18 },
  wrapped_native: "e91d153e0b41518a2ce8dd3d7944fa863463a97d",
  stablecoins: [
    { symbol: "USDC", address: "ddafbb505ad214d7b80b1f830fccc89b60fb7a83", peg: "USD" },
    { symbol: "USDT", address: "4ecaba5870353805a9f068101a40e0f32ed605c6", peg: "USD" },
  ],
  finality_blocks: 64,
  block_seconds: 5,
  // Dencun: gnosischain/specs network-upgrades/dencun.md.
  selfdestruct_keeps_code_from: 1_710_181_820,
  // London and Prague: gnosischain/specs, network-upgrades, and erigontech/erigon, its chain configuration.
  fee_recipients: [
    { part: "base", recipient: "6bbe78ee9e474842dbd4ab4987b3cefe88426a92", from_block: 19_040_000 },
    { part: "blob", recipient: "6bbe78ee9e474842dbd4ab4987b3cefe88426a92", from_time: 1_746_021_820 },
  ],
  dialect: "ethereum",
  // After the merge (block 25,349,537): headers before it have seals that not all clients serve.
  verifies: [
    { from_block: 0, level: "none" },
    { from_block: 25_400_000, level: "full" },
  ],
});
