import type { Hex } from "../lib/bytes.ts";
import type { PinnedBlock } from "../lib/parsed.ts";
import type { VerificationLevel } from "../lib/verified.ts";
import type { ColumnsOf } from "./columns.ts";
import type { Queries } from "./queries.gen.ts";

/** Blocks of one network that the store holds, and how well. */
export interface Coverage {
  readonly from_block: number;
  readonly to_block: number;
  /** True when the range starts at the network's first wanted block, so that history before it is either none or opened. */
  readonly complete: boolean;
  /** Missing ranges [from, to] between the network's first wanted block and `to_block`. */
  readonly gaps: readonly (readonly [number, number])[];
  readonly logs: boolean;
  /** True when every block of the range has its inner calls. */
  readonly traces: boolean;
  /** Block ranges [from, to] without traces of internal calls; omitted when every block has them. */
  readonly trace_gaps?: readonly (readonly [number, number])[];
  /** Properties of every block of the range. */
  readonly verified: VerificationLevel;
}

/** The block of an answer with its bounds and coverage. Taken once per call and network. */
export interface Snapshot {
  readonly network: string;
  /** Another one after all facts of the network were dropped: what is remembered of an earlier one is of no use. */
  readonly generation: string;
  readonly block: { readonly number: number; readonly hash: Hex; readonly time: number };
  /** Last final block. Later blocks are the tail. */
  readonly final_block: number;
  /** First block of the contiguous range that ends at `block`; nothing older is read. */
  readonly from_block: number;
  /** Last final block of the contiguous range that begins there. It may be after `block`, which may be an older one. */
  readonly settled_to: number;
  readonly coverage: Coverage;
  /** The index has later blocks than `block`. Left out: it has none. */
  readonly is_past?: boolean;
  /** How often the tail had been cut; see `isCurrent`. */
  readonly tail_drops: number;
  /** How often final blocks had been written again; see `isCurrent`. Left out: never. */
  readonly rewrites?: number;
  /** The network is read on demand: only rows of these addresses are whole. `is_plain`: the search of each is proven. */
  readonly followed?: {
    readonly is_plain: boolean;
    readonly addresses: readonly Hex[];
    /** Those that are tokens with all their movements. */
    readonly tokens?: readonly Hex[];
    /** Numbers and hashes of the unfinalised blocks that concern them. Left out: it ends at a final block. */
    readonly tail?: readonly (readonly [number, string])[];
    /** The final block whose prices hold at an end above it. */
    readonly priced_at?: Snapshot["block"];
  };
}

/** A pool of a token with a dollar coin or the wrapped native coin that its factory names. */
export interface NodePool {
  readonly pool: Hex;
  readonly family: string;
  /** Of each trade; 0: not known. */
  readonly fee_ppm: number;
  readonly quote: Hex;
  /** Its balance of `quote`, base units. */
  readonly quote_raw: bigint;
}

/** An imported list of labels, sanctions or tokens. */
export interface ListVersion {
  /** `<kind>/<name>`. */
  readonly id: string;
  readonly version: string;
  /** When its publisher published it; null when it does not say. */
  readonly updated_at: string | null;
}

/** Bounds that every question about facts carries; filled in from the snapshot. */
export type SnapshotBounds = "network" | "from_block" | "to_block" | "final_block" | "block_time";
/** Bounds of the stored sums and movements to read (balances.ts). */
export type SumBounds = "with_sums" | "rest_from" | "rest_to" | "rest_sign";
/** A block up to which nothing happened from `since` on (earliest_block.ts). */
export type WindowBound = "earliest_block";
export type Bounds = SnapshotBounds | SumBounds | WindowBound;

export type QueryName = keyof Queries;
export type Params<N extends QueryName> = Omit<Queries[N]["params"], Bounds>;
export type QueryRow<N extends QueryName> = Queries[N]["row"];
export type QueryColumns<N extends QueryName> = ColumnsOf<QueryRow<N>>;

/** At a moment after the call, or at the last look at the writes: a snapshot begins with a look. */
export type ListsAsOf = "now" | "last_look";

/** A wallet's balance of a token that it ever touched. */
export interface WalletBalance {
  readonly token: Hex;
  readonly amount: bigint;
  readonly transfers: number;
  readonly first_block: number;
  readonly last_block: number;
}

export interface TokenHolder {
  readonly holder: Hex;
  /** Base units. */
  readonly amount: bigint;
}

export type HolderCount = Pick<QueryRow<"token_holders">, "holders" | "supply" | "below_zero" | "beyond" | "doubtful">;

/** The price of a token in an hour (its first second). `at_block`: 0 for a whole hour, otherwise the block up to which it counts. */
export interface PriceQuestion {
  readonly token: Hex;
  readonly hour: number;
  readonly at_block: number;
}

export type DemandedPrice = QueryRow<"demanded_prices">;

/**
 * Whether the rows of an address are whole on a network that is read on demand.
 *
 * - `read`: they are. `partial`: its blocks are read, and nothing proves that these are all.
 * - `reading`: they will be. `too_large`: it has more blocks than a counterparty may have. `refused`: the account's limits are reached.
 * - `unread`: the call does not wish it.
 */
export type ReadState = "read" | "partial" | "reading" | "too_large" | "refused" | "unread";

/** Questions to the facts store. Throws `AssayError` `FACTS_UNAVAILABLE` (retryable) when the store does not answer, `TOO_LARGE`. */
export interface Facts {
  /**
   * The newest indexed block, or `as_of_block`. Throws `AssayError` `COVERAGE_INCOMPLETE` when that block is not
   * indexed (yet), or when the index cannot tell which block was the last at that moment.
   */
  snapshot(network: string, as_of_block: PinnedBlock | null): Promise<Snapshot>;
  /** False when a reorganisation or a promotion happened under the snapshot: read again. */
  isCurrent(snapshot: Snapshot): Promise<boolean>;
  /**
   * Settles when the facts of this block are stored, as every block of a network is that is indexed whole. Blocks outside the snapshot's
   * range never are. Throws `AssayError` `READING` (retryable) when that takes too long, `SUBJECT_LIMIT`.
   */
  hold(snapshot: Snapshot, block: number): Promise<void>;
  /** Rows of one `.sql` file, in its order. */
  ask<N extends QueryName>(snapshot: Snapshot, query: N, params: Params<N>): Promise<readonly QueryRow<N>[]>;
  /** The same, column by column: for a question with very many rows, whose types columns.ts can read. */
  columns<N extends QueryName>(snapshot: Snapshot, query: N, params: Params<N>): Promise<QueryColumns<N>>;
  /** The imported lists whose rows a question reads, in their versions as of now or of an earlier moment, by id; none for most questions. */
  lists(query: QueryName, as_of?: ListsAsOf): Promise<readonly ListVersion[]>;
  /** Version of what a query reads: it changes with every write to one of its tables. Null: unknown. */
  stampOf(query: QueryName, network: string): Promise<string | null>;
  /**
   * Every token that the wallet ever touched, also those it holds none of any more; '' is the native coin. Exact at the
   * snapshot's block when `coverage.complete`, else only what the indexed blocks moved (it may be negative). An amount is
   * the true sum of the movements, of any size: where it is no word of 256 bits (lib/wide.ts) it is no balance.
   */
  walletBalances(snapshot: Snapshot, wallet: Hex): Promise<readonly WalletBalance[]>;
  /**
   * Of each token, in their order: the first `limit` holders (1,024 at most) whose movements add up to more than 0, largest first,
   * ties by address. Exact as `walletBalances` is.
   */
  tokenHolders(snapshot: Snapshot, tokens: readonly Hex[], limit: number): Promise<readonly (readonly TokenHolder[])[]>;
  /**
   * Of each token, in their order: the number of addresses with a positive balance, and the sum of what they hold. `below_zero`,
   * `beyond`: how many have movements that add up to no balance (less than 0, more than 2^256 - 1); `doubtful`: 100 of them.
   */
  holderCounts(snapshot: Snapshot, tokens: readonly Hex[]): Promise<readonly HolderCount[]>;
  /** One amount per pair, in the order of `pairs`; 0 where the pair was never touched. */
  balanceOf(
    snapshot: Snapshot,
    pairs: readonly { readonly token: Hex; readonly holder: Hex }[],
  ): Promise<readonly bigint[]>;
  /**
   * Prices on a network that is read on demand, once the indexer has read them; with `now`, those that it has read so far. Throws
   * `AssayError` READING, SUBJECT_LIMIT. Omitted where no network is read on demand.
   */
  demandedPrices?: (
    snapshot: Snapshot,
    asked: readonly PriceQuestion[],
    now?: "now",
  ) => Promise<readonly DemandedPrice[]>;
  /**
   * On a network that is read on demand: a snapshot whose rows of this counterparty are whole, or why there is none. The indexer reads it
   * for later calls, within the limits of the account. Waits for none. Omitted as `demandedPrices` is.
   */
  snapshotAbout?: (network: string, address: Hex, block: number) => Promise<Snapshot | ReadState>;
  /** Omitted as `demandedPrices` is. */
  isOnDemand?: (network: string) => boolean;
  /**
   * On a network that is read on demand: the states of these counterparties, whose rows queries may read then where they are read. `wished`:
   * the indexer reads the first of them within the limits of the account. Waits for none. Omitted as `demandedPrices` is.
   */
  readStates?: (
    snapshot: Snapshot,
    addresses: readonly Hex[],
    wished?: "wished",
  ) => Promise<ReadonlyMap<Hex, ReadState>>;
  /** The token's pools, as of a block whose state a node has. Throws `AssayError` UPSTREAM_UNAVAILABLE. Omitted as `demandedPrices` is. */
  nodePools?: (network: string, asked: { readonly token: Hex; readonly at: number }) => Promise<readonly NodePool[]>;
  /** The same facts, whose questions stop in the engine when `signal` aborts. */
  withSignal(signal: AbortSignal): Facts;
  /** The only `T` of this store, created on first use. It caches rows and lives as long as these facts. */
  own<T extends object>(kind: new () => T): T;
}
