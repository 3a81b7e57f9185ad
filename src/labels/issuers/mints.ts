import { fromBase58 } from "../../lib/base58.ts";
import { EMPTY, toHex } from "../../lib/bytes.ts";
import type { ListedCoin } from "./coins.ts";

const mint = (symbol: string, address: string): ListedCoin => ({
  network: "solana",
  symbol,
  address: toHex(fromBase58(address) ?? EMPTY),
  decimals: 6,
  families: ["token_authority"],
  start_block: null,
});

/** Coins that are mints of token programs. Addresses: Uniswap's default token list. What each mint lets its issuer do is read live. */
export const LISTED_MINTS: readonly ListedCoin[] = [
  mint("EURC", "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr"),
  mint("PYUSD", "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"),
  mint("USD1", "USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB"),
  mint("USDC", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
  mint("USDS", "USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"),
  mint("USDT", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
];
