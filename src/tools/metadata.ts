import type { Chain } from "../chains/chain.ts";
import { iso } from "../lib/time.ts";
import type { Coverage, Snapshot } from "../store/facts.ts";

/** What an answer stands on: a snapshot of the index, or (coverage null) a block that a node was asked at. */
export interface Basis {
  readonly block: Snapshot["block"];
  readonly coverage: Coverage | null;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
}

export interface Source {
  readonly id: string;
  readonly version: string;
  readonly updated_at: string | null;
}

export interface MetadataFacts<E> {
  readonly echo: E;
  readonly methodology: string;
  readonly sources?: readonly Source[];
  readonly warnings?: readonly Warning[];
}

const asOf = (chain: Chain, { block }: Basis) => ({
  block_number: block.number,
  block_hash: chain.formatHash(block.hash),
  timestamp: iso(block.time),
});

const coverageOf = ({ coverage }: Basis) =>
  coverage === null ? null : { ...coverage, gaps: coverage.gaps.map(([from, to]) => [from, to]) };

/** Metadata of an answer about one network. `snapshot` is null when the network could not be read. */
export const metadataFor = <E extends object>(chain: Chain, snapshot: Basis | null, facts: MetadataFacts<E>) => ({
  ...facts.echo,
  chain: chain.network.id,
  chain_id: chain.network.caip2,
  as_of: snapshot === null ? null : asOf(chain, snapshot),
  coverage: snapshot === null ? null : coverageOf(snapshot),
  methodology: facts.methodology,
  sources: [...(facts.sources ?? [])],
  warnings: [...(facts.warnings ?? [])],
});

/** Metadata of an answer over several networks. `word` is `all` or `evm`. */
export const metadataForMany = <E extends object>(
  word: string,
  parts: readonly { readonly chain: Chain; readonly snapshot: Basis | null }[],
  facts: MetadataFacts<E>,
) => ({
  ...facts.echo,
  chain: word,
  chain_id: null,
  as_of: null,
  coverage: null,
  networks: parts.map(({ chain, snapshot }) => ({
    network: chain.network.id,
    chain_id: chain.network.caip2,
    as_of: snapshot === null ? null : asOf(chain, snapshot),
    coverage: snapshot === null ? null : coverageOf(snapshot),
  })),
  methodology: facts.methodology,
  sources: [...(facts.sources ?? [])],
  warnings: [...(facts.warnings ?? [])],
});
