/** Counters of one network since the process started; the indexer increments them and `/metrics` shows them. */
export interface IndexCounts {
  /** Final blocks whose facts were written, counted once when the segment is complete. */
  blocks_indexed: number;
  /** Reorganisations near the head. */
  reorganisations: number;
  /** Times this process stopped indexing the network because it lost the lease. */
  lease_losses: number;
}

export const noIndexCounts = (): IndexCounts => ({ blocks_indexed: 0, reorganisations: 0, lease_losses: 0 });
