/** Wallets and tokens of the demo worlds under test: in a slice fewer of each kind. */
import { eachNth, sized } from "../long.ts";

/** One token of every kind of market in the world, and one without a market; the coin in addition. */
export const EVM_TOKENS = sized({
  slice: ["native", "weth", "harbor"],
  long: [...["native", "weth", "usdc", "usdt", "harbor"], ...["thin", "sunrise", "ballast", "copper", "moonlift"]],
});
/** A wallet of every kind of activity in the world. */
export const EVM_WALLETS = [
  ...(["alice", "erin", "peggy", "dave"] as const),
  ...sized({ slice: [], long: ["bob", "carol", "heidi", "frank", "grace", "judy", "nina", "mallory"] as const }),
];
export const TRON_NAMES = [
  ...["alice", "dave", "erin"],
  ...sized({
    slice: [],
    long: [
      ...["bank", "bob", "carol", "frank", "peggy", "exchange"],
      ...["trent", "mallory", "victor", "ivan", "nina", "oscar"],
    ],
  }),
];
/** The coin in addition. */
export const TRON_TOKENS = sized({ slice: ["beacon"], long: ["usdt", "beacon", "wtrx"] });
/** One of this many wallets and mints of Solana is tested. */
export const SOLANA_EACH = 4;

/** Wallets tested with services that do not read state from before their first block; the bank has all coins of the genesis. */
export const SOME = eachNth(
  ["alice", "bob", "bank", "carol", "dave", "erin", "frank", "heidi", "validator"] as const,
  4,
);
