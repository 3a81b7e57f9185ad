/** Composition of a portfolio. Pure. */

export type HoldingCategory = "native" | "stablecoin" | "lst" | "lp" | "other";

export interface PricedHolding {
  /** Holdings with the same key are one asset: the native and wrapped native coins of a network share a key. */
  readonly asset: string;
  readonly usd_value: number;
  readonly category: HoldingCategory;
  readonly network: string;
}

export type Diversification =
  | "single_asset"
  | "highly_concentrated"
  | "concentrated"
  | "moderately_diversified"
  | "diversified"
  | "unknown";

export interface CompositionPart {
  readonly usd_value: number;
  readonly share_percent: number;
  readonly holdings: number;
}

export interface Composition {
  readonly diversification: Diversification;
  readonly note: string;
  /** Sum of squared shares, 0..1. */
  readonly hhi: number | null;
  readonly effective_assets: number | null;
  readonly top1_percent: number | null;
  readonly top5_percent: number | null;
  readonly stablecoin_percent: number | null;
  readonly native_percent: number | null;
  readonly unpriced_count: number;
  readonly by_category: readonly ({ readonly category: HoldingCategory } & CompositionPart)[];
  readonly by_network: readonly ({ readonly network: string } & CompositionPart)[];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const SINGLE_ASSET_SHARE = 0.99;
/** Lower bounds of HHI, highest first. */
const LABELS: readonly (readonly [hhi: number, label: Diversification])[] = [
  [0.5, "highly_concentrated"],
  [0.25, "concentrated"],
  [0.1, "moderately_diversified"],
  [0, "diversified"],
];

const labelOf = (top_share: number, hhi: number): Diversification =>
  top_share >= SINGLE_ASSET_SHARE ? "single_asset" : (LABELS.find(([bound]) => hhi >= bound)?.[1] ?? "diversified");

/** Groups by a key, largest value first, then by key. */
const partsBy = <K extends string>(holdings: readonly PricedHolding[], keyOf: (holding: PricedHolding) => K) => {
  const total = sum(holdings.map(({ usd_value }) => usd_value));
  const groups = new Map<K, number[]>();
  for (const holding of holdings) {
    const key = keyOf(holding);
    groups.set(key, [...(groups.get(key) ?? []), holding.usd_value]);
  }
  return [...groups]
    .map(([key, values]) => {
      const usd_value = sum(values);
      return { key, part: { usd_value, share_percent: (100 * usd_value) / total, holdings: values.length } };
    })
    .sort((a, b) => b.part.usd_value - a.part.usd_value || (a.key < b.key ? -1 : 1));
};

const unpricedWords = (count: number): string =>
  count === 0
    ? "Every holding has a price."
    : `${count} holding${count === 1 ? " has" : "s have"} no price and ${count === 1 ? "is" : "are"} left out.`;

/** @param unpriced_count holdings without a price; they are outside every share. */
export const compositionOf = (holdings: readonly PricedHolding[], unpriced_count: number): Composition => {
  const priced = holdings.filter(({ usd_value }) => usd_value > 0);
  const unknown = unpricedWords(unpriced_count);
  if (priced.length === 0) {
    return {
      diversification: "unknown",
      note: `No holding with a known value. ${unknown}`,
      hhi: null,
      effective_assets: null,
      top1_percent: null,
      top5_percent: null,
      stablecoin_percent: null,
      native_percent: null,
      unpriced_count,
      by_category: [],
      by_network: [],
    };
  }
  const values = partsBy(priced, ({ asset }) => asset).map(({ part }) => part.usd_value);
  const total = sum(values);
  const hhi = sum(values.map((value) => (value / total) ** 2));
  const categories = partsBy(priced, ({ category }) => category);
  const percentOf = (category: HoldingCategory) =>
    categories.find(({ key }) => key === category)?.part.share_percent ?? 0;
  const top1 = (100 * (values[0] ?? 0)) / total;
  const stable = percentOf("stablecoin");
  return {
    diversification: labelOf(top1 / 100, hhi),
    note: `Largest asset ${top1.toFixed(1)} % of priced value; ${(1 / hhi).toFixed(1)} effective assets (HHI ${hhi.toFixed(2)}); stablecoins ${stable.toFixed(1)} %. ${unknown}`,
    hhi,
    effective_assets: 1 / hhi,
    top1_percent: top1,
    // Sums of floats may exceed the whole by a rounding error.
    top5_percent: Math.min(100, (100 * sum(values.slice(0, 5))) / total),
    stablecoin_percent: stable,
    native_percent: percentOf("native"),
    unpriced_count,
    by_category: categories.map(({ key, part }) => ({ category: key, ...part })),
    by_network: partsBy(priced, ({ network }) => network).map(({ key, part }) => ({ network: key, ...part })),
  };
};

const MAJOR_SHARE = 0.05;
const MAJOR_COUNT = 10;

/**
 * Holdings of at least 5 % of the value, at most ten; the largest one when none reaches 5 %. `holdings`: largest first.
 */
export const majorOf = <T extends { readonly usd_value: number | null }>(holdings: readonly T[]): readonly T[] => {
  const priced = holdings.filter(({ usd_value }) => usd_value !== null && usd_value > 0);
  const total = sum(priced.map(({ usd_value }) => usd_value ?? 0));
  const major = priced.filter(({ usd_value }) => (usd_value ?? 0) >= MAJOR_SHARE * total);
  return (major.length > 0 ? major : priced.slice(0, 1)).slice(0, MAJOR_COUNT);
};

/** `$1,234.56`. */
export const dollars = (usd: number): string => {
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const text = Math.abs(usd).toLocaleString("en-US", cents);
  return usd < 0 && /[1-9]/.test(text) ? `-$${text}` : `$${text}`;
};
