import type { Network, Verify } from "../chains/chain.ts";
import { FAMILY_TRAITS } from "../chains/family_traits.ts";
import { addressIn, networkFromConfig } from "../chains/networks/from_config.ts";
import { networkById } from "../chains/networks/index.ts";
import type { RpcAddress } from "../chains/node/rpc_address.ts";
import type { Votes } from "../chains/summed_votes.ts";
import { filledIn } from "../config/rpc.ts";
import type { NetworkSettings } from "../config/settings.ts";
import type { Venue } from "../protocols/venues.ts";

/** One network that this instance reads. */
export interface EnabledNetwork {
  readonly network: Network;
  readonly rpc: readonly RpcAddress[];
  readonly from_block: number;
  /** Oldest block that this run indexes; from_block when left out. */
  readonly oldest_block?: number;
  /** Last block to index; null = follow the head. */
  readonly to_block: number | null;
  readonly poll_ms: number;
  readonly venues: readonly Venue[];
  readonly openings: "read" | "skip";
  /** `full` when left out. */
  readonly verify?: Verify;
  /** `summed` when left out. */
  readonly votes?: Votes;
  /** Nodes that must say the same of what no block commits to; 1 when left out. */
  readonly agree?: number;
  /** Mark of its entry in the configuration: another one where anything of that was changed, what is secret included. */
  readonly configured?: string;
  /** Folder of a project whose contracts are verified sources of this network. */
  readonly project?: string;
}

/** A network as the configuration enables it: a known one with its own values, or any other chain of a known family. */
export const enabledNetwork = (id: string, entry: NetworkSettings): EnabledNetwork => {
  const network = networkFromConfig({ id, ...entry });
  return {
    network,
    rpc: entry.rpc.map((one) => filledIn(one)),
    from_block: entry.from_block,
    to_block: null,
    poll_ms: entry.poll_ms,
    venues: entry.venues.map((venue) => ({ ...venue, network: id, factory: addressIn(network, venue.factory) })),
    // Of an own chain what its genesis block hands out is all there is; of a public one the reading would have no end.
    openings:
      entry.openings ??
      (networkById(id) === null && FAMILY_TRAITS[network.family].has_genesis_balances ? "read" : "skip"),
    verify: entry.verify,
    votes: entry.votes,
    agree: entry.agree,
  };
};
