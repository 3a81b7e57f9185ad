import { AssayError } from "./errors.ts";
import type { LeaseHolder } from "./lease.ts";
import type { Verified } from "./verified.ts";

/** What the process knows of its own health: filled by main from indexer and stores, shown by /readyz, /metrics, CLI. */
export interface NetworkStatus {
  /** Newest block the node has shown; null before the first answer. */
  readonly head: number | null;
  /** Newest block that answers include. */
  readonly indexed: number | null;
  readonly lag_blocks: number | null;
  /** Time of the newest block that answers include, unix seconds. */
  readonly indexed_at: number | null;
  /** Oldest block of the range that ends at `indexed`. */
  readonly from_block: number | null;
  /** What is true of every block of the range that ends at `indexed`; null while there is none. */
  readonly verified: Verified | null;
  /**
   * Ranges [from, to] that answers miss between the first wanted block and the newest one that can be had: what history is still
   * to be read, and what a node that fails keeps back at the head.
   */
  readonly gaps: readonly (readonly [number, number])[];
  /** How often endpoints that must agree did not, since the process started. */
  readonly disagreements: number;
  /**
   * `waiting`: another process indexes it (`indexed_by`), and this one takes over when that ends. `absent`: it is configured, and does
   * not run (`problem`).
   */
  readonly state: "starting" | "waiting" | "backfill" | "following" | "stopped" | "failed" | "absent";
  readonly blocks_per_second: number | null;
  readonly remaining_blocks: number | null;
  /** A sentence for the operator when something is wrong. */
  readonly problem: string | null;
  /** The kind of the problem: a word that tells callers no name and no address. */
  readonly trouble: string | null;
  /** The other process that indexes it; null where this one does, or nobody is known to. */
  readonly indexed_by: LeaseHolder | null;
  /** The range of history that this process fills; null where it fills none. */
  readonly fills: { readonly from: number; readonly to: number } | null;
}

/** What an indexer knows of its network by itself: what of the blocks was verified and who agrees others know. */
export type IndexerStatus = Omit<NetworkStatus, "verified" | "disagreements" | "gaps" | "indexed_at"> & {
  /** Prices, labels or lists may still follow from the final blocks that are there. */
  readonly derives: boolean;
};

/** The code of an expected fault. */
export const troubleOf = (error: unknown): string => (error instanceof AssayError ? error.code : "INTERNAL");

export interface Status {
  readonly accounts: boolean;
  readonly facts: boolean;
  readonly networks: Readonly<Record<string, NetworkStatus>>;
}

export type ReadStatus = () => Promise<Status>;

/** Who fills a range of a network's history, as a sentence for an operator. */
export const filledBy = (
  range: { readonly network: string; readonly from: number; readonly to: number },
  holder: LeaseHolder,
): string => `blocks ${range.from} to ${range.to} of network ${range.network} are filled by ${whoOf(holder)}`;

/** Who indexes a network, as a sentence for an operator. */
export const indexedBy = (network: string, holder: LeaseHolder): string =>
  `network ${network} is indexed by ${whoOf(holder)}`;

const whoOf = ({ host, pid, since_ms }: LeaseHolder): string =>
  `${host} pid ${pid} since ${new Date(since_ms).toISOString()}`;

/** Leases for watching have names of their own beside those of indexing: this, and the network; this alone for sending. */
export const WATCH_LEASE = "watch ";

/** Who watches a network, or sends what was seen, as a sentence for an operator. */
export const watchedBy = (lease: string, holder: LeaseHolder): string => {
  const network = lease.slice(WATCH_LEASE.length);
  return `${network === "" ? "webhooks are sent" : `network ${network} is watched`} by ${whoOf(holder)}`;
};
