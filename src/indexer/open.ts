import type { Chain } from "../chains/chain.ts";
import type { Leases } from "../lib/lease.ts";
import type { Log } from "../lib/log.ts";
import { type Venue, venuesOf } from "../protocols/venues.ts";
import type { FactsStore } from "../store/open.ts";
import { openWriter } from "../store/writer.ts";
import { type JudgeTrader, openCohortPass } from "./cohorts.ts";
import { decodeBlock } from "./decode.ts";
import { DepositLabels } from "./deposit_labels.ts";
import { openEnricher } from "./enrich.ts";
import { openIndexStore } from "./index_store.ts";
import { openPricePass } from "./prices.ts";
import { NetworkIndexer } from "./run.ts";
import { SandwichLabels } from "./sandwich_labels.ts";
import { openSilentSupply } from "./silent_supply.ts";
import { LeasedIndexer } from "./tenure.ts";

/** What the composition root knows of a network to be indexed. */
export interface NetworkIndexerParts {
  readonly chain: Chain;
  readonly facts: FactsStore;
  readonly enabled: {
    readonly from_block: number;
    readonly oldest_block?: number;
    readonly to_block: number | null;
    readonly poll_ms: number;
    readonly venues: readonly Venue[];
    readonly openings: "read" | "skip";
  };
  readonly judge: JudgeTrader;
  readonly log: Log;
}

/** Wires one network's reading, decoding and writing together. */
export const openNetworkIndexer = ({ chain, facts, enabled, judge, log }: NetworkIndexerParts): NetworkIndexer => {
  const { network } = chain;
  const venues = venuesOf(network.id, enabled.venues);
  const days = { network, store: facts, now_ms: Date.now };
  const passes = [new DepositLabels(days), new SandwichLabels(days)];
  return new NetworkIndexer({
    chain,
    store: openIndexStore(facts, network, Date.now),
    decode: (block) => decodeBlock(block, network, venues),
    complete: openSilentSupply(chain, log),
    enrich: openEnricher({
      chain,
      store: facts,
      venues,
      from_block: enabled.from_block,
      openings: enabled.openings,
      log,
    }),
    openings: enabled.openings,
    updatePrices: openPricePass({ network, store: facts }),
    updateCohorts: openCohortPass({ network, store: facts, judge }),
    updateLabels: async (signal) => {
      for (const pass of passes) await pass.update(signal);
    },
    log,
    from_block: enabled.from_block,
    oldest_block: Math.max(enabled.from_block, enabled.oldest_block ?? 0),
    to_block: enabled.to_block,
    poll_ms: enabled.poll_ms,
    now: () => performance.now(),
  });
};

/** The same, writing only while this process has the network's lease. */
export const openLeasedIndexer = (parts: NetworkIndexerParts & { readonly leases: Leases }): LeasedIndexer =>
  new LeasedIndexer({
    network: parts.chain.network.id,
    engine: parts.facts.engine,
    leases: parts.leases,
    open: (engine) => openNetworkIndexer({ ...parts, facts: { ...parts.facts, engine, writer: openWriter(engine) } }),
    log: parts.log,
  });
