import type { Chain } from "../chains/chain.ts";
import type { Basis, Source, Warning } from "../domain/context.ts";
import { isMany, type NetworkAnswers } from "../domain/networks.ts";
import { operatorProvenance } from "../domain/valuation/prices/operator_prices.ts";
import { wireCoverage } from "../domain/window/wire_coverage.ts";
import { iso } from "../lib/time.ts";

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

const withOperatorPrices = <E>(bases: readonly (Basis | null)[], facts: MetadataFacts<E>) => {
  const { sources, warnings } = operatorProvenance(bases.flatMap((basis) => basis ?? []));
  return { sources: [...(facts.sources ?? []), ...sources], warnings: [...(facts.warnings ?? []), ...warnings] };
};

/** Metadata of an answer about one network. `snapshot` is null when the network could not be read. */
export const metadataFor = <E extends object>(chain: Chain, snapshot: Basis | null, facts: MetadataFacts<E>) => ({
  ...facts.echo,
  chain: chain.network.id,
  chain_id: chain.network.caip2,
  as_of: snapshot === null ? null : asOf(chain, snapshot),
  coverage: snapshot === null ? null : wireCoverage(snapshot),
  methodology: facts.methodology,
  ...withOperatorPrices([snapshot], facts),
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
    coverage: snapshot === null ? null : wireCoverage(snapshot),
  })),
  methodology: facts.methodology,
  ...withOperatorPrices(
    parts.map(({ snapshot }) => snapshot),
    facts,
  ),
});

/** Metadata over all requested networks. A failed network is in `networks` without block and coverage. */
export const metadataOver = <T, E extends object>(
  asked: { readonly network: string },
  spread: NetworkAnswers<T>,
  facts: MetadataFacts<E>,
) => {
  const [only] = spread.answered;
  const warned = { ...facts, warnings: [...spread.warnings, ...(facts.warnings ?? [])] };
  if (!isMany(asked.network) && only !== undefined) return metadataFor(only.chain, only.basis, warned);
  const parts = [
    ...spread.answered.map(({ chain, basis }) => ({ chain, snapshot: basis })),
    ...spread.failed.map(({ chain }) => ({ chain, snapshot: null })),
  ];
  return metadataForMany(asked.network, parts, warned);
};
