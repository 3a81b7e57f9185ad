import type { Network, Verify } from "../chains/chain.ts";
import { FAMILY_TRAITS } from "../chains/family_traits.ts";
import { addressIn, networkFromConfig } from "../chains/networks/from_config.ts";
import { networkById } from "../chains/networks/index.ts";
import type { RpcAddress } from "../chains/node/rpc_address.ts";
import type { Votes } from "../chains/summed_votes.ts";
import { filledIn } from "../config/rpc.ts";
import type { NetworkSettings } from "../config/settings.ts";
import { AssayError } from "../lib/errors.ts";
import type { Venue } from "../protocols/venues.ts";

/** One network that this instance reads. */
export interface EnabledNetwork {
  readonly network: Network;
  readonly rpc: readonly RpcAddress[];
  readonly from_block: number;
  /** Oldest block that this run indexes; defaults to from_block. */
  readonly oldest_block?: number;
  /** Last block to index; null = follow the head. */
  readonly to_block: number | null;
  readonly poll_ms: number;
  readonly venues: readonly Venue[];
  readonly openings: "read" | "skip";
  /** Defaults to `whole`. */
  readonly index?: "whole" | "on_demand";
  /** Defaults to `full`. */
  readonly verify?: Verify;
  /** Defaults to `summed`. */
  readonly votes?: Votes;
  /** Number of nodes that must agree on data that no block commits to; defaults to 1. */
  readonly agree?: number;
  /** Digest of its configuration entry, secrets included: it changes with any of them. */
  readonly configured?: string;
  /** Folder of a project whose contracts are verified sources of this network. */
  readonly project?: string;
}

/** Builds a network from the configuration: a known one with its own values, or any other chain of a known family. */
export const enabledNetwork = (id: string, entry: NetworkSettings): EnabledNetwork => {
  const network = networkFromConfig({ id, ...entry });
  if (
    entry.index === "on_demand" &&
    FAMILY_TRAITS[network.family].account_past === "bare_lists" &&
    entry.from_block > 0
  )
    throw new AssayError({
      code: "CONFIG",
      message: `networks.${id}: with 'index: on_demand', from_block must be 0; no node of ${network.name} tells the balances at a later block`,
    });
  return {
    network,
    rpc: entry.rpc.map((one) => filledIn(one)),
    from_block: entry.from_block,
    to_block: null,
    poll_ms: entry.poll_ms,
    venues: entry.venues.map((venue) => ({ ...venue, network: id, factory: addressIn(network, venue.factory) })),
    // On a private chain the genesis allocation is the whole supply; on a public one reading it would never end.
    openings:
      entry.openings ??
      (networkById(id) === null && FAMILY_TRAITS[network.family].has_genesis_balances ? "read" : "skip"),
    index: entry.index,
    verify: entry.verify,
    votes: entry.votes,
    agree: entry.agree,
  };
};
