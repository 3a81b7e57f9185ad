import type { Hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";

/** Label categories of the network: without a label of a category, no address can be excluded from it. */
export const labelCategories = async ({ facts, snapshot }: IndexedFacts): Promise<ReadonlySet<string>> => {
  const rows = await facts.ask(snapshot, "identity/label_categories", {});
  return new Set(rows.map(({ category }) => category));
};

/** Categories that labels of at least one of the networks have. */
export const labelCategoriesOver = async (places: readonly IndexedFacts[]): Promise<ReadonlySet<string>> =>
  new Set((await Promise.all(places.map(labelCategories))).flatMap((categories) => [...categories]));

/** Addresses with a label of one of these categories, in their order as hex, at most `limit`. */
export const addressesLabelled = async (
  { facts, snapshot }: IndexedFacts,
  categories: readonly string[],
  limit: number,
): Promise<readonly Hex[]> => {
  const rows = await facts.ask(snapshot, "identity/labelled", { categories, limit });
  return rows.map(({ address }) => address);
};
