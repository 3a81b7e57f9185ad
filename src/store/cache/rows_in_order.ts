import type { QueryName, QueryRow } from "../facts.ts";
import type { CacheDefinition } from "./cached_queries.ts";

const compare = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  // Columns of an order are numbers or hex, whose order is that of the bytes.
  return (a as number | string) < (b as number | string) ? -1 : 1;
};

/** The rows of several elements as the question itself would have answered. */
export const inOrder = <N extends QueryName>(
  { order, owners }: CacheDefinition<N>,
  lists: readonly (readonly QueryRow<N>[])[],
): readonly QueryRow<N>[] => {
  const [first] = lists;
  if (lists.length === 1 && first !== undefined) return first;
  const by = (a: QueryRow<N>, b: QueryRow<N>): number => {
    for (const column of order) {
      const less = compare(a[column], b[column]);
      if (less !== 0) return less;
    }
    return 0;
  };
  const rows = lists.flat().sort(by);
  // A row of two elements appears twice; the order distinguishes such rows.
  return owners.length === 1 ? rows : rows.filter((row, at) => at === 0 || by(rows[at - 1] ?? row, row) !== 0);
};
