/** Risk categories for which this installation has no list. */
import { INDEXED_LABEL_SOURCES } from "../../../labels/derived_labels.ts";
import type { SnapshotContext } from "../../context.ts";
import { NAMED_BY_LABELS } from "./tags.ts";

interface ListedCategories {
  /** Versions of the lists that the categories follow from. */
  readonly versions: string;
  readonly listed: Promise<readonly string[]>;
}

/** Listed categories by network, read again only after a list was imported. */
class ListedCategoriesCache {
  readonly of = new Map<string, ListedCategories>();
}

type ListScope = Pick<SnapshotContext, "facts" | "snapshot" | "chain">;

/** A label of `evm` means every EVM network. */
const askListed = async ({ facts, snapshot, chain }: ListScope): Promise<readonly string[]> => {
  const rows = await facts.ask(snapshot, "risk/listed_categories", {
    family: chain.network.family,
    categories: NAMED_BY_LABELS,
    derived: INDEXED_LABEL_SOURCES,
  });
  return rows.map(({ category }) => category);
};

/** The risk categories of which no list names an address on the network. */
export const readUnlisted = async (scope: ListScope): Promise<readonly string[]> => {
  const { of } = scope.facts.own(ListedCategoriesCache);
  const { network } = scope.snapshot;
  const versions = JSON.stringify(await scope.facts.lists("risk/listed_categories", "last_look"));
  let known = of.get(network);
  if (known?.versions !== versions) {
    known = { versions, listed: askListed(scope) };
    of.set(network, known);
    known.listed.catch(() => of.delete(network));
  }
  const listed = await known.listed;
  return NAMED_BY_LABELS.filter((category) => !listed.includes(category));
};

/** The same as a gap of an answer; none where lists name every category. */
export const unlistedIn = (
  { chain }: Pick<SnapshotContext, "chain">,
  unlisted: readonly string[],
): readonly { field: string; reason: string }[] =>
  unlisted.length === 0
    ? []
    : [{ field: "categories", reason: `no list names addresses on ${chain.network.id} of ${unlisted.join(", ")}` }];
