/** What a process has done for one network since it started; an indexer adds to it and `/metrics` shows it. */
export interface IndexCounts {
  /** Final blocks whose facts were written, each once when its segment is done. */
  blocks_indexed: number;
  /** Times that blocks near the head were replaced by others. */
  reorganisations: number;
  /** Times that this process stopped indexing the network because its lease was lost. */
  lease_losses: number;
}

export const noIndexCounts = (): IndexCounts => ({ blocks_indexed: 0, reorganisations: 0, lease_losses: 0 });
