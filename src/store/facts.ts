import type { Hex } from "../lib/bytes.ts";
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
  readonly traces: boolean;
}

/** The block an answer speaks of, and what it stands on. Taken once per call and network. */
export interface Snapshot {
  readonly network: string;
  readonly block: { readonly number: number; readonly hash: Hex; readonly time: number };
  /** Boundary between `_final` and `_head` storage. */
  readonly final_block: number;
  /** First block of the contiguous range that ends at `block`; nothing older is read. */
  readonly from_block: number;
  readonly coverage: Coverage;
}

/** Bounds that every question about facts carries; filled in from the snapshot. */
export type Bounds = "network" | "from_block" | "to_block" | "final_block";

export type QueryName = keyof Queries;
export type Params<N extends QueryName> = Omit<Queries[N]["params"], Bounds>;
export type Row<N extends QueryName> = Queries[N]["row"];

/** Questions to the facts store. Throws `AssayError` `FACTS_UNAVAILABLE` (retryable) when the store does not answer. */
export interface Facts {
  /**
   * The newest indexed block, or `as_of_block`. Throws `AssayError` `COVERAGE_INCOMPLETE` when that block is not
   * indexed (yet).
   */
  snapshot(network: string, as_of_block: number | null): Promise<Snapshot>;
  /** False when a reorganisation or a promotion happened under the snapshot: read again. */
  isCurrent(snapshot: Snapshot): Promise<boolean>;
  /** Rows of one `.sql` file, in its order. */
  ask<N extends QueryName>(snapshot: Snapshot, query: N, params: Params<N>): Promise<readonly Row<N>[]>;
}
