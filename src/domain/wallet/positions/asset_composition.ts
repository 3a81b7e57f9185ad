import { type Composition, compositionOf } from "../holdings/composition.ts";
import type { ValuedHolding } from "../holdings/holdings.ts";
import type { ValuedPosition } from "./read.ts";

/** Composition of what a wallet has: its assets and the coins that networks hold for it. */
export interface AssetComposition extends Composition {
  /** Collectibles have no price: they are in no share and no unpriced holdings. */
  readonly collectibles: number;
  /** USD of all parts with a value, spam included if `assets` contain it. */
  readonly gross_usd: number;
}

/** @param assets the counted part of `WalletPositions.assets`; `positions` belong to the same wallets. */
export const assetComposition = (
  assets: readonly ValuedHolding[],
  positions: readonly ValuedPosition[],
): AssetComposition => {
  const staked = positions.filter(({ valued }) => valued.claim.kind === "staked_coins").map(({ holding }) => holding);
  const all = [...assets, ...staked];
  const fungible = all.filter(({ is_collectible }) => !is_collectible);
  const unpriced_count = fungible.filter(({ usd_value }) => usd_value === null).length;
  const priced = fungible.flatMap(({ chain, face, usd_value, category }) => {
    const asset = category === "native" ? "native" : face.token;
    return usd_value === null
      ? []
      : [{ asset: `${chain.network.id}:${asset}`, usd_value, category, network: chain.network.id }];
  });
  return {
    ...compositionOf(priced, unpriced_count),
    collectibles: all.length - fungible.length,
    gross_usd: all.reduce((sum, { usd_value }) => sum + (usd_value ?? 0), 0),
  };
};
