import type { DeveloperMarket, MarketState, Peaks, Valuer } from "./markets.ts";
import { usdOf } from "./markets.ts";
import { RUG_RULES } from "./rug_outcomes.ts";

/** Whether the pools of a token lost their liquidity: one function for outcomes of tokens and of holdings. */

/** USD on both sides of a pool at its other side's peak; null when no event shows it. */
export const peakOf = (market: DeveloperMarket, peaks: Peaks, valuer: Valuer): number | null => {
  const peak = peaks.fullest.get(market.pool.pool);
  if (peak === undefined || market.pool.family !== "uniswap_v2") return null;
  const [amount, time] = market.pool.is_first ? [peak.reserve1, peak.time1] : [peak.reserve0, peak.time0];
  const usd = usdOf(valuer, market.pool.other, { amount, time });
  return usd === null ? null : 2 * usd;
};

interface MarketHistory {
  /** Of one token. */
  readonly markets: readonly DeveloperMarket[];
  readonly peaks: Peaks;
  readonly valuer: Valuer;
}

/** USD on the other side of all pools of a token at their peaks; null when none is known. */
const peakDepth = ({ markets, peaks, valuer }: MarketHistory): number | null =>
  markets
    .map((market) => peakOf(market, peaks, valuer))
    // The peak counts the other side twice, since both sides have equal value.
    .reduce((sum: number | null, usd) => (usd === null ? sum : (sum ?? 0) + usd / 2), null);

/** Little is left of much: a pool that never held more is small, not drained. */
export const isDrained = (state: MarketState | undefined, history: MarketHistory): boolean => {
  const depth_usd = state?.depth_usd ?? null;
  const peak_usd = peakDepth(history);
  return (
    depth_usd !== null &&
    peak_usd !== null &&
    depth_usd < RUG_RULES.depth_usd_min &&
    peak_usd >= RUG_RULES.depth_usd_min &&
    depth_usd <= peak_usd * (1 - RUG_RULES.removal_percent_min / 100)
  );
};
