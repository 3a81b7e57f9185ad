/** Who is asked about in the demo worlds, and of which tokens: in a slice fewer of each kind. */
import { eachNth, sized } from "../long.ts";

/** One token of every kind of market that the world has, and one without a market; the coin beside them. */
export const EVM_TOKENS = sized({
  slice: ["native", "weth", "harbor"],
  long: [...["native", "weth", "usdc", "usdt", "harbor"], ...["thin", "sunrise", "ballast", "copper", "moonlift"]],
});
/** A wallet of every kind of dealing that the world has. */
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
/** The coin beside them. */
export const TRON_TOKENS = sized({ slice: ["beacon"], long: ["usdt", "beacon", "wtrx"] });
/** Of so many wallets and mints of Solana one is asked for. */
export const SOLANA_EACH = 4;

/** Of services that do not read what was there before their first block, whoever is asked about; the bank has all coins of the genesis. */
export const SOME = eachNth(
  ["alice", "bob", "bank", "carol", "dave", "erin", "frank", "heidi", "validator"] as const,
  4,
);
