/** Coins that are the same on several networks. */
import type { Network } from "../../../../chains/chain.ts";
import { KNOWN_TOKENS } from "../../../../knowledge/tokens.gen.ts";
import type { Hex } from "../../../../lib/bytes.ts";

/** Symbols of a coin's other forms: wrapped for networks with another native coin, or made by a bridge. */
const SAME_AS: Readonly<Record<string, string>> = { WETH: "ETH", USDbC: "USDC" };
const BRIDGED = /\.e$/;

const coinNamed = (symbol: string): string => SAME_AS[symbol] ?? symbol.replace(BRIDGED, "");

/** Coins by token; '' is the native coin. */
type CoinsByToken = ReadonlyMap<Hex, string>;

const built = new WeakMap<Network, CoinsByToken>();

/** Listed symbols. A symbol of several original tokens of one network names no coin. */
const readCoins = ({ id, native, wrapped_native, stablecoins }: Network): CoinsByToken => {
  const listed = new Map<Hex, string>([
    ...(KNOWN_TOKENS[id] ?? []).map(([token, symbol]) => [token, symbol] as const),
    ...stablecoins.map(({ address, symbol }) => [address, symbol] as const),
  ]);
  const uses = new Map<string, number>();
  for (const symbol of listed.values()) uses.set(symbol, (uses.get(symbol) ?? 0) + 1);
  const coins = new Map<Hex, string>();
  for (const [token, symbol] of listed) if (uses.get(symbol) === 1) coins.set(token, coinNamed(symbol));
  for (const token of ["", wrapped_native] as const) if (token !== null) coins.set(token, native.symbol);
  return coins;
};

const coinsOf = (network: Network): CoinsByToken => {
  const coins = built.get(network) ?? readCoins(network);
  built.set(network, coins);
  return coins;
};

/** The coin of a token, the same word on every network; null for a token that no list names. */
export const coinOf = (network: Network, token: Hex): string | null => coinsOf(network).get(token) ?? null;

/** The tokens that are this coin on a network. */
export const tokensOf = (network: Network, coin: string): readonly Hex[] =>
  [...coinsOf(network)].flatMap(([token, own]) => (own === coin ? [token] : [])).sort();
