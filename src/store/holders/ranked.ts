/** The first of many things in an order: exactly those that do not come behind `bound`, all of them where it is null. */
export interface RankedItems<T> {
  readonly items: readonly T[];
  readonly bound: T | null;
}

/** Negative where the first one comes before the second one; 0 for the same thing alone. */
export type Comparator<T> = (a: T, b: T) => number;

/** `items`: the first ones in their order, of `of` in all. */
export const ranked = <T>(items: readonly T[], of: number): RankedItems<T> => ({
  items,
  bound: items.length < of ? (items.at(-1) ?? null) : null,
});

export interface RankChange<T> {
  readonly order: Comparator<T>;
  /** True of whatever is no longer there, or is there as another one. */
  readonly gone: (item: T) => boolean;
  readonly come: readonly T[];
  /** More are not kept. */
  readonly items_max: number;
}

/** The same after a change. */
export const rerank = <T>(
  { items, bound }: RankedItems<T>,
  { order, gone, come, items_max }: RankChange<T>,
): RankedItems<T> => {
  const within = come.filter((item) => bound === null || order(item, bound) <= 0);
  const all = [...items.filter((item) => !gone(item)), ...within].sort(order);
  if (all.length <= items_max) return { items: all, bound };
  const kept = all.slice(0, items_max);
  return { items: kept, bound: kept.at(-1) ?? null };
};

/** Returns the first `count` items, or null when the list does not determine them. */
export const firstOf = <T>({ items, bound }: RankedItems<T>, count: number): readonly T[] | null =>
  bound === null || items.length >= count ? items.slice(0, count) : null;

/** The first of the things of both, which have none in common: as far as either is known. */
export const merged = <T>(a: RankedItems<T>, b: RankedItems<T>, order: Comparator<T>): RankedItems<T> => {
  const bounds = [a.bound, b.bound].flatMap((bound) => (bound === null ? [] : [bound])).sort(order);
  const bound = bounds[0] ?? null;
  const items = [...a.items, ...b.items].sort(order);
  return { items: bound === null ? items : items.filter((item) => order(item, bound) <= 0), bound };
};
