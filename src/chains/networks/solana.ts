import type { Hex } from "../../lib/bytes.ts";
import type { Network } from "../chain.ts";
import { parseAddress } from "../solana/address.ts";

const mint = (text: string): Hex => parseAddress(text) ?? "";

/**
 * Solana. Its chain id is a convention of token lists; CAIP-2 has the beginning of the genesis hash. A block is final
 * once two thirds of the stake have voted for 31 blocks on it, which nodes report (commitment `finalized`).
 */
export const solana: Network = {
  id: "solana",
  name: "Solana",
  family: "solana",
  chain_id: 101,
  caip2: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  native: { symbol: "SOL", decimals: 9 },
  has_nonces: false,
  // The incinerator: every block burns its lamports, and no key signs for its tokens (solana-sdk-ids, incinerator).
  burn_addresses: [mint("1nc1nerator11111111111111111111111111111111")],
  wrapped_native: mint("So11111111111111111111111111111111111111112"),
  // Uniswap's default token list.
  stablecoins: [
    { symbol: "USDC", address: mint("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"), peg: "USD" },
    { symbol: "USDT", address: mint("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"), peg: "USD" },
    { symbol: "PYUSD", address: mint("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"), peg: "USD" },
    { symbol: "EURC", address: mint("HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr"), peg: "EUR" },
    { symbol: "USD1", address: mint("USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB"), peg: "USD" },
    { symbol: "USDS", address: mint("USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"), peg: "USD" },
  ],
  finality_blocks: 32,
  block_seconds: 0.4,
  multicall: null,
  ens: null,
};
