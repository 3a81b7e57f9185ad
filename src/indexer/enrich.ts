import type { Chain } from "../chains/chain.ts";
import { allEnded } from "../lib/all_ended.ts";
import type { Hex } from "../lib/bytes.ts";
import type { Log } from "../lib/log.ts";
import type { Venue } from "../protocols/venues.ts";
import type { FactsStore } from "../store/open.ts";
import { networkLabelRows, poolLabelRows } from "./enrich_labels.ts";
import { OpeningReader } from "./enrich_openings.ts";
import { PoolReader } from "./enrich_pools.ts";
import { TokenReader } from "./enrich_tokens.ts";
import type { Enrich } from "./options.ts";
import { TokenRereader } from "./reread_tokens.ts";
import { emptyRows } from "./rows.ts";

/** Dependencies of the readers of one network. */
export interface EnrichOptions {
  readonly chain: Chain;
  readonly store: Pick<FactsStore, "engine" | "writer">;
  readonly venues: ReadonlyMap<Hex, Venue>;
  /** First wanted block; openings are the balances before it. */
  readonly from_block: number;
  /** `skip`: balances count from 0 at the first block. */
  readonly openings: "read" | "skip";
  readonly log: Log;
}

/**
 * Facts that the blocks do not contain: token metadata, pools that were created before the first block, balances before
 * it. Call it with every range before its balances are summed; a second call adds nothing.
 */
export const openEnricher = (parts: EnrichOptions, tokens = new TokenReader(parts)): Enrich => {
  const pools = new PoolReader(parts);
  const openings = new OpeningReader(parts);
  const again = new TokenRereader(parts);
  let has_labels = false;
  return async (_range, rows, signal) => {
    if (!has_labels) {
      await parts.store.writer.insert("labels", networkLabelRows(parts.chain.network, parts.venues), { signal });
      has_labels = true;
    }
    const [read] = await allEnded([
      pools.read(rows, signal),
      tokens.read(rows, [], signal),
      parts.store.writer.insert("labels", poolLabelRows(rows.pools), { signal }),
      parts.openings === "read" ? openings.read(rows, signal) : null,
    ]);
    await tokens.read(emptyRows(), read, signal);
    await again.read(rows, signal);
  };
};
