import type { Hex } from "../../../lib/bytes.ts";
import { HOUR_S } from "../../../lib/time.ts";
import { type Price, type PriceContext, pooledSpan, priceKey, pricesAtHours, REPLAY_HOURS_MAX } from "./price_now.ts";

/**
 * Prices of tokens in the hours that the indexer has not stored yet, up to `until` (the first second of an hour), oldest first. A peak over
 * stored hours alone would depend on how far the indexer has come, so that an answer at a block would change later.
 */
export const unstoredPrices = async (
  context: PriceContext,
  tokens: readonly Hex[],
  until: number,
): Promise<readonly (Price & { readonly token: Hex })[]> => {
  const stored = await pooledSpan(context);
  const first = Math.max(stored.until, until - REPLAY_HOURS_MAX * HOUR_S, 0);
  const count = Math.max(0, Math.floor((until - first) / HOUR_S) + 1);
  const wanted = Array.from({ length: count }, (_, n) => tokens.map((token) => ({ token, hour: first + n * HOUR_S })));
  const prices = await pricesAtHours(context, wanted.flat());
  return wanted.flat().flatMap(({ token, hour }) => {
    const price = prices.get(priceKey(token, hour));
    return price === undefined ? [] : [{ ...price, token }];
  });
};
