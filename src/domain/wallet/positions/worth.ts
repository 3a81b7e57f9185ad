import type { ValuedHolding } from "../holdings/holdings.ts";
import type { ValuedPosition } from "./read.ts";

/** Worth of a wallet in USD. Unpriced assets add nothing; a figure is null when none of its assets has a price. */
export interface WalletWorth {
  /** Coins and tokens at their own prices. */
  readonly holdings_value_usd: number | null;
  /** Shares of pools and vaults, loans less debts, and staked coins of the network. */
  readonly positions_value_usd: number | null;
  /** Their sum. */
  readonly total_value_usd: number | null;
}

const keyOf = ({ chain, face }: ValuedHolding): string => `${chain.network.id}:${face.token}`;

const signedUsd = ({ valued: { claim, usd_value } }: ValuedPosition): number =>
  claim.kind === "debt" ? -(usd_value ?? 0) : (usd_value ?? 0);

/** @param assets the counted part of `WalletPositions.assets`; `positions` belong to the same wallets. */
export const worthOf = (assets: readonly ValuedHolding[], positions: readonly ValuedPosition[]): WalletWorth => {
  const tokens = positions.filter(({ valued }) => valued.claim.kind !== "staked_coins");
  const standing = new Set(tokens.map(({ holding }) => keyOf(holding)));
  const held = assets.filter((asset) => !standing.has(keyOf(asset)));
  const values = held.flatMap(({ usd_value, is_collectible }) => (is_collectible ? [] : [usd_value]));
  const claims = positions.map((position) => (position.valued.usd_value === null ? null : signedUsd(position)));
  return {
    holdings_value_usd: knownSum(values),
    positions_value_usd: knownSum(claims),
    total_value_usd: knownSum([...values, ...claims]),
  };
};

/** Sum of the known values: 0 for an empty list, null when every value is unknown. */
export const knownSum = (values: readonly (number | null)[]): number | null =>
  values.length > 0 && values.every((value) => value === null)
    ? null
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
