import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { anchorsOf, inBatches } from "../../valuation/prices/pools.ts";

/**
 * The start of each token's market: unix seconds of the first pool of a known exchange, by token. Absent: the token
 * never had one, its announcement is not known, or the token has a price without a market (the native coin, coins
 * pegged to the dollar).
 */
export const readMarketStarts = async (
  { facts, snapshot, chain }: SnapshotContext,
  tokens: readonly Hex[],
): Promise<ReadonlyMap<Hex, number>> => {
  const { network } = chain;
  const anchors = anchorsOf(network);
  const hasAnother = (token: Hex): boolean => token === "" || token === network.wrapped_native || anchors.has(token);
  const wanted = new Set(tokens.filter((token) => !hasAnother(token)));
  const pools = await inBatches([...wanted].sort(), (part) =>
    facts.ask(snapshot, "pools_of_tokens", { tokens: [...part] }),
  );
  const firsts = new Map<Hex, number>();
  for (const { venue, token0, token1, created_block } of pools) {
    if (venue === "") continue;
    // A pool that existed before its announcement in the index is older than every known event.
    const block = created_block ?? Number.NEGATIVE_INFINITY;
    for (const token of [token0, token1]) {
      if (wanted.has(token)) firsts.set(token, Math.min(block, firsts.get(token) ?? Number.POSITIVE_INFINITY));
    }
  }
  const blocks = [...new Set(firsts.values())].filter((block) => Number.isFinite(block));
  const rows = await inBatches(blocks, (part) => facts.ask(snapshot, "block_times", { blocks: [...part] }));
  const times = new Map(rows.map(({ block_number, time }) => [block_number, time]));
  return new Map(
    [...firsts].flatMap(([token, block]) => {
      const time = times.get(block);
      return time === undefined ? [] : [[token, time]];
    }),
  );
};
