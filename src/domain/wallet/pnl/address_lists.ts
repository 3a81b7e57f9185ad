/** Addresses per query. */
const ADDRESSES_MAX = 1_000;

/** Splits addresses into lists that fit into one query each. */
export const addressLists = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / ADDRESSES_MAX) }, (_, i) =>
    all.slice(i * ADDRESSES_MAX, (i + 1) * ADDRESSES_MAX),
  );
