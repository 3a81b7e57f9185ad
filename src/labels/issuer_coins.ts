import type { ListedCoin } from "../knowledge/issuer.ts";
import { ISSUER_COINS } from "../knowledge/issuers.gen.ts";
import type { Label, LabelSource } from "./source.ts";

/** Families of contracts that bridges made: their coins are claims on the bridge. */
const BRIDGED: readonly string[] = ["circle_bridged", "tether_bridged"];

/** Empty for a coin that only bridges issue, and for one whose issuer is not listed. */
const issuerOf = ({ issuer, families }: ListedCoin): string =>
  families.length > 0 && families.every((family) => BRIDGED.includes(family)) ? "" : issuer;

const rowOf = (coin: ListedCoin): Label => ({
  network: coin.network,
  address: coin.address,
  label: coin.symbol,
  category: "stablecoin_contract",
  entity: issuerOf(coin),
  confidence: 1,
  evidence: "the registry of issuers in this project",
});

/** Contracts of coins whose issuers the registry knows, with the issuer as their entity. */
export const issuerCoinLabels: LabelSource = {
  name: "issuers",
  licence: "Facts; written for this project.",
  rank: 80,
  rows: ISSUER_COINS.map(rowOf),
};
