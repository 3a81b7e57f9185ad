import type { Hex } from "../../../lib/bytes.ts";
import { HOUR_S, hourOf } from "../../../lib/time.ts";
import type { SnapshotContext } from "../../context.ts";
import { storedDepth } from "../../valuation/worth.ts";
import { stateBlock } from "../holders/balances.ts";
import { marketValueOf, readIssued, readSupplies } from "../holders/supply.ts";

/**
 * Today's circulating supply at the highest price that each token ever had, USD: the largest of them; null when none is
 * known, or when no pool of that hour was deep enough for it (the other side of a pool is half of its liquidity).
 */
export const highestMcap = async (scope: SnapshotContext, tokens: readonly Hex[]): Promise<number | null> => {
  const { facts, snapshot } = scope;
  const until = Math.max(0, hourOf(snapshot.block.time) - HOUR_S);
  const prices = await facts.ask(snapshot, "developer/highest_prices", { tokens: [...tokens], until });
  if (prices.length === 0) return null;
  const issued = await readIssued(
    scope,
    prices.map(({ token }) => token),
    await stateBlock(scope),
  );
  const supplies = await readSupplies(scope, issued);
  const known = prices.flatMap(({ token, price_usd, sell_reserve, sell_payout_usd }) => {
    const supply = supplies.get(token);
    const sells = storedDepth(sell_reserve, sell_payout_usd);
    const liquidity_usd = sells === null ? null : 2 * sells.payout_max_usd;
    if (supply === undefined) return [];
    return marketValueOf(supply, { price_usd, sells }, liquidity_usd).market_cap_usd ?? [];
  });
  return known.length === 0 ? null : Math.max(...known);
};
