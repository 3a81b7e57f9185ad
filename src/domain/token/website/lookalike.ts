import { distance } from "../../../lib/nearest.ts";
import { skeletonOf } from "../../lookalikes.ts";

/** Most imitated sites: exchanges, wallets, explorers, markets. Only names that are not everyday words. */
const KNOWN: readonly string[] = [
  ...["uniswap.org", "pancakeswap.finance", "1inch.io", "raydium.io", "quickswap.exchange"],
  ...["aave.com", "makerdao.com", "rocketpool.net", "eigenlayer.xyz", "hyperliquid.xyz", "pendle.finance", "ethena.fi"],
  ...["metamask.io", "trustwallet.com", "walletconnect.com", "trezor.io", "rabby.io", "coinbase.com", "binance.com"],
  ...["bybit.com", "kucoin.com", "opensea.io", "magiceden.io", "etherscan.io", "bscscan.com"],
  ...["polygonscan.com", "arbiscan.io", "basescan.org", "solscan.io", "tronscan.org", "dexscreener.com", "dextools.io"],
  ...["coingecko.com", "coinmarketcap.com", "arbitrum.io", "ethereum.org", "solana.com"],
];
/** Shorter labels are words of many languages. */
const LABEL_MIN = 5;
/** One letter more or less makes another word of a short label. */
const TYPO_LABEL_MIN = 7;

/** A label as a hurried reader perceives it. */
const glance = (label: string): string =>
  skeletonOf(label)
    .replaceAll("0", "o")
    .replaceAll("1", "l")
    .replaceAll("3", "e")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");

const imitates = (label: string, known: string): boolean => {
  const seen = glance(label);
  const meant = glance(known);
  if (known.length < LABEL_MIN) return false;
  if (seen.split("-").includes(meant) || seen.replaceAll("-", "") === meant) return true;
  return meant.length >= TYPO_LABEL_MIN && distance(seen, meant) === 1;
};

/** The well-known domain that this one imitates without being it; null without one. */
export const lookalikeOf = ({
  registrable,
  label,
}: {
  registrable: string | null;
  label: string | null;
}): string | null => {
  if (registrable === null || label === null || KNOWN.includes(registrable)) return null;
  return KNOWN.find((known) => imitates(label, known.slice(0, known.indexOf(".")))) ?? null;
};
