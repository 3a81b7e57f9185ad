import type { Holding } from "../holdings/holdings.ts";
import type { Position } from "./read.ts";

/** What a wallet is worth, in USD. What has no price adds nothing. */
export interface Worth {
  /** Coins and tokens at their own prices. */
  readonly holdings_value_usd: number;
  /** Shares of pools and vaults, what is lent less what is borrowed, staked coins of the network. */
  readonly positions_value_usd: number;
  /** Their sum. */
  readonly total_value_usd: number;
}

const keyOf = ({ chain, face }: Holding): string => `${chain.network.id}:${face.token}`;

const signedUsd = ({ valued: { claim, usd_value } }: Position): number =>
  claim.kind === "debt" ? -(usd_value ?? 0) : (usd_value ?? 0);

/** @param assets what counts of `WalletPositions.assets`; `positions` of the same wallets. */
export const worthOf = (assets: readonly Holding[], positions: readonly Position[]): Worth => {
  const tokens = positions.filter(({ valued }) => valued.claim.kind !== "staked_coins");
  const standing = new Set(tokens.map(({ holding }) => keyOf(holding)));
  const held = assets.filter((asset) => !standing.has(keyOf(asset)));
  const holdings_value_usd = held.reduce((sum, { usd_value }) => sum + (usd_value ?? 0), 0);
  const positions_value_usd = positions.reduce((sum, position) => sum + signedUsd(position), 0);
  return { holdings_value_usd, positions_value_usd, total_value_usd: holdings_value_usd + positions_value_usd };
};
