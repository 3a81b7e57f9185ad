/** Reliability of a price that sets the value of a trade; a side has the rank of its weakest leg. */
export const PRICE_RANK = { same_transaction: 0.5, low: 1, medium: 2, high: 3, native: 4, stablecoin: 5 } as const;

/** One leg of a trade: its own value, null when it has no price. */
export interface TradeLeg {
  readonly usd: number | null;
  /** A `PRICE_RANK`; 0 without a price. */
  readonly rank: number;
  /** Worth under 0.1 % of the coins that went through the transaction. */
  readonly is_dust: boolean;
}

/** USD of each leg, in the order given. The sums of both sides are equal. */
export interface TradeValue {
  readonly outs: readonly number[];
  readonly ins: readonly number[];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** USD of every leg when all deciding ones are priced, null otherwise. */
const priced = (legs: readonly TradeLeg[]): number[] | null =>
  deciding(legs).some(({ usd }) => usd === null) ? null : legs.map(({ usd }) => usd ?? 0);

/** The legs of a side whose prices count: dust is left out. */
const deciding = (legs: readonly TradeLeg[]): readonly TradeLeg[] => {
  const real = legs.filter(({ is_dust }) => !is_dust);
  return real.length === 0 ? legs : real;
};

/** Largest share of a cost or a payment that dust carries. */
const DUST_SHARE = 0.01;

/** Parts of a whole by leg, with at most 1 % of it for a leg that is dust; the others take the rest pro rata. */
export const capDust = (legs: readonly Pick<TradeLeg, "is_dust">[], parts: readonly number[]): readonly number[] => {
  const whole = sum(parts);
  const isCapped = (i: number): boolean => legs[i]?.is_dust === true && (parts[i] ?? 0) > whole * DUST_SHARE;
  const real = parts.filter((_, i) => legs[i]?.is_dust !== true);
  const excess = sum(parts.map((part, i) => (isCapped(i) ? part - whole * DUST_SHARE : 0)));
  if (real.length === 0 || excess === 0) return parts;
  const base = sum(real);
  return parts.map((part, i) => {
    if (isCapped(i)) return whole * DUST_SHARE;
    if (legs[i]?.is_dust === true) return part;
    return part + (base === 0 ? excess / real.length : (excess * part) / base);
  });
};

const rankOf = (legs: readonly TradeLeg[]): number => Math.min(...deciding(legs).map((leg) => leg.rank));

/** Splits `value` over the legs of the other side. */
const share = (legs: readonly TradeLeg[], value: number): readonly number[] => capDust(legs, sharedBy(legs, value));

const sharedBy = (legs: readonly TradeLeg[], value: number): number[] => {
  const known = legs.map((leg) => leg.usd ?? 0);
  const total = sum(known);
  const unknown = legs.filter((leg) => leg.usd === null).length;
  if (unknown === 0)
    return total === 0 ? legs.map(() => value / legs.length) : known.map((usd) => (value * usd) / total);
  const scale = total > value ? value / total : 1;
  const rest = Math.max(0, value - total) / unknown;
  return legs.map((leg) => (leg.usd === null ? rest : leg.usd * scale));
};

/** Values one leg against another: the better-ranked price holds for both. */
const valuePair = (out: TradeLeg, into: TradeLeg): TradeValue | null => {
  const sets_out = out.usd !== null && (into.usd === null || out.rank >= into.rank);
  const usd = sets_out ? out.usd : into.usd;
  return usd === null ? null : { outs: [usd], ins: [usd] };
};

/**
 * Values a trade by the side whose legs are all priced, the better one by rank, the outgoing one on a tie; its legs
 * keep their own USD and the other side shares the sum. Null when neither side is fully priced.
 */
export const valueTrade = (outs: readonly TradeLeg[], ins: readonly TradeLeg[]): TradeValue | null => {
  const [out, into] = [outs[0], ins[0]];
  if (outs.length === 1 && ins.length === 1 && out !== undefined && into !== undefined) return valuePair(out, into);
  const outUsd = priced(outs);
  const inUsd = priced(ins);
  if (outUsd !== null && (inUsd === null || rankOf(outs) >= rankOf(ins))) {
    return { outs: outUsd, ins: share(ins, sum(outUsd)) };
  }
  return inUsd === null ? null : { outs: share(outs, sum(inUsd)), ins: capDust(ins, inUsd) };
};
