import { defineEvm } from "./define.ts";

export const ethereum = defineEvm({
  id: "ethereum",
  name: "Ethereum",
  chain_id: 1,
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: "c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  stablecoins: [
    { symbol: "USDC", address: "a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", peg: "USD" },
    { symbol: "USDT", address: "dac17f958d2ee523a2206206994597c13d831ec7", peg: "USD" },
    { symbol: "DAI", address: "6b175474e89094c44da98b954eedeac495271d0f", peg: "USD" },
    { symbol: "EURC", address: "1abaea1f7c830bd89acc67ec4af516284b1bc33c", peg: "EUR" },
    { symbol: "PYUSD", address: "6c3ea9036406852006290770bedfcaba0e23a0e8", peg: "USD" },
    { symbol: "USDS", address: "dc035d45d973e3ec169d2276ddab16f1e407384f", peg: "USD" },
    { symbol: "USD1", address: "8d0d000ee44948fc98c9b98a4fa4921476f08b0d", peg: "USD" },
    { symbol: "RLUSD", address: "8292bb45bf1ee4d140127049757c2e0ff06317ed", peg: "USD" },
    { symbol: "USDP", address: "8e870d67f660d95d5be530380d0ec0bd388289e1", peg: "USD" },
    { symbol: "GUSD", address: "056fd409e1d7a124bd7017459dfea2f387b6d5cd", peg: "USD" },
    { symbol: "BUSD", address: "4fabb145d64652a948d72533023f6e7a623c7c53", peg: "USD" },
  ],
  finality_blocks: 96,
  block_seconds: 12,
  // Cancun: go-ethereum params/config.go, CancunTime.
  selfdestruct_keeps_code_from: 1_710_338_135,
  ens: {
    registry: "00000000000c2e074ec69a0dfb2997ba6c7d2e1e",
    universal_resolver: "ce01f8eee7e479c928f8919abd53e553a36cef67",
  },
  // Frontier; Byzantium (EIP-649), Constantinople (EIP-1234), the merge (EIP-3675): go-ethereum params/config.go.
  block_rewards: [
    { from_block: 0, amount: 5_000_000_000_000_000_000n },
    { from_block: 4_370_000, amount: 3_000_000_000_000_000_000n },
    { from_block: 7_280_000, amount: 2_000_000_000_000_000_000n },
    { from_block: 15_537_394, amount: 0n },
  ],
  dialect: "ethereum",
  verifies: [{ from_block: 0, level: "full" }],
});
