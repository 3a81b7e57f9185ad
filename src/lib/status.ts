import { AssayError } from "./errors.ts";
import type { LeaseHolder } from "./lease.ts";
import type { VerificationLevel } from "./verified.ts";

/** Health of the process: main fills it from the indexer and the stores; /readyz, /metrics and the CLI show it. */
export interface NetworkStatus {
  /** Newest block of the node; null before its first response. */
  readonly head: number | null;
  /** Newest block that answers include. */
  readonly indexed: number | null;
  readonly lag_blocks: number | null;
  /** Time of the newest block that answers include, unix seconds. */
  readonly indexed_at: number | null;
  /** Oldest block of the range that ends at `indexed`. */
  readonly from_block: number | null;
  /** Verification level of every block of the range that ends at `indexed`; null before the first block. */
  readonly verified: VerificationLevel | null;
  /**
   * Ranges [from, to] that answers lack between the first configured block and the newest available one: history still to be
   * read, and blocks near the head that a failing node does not deliver.
   */
  readonly gaps: readonly (readonly [number, number])[];
  /** Disagreements between endpoints that must agree, since the process started. */
  readonly disagreements: number;
  /**
   * `waiting`: another process indexes the network (`indexed_by`), and this one takes over when that process ends. `absent`: the
   * network is configured but does not run (`problem`).
   */
  readonly state: "starting" | "waiting" | "backfill" | "following" | "stopped" | "failed" | "absent";
  readonly blocks_per_second: number | null;
  readonly remaining_blocks: number | null;
  /** A sentence for the operator about a problem. */
  readonly problem: string | null;
  /** The kind of the problem, in a word that is safe to show callers. */
  readonly trouble: string | null;
  /** The other process that indexes the network; null when this one does, or none is known. */
  readonly indexed_by: LeaseHolder | null;
  /** The range of history that this process backfills; null when it backfills none. */
  readonly fills: { readonly from: number; readonly to: number } | null;
  /** Share of the hours that have their prices while this process derives many, 0 to 1; null otherwise. */
  readonly priced_share: number | null;
}

/** Age of the newest block that answers include; null before the first one. */
export const lagSeconds = ({ indexed_at }: Pick<NetworkStatus, "indexed_at">, now_ms: number): number | null =>
  indexed_at === null ? null : Math.max(0, now_ms / 1000 - indexed_at);

/** `priced_share` as whole percent, below 100 until all hours have their prices; null while none are derived. */
export const pricedPercent = ({ priced_share }: Pick<NetworkStatus, "priced_share">): number | null =>
  priced_share === null ? null : Math.floor(priced_share * 100);

/** The indexer's own part of the status; other components add verification and agreement. */
export type IndexerStatus = Omit<NetworkStatus, "verified" | "disagreements" | "gaps" | "indexed_at"> & {
  /** Prices, labels or lists may still be derived from the final blocks. */
  readonly derives: boolean;
};

/** The code of an expected error. */
export const troubleOf = (error: unknown): string => (error instanceof AssayError ? error.code : "INTERNAL");

export interface Status {
  readonly accounts: boolean;
  readonly facts: boolean;
  readonly networks: Readonly<Record<string, NetworkStatus>>;
}

export type ReadStatus = () => Promise<Status>;

/** A sentence for the operator: the process that backfills a range of a network's history. */
export const filledBy = (
  range: { readonly network: string; readonly from: number; readonly to: number },
  holder: LeaseHolder,
): string => `blocks ${range.from} to ${range.to} of network ${range.network} are filled by ${describeHolder(holder)}`;

/** A sentence for the operator: the process that indexes a network. */
export const indexedBy = (network: string, holder: LeaseHolder): string =>
  `network ${network} is indexed by ${describeHolder(holder)}`;

const describeHolder = ({ host, pid, since_ms }: LeaseHolder): string =>
  `${host} pid ${pid} since ${new Date(since_ms).toISOString()}`;

/** Name of the lease for sending events; with the network after it, the lease for watching that network. */
export const WATCH_LEASE = "watch ";

/** A sentence for the operator: the process that watches a network or sends events. */
export const watchedBy = (lease: string, holder: LeaseHolder): string => {
  const network = lease.slice(WATCH_LEASE.length);
  return `${network === "" ? "webhooks are sent" : `network ${network} is watched`} by ${describeHolder(holder)}`;
};
