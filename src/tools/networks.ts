import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import type { ErrorCode } from "../lib/outcome.ts";
import { type Basis, type MetadataFacts, metadataFor, metadataForMany, type Warning } from "./metadata.ts";
import type { ToolContext } from "./tool.ts";

/** What a caller asked of several networks: `network` is an id, `all` or `evm`. */
export interface Asked {
  readonly network: string;
  readonly address: string;
}

export interface Answered<T> {
  readonly chain: Chain;
  readonly basis: Basis;
  readonly value: T;
}

interface Failed {
  readonly chain: Chain;
  readonly error: AssayError;
}

/** Answers of the networks that answered, in configuration order, and who failed. */
export interface Spread<T> {
  readonly answered: readonly Answered<T>[];
  readonly failed: readonly Failed[];
  readonly warnings: readonly Warning[];
}

export const isMany = (network: string): boolean => network === "all" || network === "evm";

const askedChains = ({ network, address }: Asked, context: ToolContext): readonly Chain[] => {
  if (!isMany(network)) return [context.chain(network)];
  const chains = context.networks.map((id) => context.chain(id));
  return chains.filter(
    (chain) => (network === "all" || chain.network.family === "evm") && chain.parseAddress(address) !== null,
  );
};

/** Failures of one network that leave the others' answers standing. Anything else is ours and is thrown on. */
const PASSING: readonly string[] = [
  "UPSTREAM_UNAVAILABLE",
  "COVERAGE_INCOMPLETE",
  "TIMEOUT",
] satisfies readonly ErrorCode[];

/**
 * Asks each network of the call. A network that fails while several were asked becomes a warning
 * `NETWORK_UNAVAILABLE`; a failure of the only network asked is thrown.
 */
export const askEach = async <T>(
  asked: Asked,
  context: ToolContext,
  ask: (chain: Chain, address: Hex) => Promise<{ basis: Basis; value: T }>,
): Promise<Spread<T>> => {
  const chains = askedChains(asked, context);
  const results = await Promise.all(
    chains.map(async (chain): Promise<Answered<T> | Failed> => {
      try {
        const address = chain.parseAddress(asked.address);
        if (address === null) throw new AssayError({ code: "BUG", message: `binding let ${asked.address} through` });
        return { chain, ...(await ask(chain, address)) };
      } catch (error) {
        if (!isMany(asked.network) || !(error instanceof AssayError) || !PASSING.includes(error.code)) throw error;
        return { chain, error };
      }
    }),
  );
  const failed = results.filter((result) => "error" in result);
  return {
    answered: results.filter((result) => "value" in result),
    failed,
    warnings: failed.map(({ chain, error }) => ({
      code: "NETWORK_UNAVAILABLE",
      message: `${chain.network.id} could not be read (${error.code}) and is missing from this answer.`,
    })),
  };
};

/** Metadata over all networks asked. A network that failed stands in `networks` without block and coverage. */
export const metadataOver = <T, E extends object>(asked: Asked, spread: Spread<T>, facts: MetadataFacts<E>) => {
  const [only] = spread.answered;
  const warned = { ...facts, warnings: [...spread.warnings, ...(facts.warnings ?? [])] };
  if (!isMany(asked.network) && only !== undefined) return metadataFor(only.chain, only.basis, warned);
  const parts = [
    ...spread.answered.map(({ chain, basis }) => ({ chain, snapshot: basis })),
    ...spread.failed.map(({ chain }) => ({ chain, snapshot: null })),
  ];
  return metadataForMany(asked.network, parts, warned);
};
