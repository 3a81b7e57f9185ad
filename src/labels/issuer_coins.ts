import { LISTED_COINS, type ListedCoin } from "./issuers/coins.ts";
import { LISTED_MINTS } from "./issuers/mints.ts";
import type { Label, LabelSource } from "./source.ts";

/** Who issues the coins of the registry, by symbol. */
const ISSUERS: Readonly<Record<string, string>> = {
  BUSD: "Paxos",
  DAI: "Sky",
  EURC: "Circle",
  EURCV: "Societe Generale-FORGE",
  FIDD: "Fidelity",
  MNEE: "MNEE",
  PYUSD: "Paxos",
  RLUSD: "Ripple",
  USD1: "World Liberty Financial",
  USDC: "Circle",
  USDP: "Paxos",
  USDS: "Sky",
  USDT: "Tether",
  USDT0: "Tether",
  USDtb: "Ethena",
};

/** Families of contracts that bridges made: their coins are claims on the bridge. */
const BRIDGED: readonly string[] = ["circle_bridged", "tether_bridged"];

/** Nobody in particular for a coin that only bridges ever had in their hands, and for one whose issuer is not listed. */
const issuerOf = ({ symbol, families }: ListedCoin): string =>
  families.length > 0 && families.every((family) => BRIDGED.includes(family)) ? "" : (ISSUERS[symbol] ?? "");

const rowOf = (coin: ListedCoin): Label => ({
  network: coin.network,
  address: coin.address,
  label: coin.symbol,
  category: "stablecoin_contract",
  entity: issuerOf(coin),
  confidence: 1,
  evidence: "the registry of issuers in this project",
});

/** Contracts of coins whose issuers the registry knows, with who stands behind them. */
export const issuerCoinLabels: LabelSource = {
  name: "issuers",
  licence: "Facts; written for this project.",
  rank: 80,
  rows: [...LISTED_COINS, ...LISTED_MINTS].map(rowOf),
};
