/** The result of a search of an address, and its blocks that are still to be read. */
import type { FoundHistory } from "../../chains/account_history.ts";
import type { BlockRef } from "../../chains/chain.ts";
import type { StoredBlocks } from "./stretches.ts";

/** The result of a search up to the block `to`. */
export interface SearchResult extends Omit<FoundHistory, "blocks"> {
  /** It found some. The store keeps them: a large address has millions. */
  readonly has_blocks: boolean;
  /** Blocks up to this one are read, or lost. */
  readonly above: number;
  readonly to: BlockRef;
  /** Of blocks before a history that is read already. */
  readonly is_older: boolean;
}

export const searchResult = (
  { blocks, ...found }: FoundHistory,
  { after, ...about }: Pick<SearchResult, "to" | "is_older"> & { readonly after: number },
): SearchResult => ({
  ...{ ...found, ...about },
  to: found.reached ?? about.to,
  above: Math.max(found.again_after ?? after, (found.lost_before ?? 0) - 1),
  has_blocks: blocks.length > 0,
});

export const isMissing = ({ number, stored }: StoredBlocks[number], { above, to }: SearchResult): boolean =>
  stored === null && number > above && number <= to.number;
