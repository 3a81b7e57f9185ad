/** Signals of a market. Pure: facts in, signals with their thresholds out. */

/** Every threshold, as the answer returns it. */
export const MARKET_THRESHOLDS = {
  /** Standard deviations above the mean of the days before. */
  volume_spike: 3,
  /** Percent in 24 hours. */
  liquidity_drop: -30,
  /** Percent of the traded value that was bought. */
  buy_pressure: 65,
  /** Percent between the most and the least expensive pool. */
  price_dislocation: 3,
  /** USD. */
  low_liquidity: 25_000,
  /** Days. */
  new_token: 7,
  /** Percent of the traded amount. */
  wash_suspected: 20,
} as const;

export type SignalCode = keyof typeof MARKET_THRESHOLDS;

export interface MarketSignal {
  readonly code: SignalCode;
  readonly value: number;
  readonly threshold: number;
}

/** The number that each signal evaluates; null when it is not known. */
export type SignalValues = { readonly [C in SignalCode]: number | null };

/** True where less is worse. */
const IS_BELOW: { readonly [C in SignalCode]: boolean } = {
  volume_spike: false,
  liquidity_drop: true,
  buy_pressure: false,
  price_dislocation: false,
  low_liquidity: true,
  new_token: true,
  wash_suspected: false,
};

// Object.keys forgets the keys; they are those of MARKET_THRESHOLDS.
const CODES = Object.keys(MARKET_THRESHOLDS) as readonly SignalCode[];

/** `signals`: those whose value is beyond the threshold. `unknown`: those without a value. */
export const signalsOf = (
  values: SignalValues,
): { signals: readonly MarketSignal[]; unknown: readonly SignalCode[] } => {
  const signals: MarketSignal[] = [];
  for (const code of CODES) {
    const value = values[code];
    const threshold = MARKET_THRESHOLDS[code];
    if (value === null || (IS_BELOW[code] ? value >= threshold : value <= threshold)) continue;
    signals.push({ code, value, threshold });
  }
  return { signals, unknown: CODES.filter((code) => values[code] === null) };
};

/** Days of history that a mean needs. */
const HISTORY_DAYS_MIN = 7;

/**
 * Number of (population) standard deviations of `latest` above the mean of `before`. Null with fewer than 7 values, or
 * when all of them are equal.
 */
export const zScore = (latest: number, before: readonly number[]): number | null => {
  if (before.length < HISTORY_DAYS_MIN) return null;
  const mean = before.reduce((sum, value) => sum + value, 0) / before.length;
  const variance = before.reduce((sum, value) => sum + (value - mean) ** 2, 0) / before.length;
  return variance === 0 ? null : (latest - mean) / Math.sqrt(variance);
};

/** Change from `then` to `now` in percent; null when one is not known or `then` is 0. */
export const changePercent = (now: number | null, then: number | null): number | null =>
  now === null || then === null || then === 0 ? null : 100 * (now / then - 1);

/** `part` of `whole` in percent; null when one is not known or `whole` is 0. */
export const sharePercent = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : (100 * part) / whole;

/** Percent between the highest and the lowest price; null with fewer than two. */
export const spreadPercent = (prices: readonly number[]): number | null =>
  prices.length < 2 ? null : 100 * (Math.max(...prices) / Math.min(...prices) - 1);
