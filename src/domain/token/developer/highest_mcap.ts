import type { Hex } from "../../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { nodeStateBlock } from "../../node_state.ts";
import type { Price } from "../../valuation/prices/price_now.ts";
import { unstoredPrices } from "../../valuation/prices/unstored_prices.ts";
import { storedDepth } from "../../valuation/worth.ts";
import { marketValueOf, readIssued, readSupplies } from "../holders/supply.ts";

interface PeakPrice {
  readonly token: Hex;
  readonly price_usd: number;
  readonly sells: Price["sells"];
}

/** The highest price of each token; of equal ones the last. */
const highestOf = (prices: readonly PeakPrice[]): readonly PeakPrice[] => {
  const highest = new Map<Hex, PeakPrice>();
  for (const price of prices)
    if (price.price_usd >= (highest.get(price.token)?.price_usd ?? 0)) highest.set(price.token, price);
  return [...highest.values()];
};

/**
 * Today's circulating supply at the highest price that each token ever had, USD: the largest of them; null when none is
 * known, or when no pool of that hour was deep enough for it (the other side of a pool is half of its liquidity).
 */
export const highestMcap = async (scope: SnapshotContext, tokens: readonly Hex[]): Promise<number | null> => {
  const { facts, snapshot, chain } = scope;
  const until = Math.max(0, hourOf(snapshot.block.time) - HOUR_S);
  const [stored, fresh, at] = await Promise.all([
    facts.ask(snapshot, "developer/highest_prices", { tokens: [...tokens], until }),
    unstoredPrices({ facts, snapshot, network: chain.network }, tokens, until),
    nodeStateBlock(scope),
  ]);
  const prices = highestOf([
    ...stored.map(({ token, price_usd, ...depth }) => ({
      ...{ token, price_usd, sells: storedDepth(depth.sell_reserve, depth.sell_payout_usd) },
    })),
    ...fresh,
  ]);
  if (prices.length === 0 || at === null) return null;
  const issued = await readIssued(
    scope,
    prices.map(({ token }) => token),
    at,
  );
  const supplies = await readSupplies(scope, issued);
  const known = prices.flatMap(({ token, price_usd, sells }) => {
    const supply = supplies.get(token);
    const liquidity_usd = sells === null ? null : 2 * sells.payout_max_usd;
    if (supply === undefined) return [];
    return marketValueOf(supply, { price_usd, sells }, liquidity_usd).market_cap_usd ?? [];
  });
  return known.length === 0 ? null : Math.max(...known);
};
