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

/** Value of a position in the worth of its wallet: a debt counts below zero; null when it is not known. */
const signedUsd = ({ valued: { claim, usd_value } }: ValuedPosition): number | null =>
  usd_value !== null && claim.kind === "debt" ? -usd_value : usd_value;

/** A holding as a row: its value at its own price, or as a position, never both. */
export interface RowWorth {
  readonly usd_value: number | null;
  /** Null for a holding that stands for nothing else, or whose position has no known value. */
  readonly position_value_usd: number | null;
  readonly is_position: boolean;
}

/** Values of the rows of holdings: what counts in `positions_value_usd` has no value of its own. */
export const rowWorths = (positions: readonly ValuedPosition[]): ((holding: ValuedHolding) => RowWorth) => {
  const standing = new Map(tokenPositions(positions).map((position) => [keyOf(position.holding), signedUsd(position)]));
  return (holding) => {
    const position_value_usd = standing.get(keyOf(holding));
    return position_value_usd === undefined
      ? { usd_value: holding.usd_value, position_value_usd: null, is_position: false }
      : { usd_value: null, position_value_usd, is_position: true };
  };
};

/** Positions that a token represents. */
const tokenPositions = (positions: readonly ValuedPosition[]): readonly ValuedPosition[] =>
  positions.filter(({ valued }) => valued.claim.kind !== "staked_coins");

/** @param assets the counted part of `WalletPositions.assets`; `positions` belong to the same wallets. */
export const worthOf = (assets: readonly ValuedHolding[], positions: readonly ValuedPosition[]): WalletWorth => {
  const worthOfRow = rowWorths(positions);
  const held = assets.filter((asset) => !asset.is_collectible && !worthOfRow(asset).is_position);
  const values = held.map(({ usd_value }) => usd_value);
  const claims = positions.map(signedUsd);
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
